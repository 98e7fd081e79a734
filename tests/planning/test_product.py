import pytest
from benchmarks.planning_oracle import KINDS
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.planner import PlannerSuite, chart, edge
from tests.planning.optimum import planned_at_least_cost
from waypost.model import AppGraph, Fact, Goal, NodeId, PlanStatus, Terms
from waypost.planning import Costs, ProductSearch, ShortestPath, Staged
from waypost.planning.checking import Question, faults
from waypost.planning.joined import joined, within

A, B, C, D = (NodeId(x) for x in "abcd")


class TestProductSearch(PlannerSuite):
    @pytest.fixture
    def planner(self) -> ProductSearch:
        return ProductSearch()


class TestStaged(PlannerSuite):
    @pytest.fixture
    def planner(self) -> Staged:
        return Staged()


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(KINDS))
def test_every_plan_costs_what_trying_everything_says(seed: int, kind: str) -> None:
    asked, plan = planned_at_least_cost(ProductSearch(), seed, kind)
    if not plan.found:
        return
    question = Question(asked.start, asked.goal, asked.terms, asked.fee)
    assert faults(asked.graph, question, plan) == []


def gated() -> AppGraph:
    """Home leads to an account only for one who is signed in; else to a login page."""
    graph = chart(
        edge("home", "account", key="tap:account", preconditions=("signed_in",)),
        edge("home", "login", key="tap:account", preconditions=("not signed_in",)),
        edge("login", "home", key="tap:sign in", effects=("signed_in",)),
        edge("account", "home"),
    )
    graph.facts["signed_in"] = Fact("signed_in")
    return graph


def test_what_is_behind_a_gate_is_planned_through_the_gate() -> None:
    home, account = NodeId("home"), NodeId("account")
    plan = ProductSearch().plan(gated(), home, account)
    assert plan.expected == ("login", "home", "account")
    assert ShortestPath().plan(gated(), home, account).expected == ("account",)
    known = ProductSearch().plan(gated(), home, account, terms=Terms(held=frozenset({"signed_in"})))
    assert known.expected == ("account",)


def test_a_gate_without_a_key_is_proven_shut() -> None:
    graph = chart(edge("a", "b", preconditions=("permission=camera",)))
    assert ProductSearch().plan(graph, A, B).status is PlanStatus.UNREACHABLE


def test_a_relaunch_loses_what_is_volatile_and_keeps_the_rest() -> None:
    open_dialog = edge("a", "b", effects=("draft", "signed_in"))
    graph = chart(open_dialog, edge("a", "c", preconditions=("draft",)), edge("b", "d"))
    graph.facts |= {"draft": Fact("draft", volatile=True), "signed_in": Fact("signed_in")}
    assert ProductSearch().plan(graph, A, C).status is PlanStatus.UNREACHABLE
    graph.facts["draft"] = Fact("draft")
    assert ProductSearch().plan(graph, A, C).expected == (B, A, C)


def test_a_value_drives_out_the_other_values_of_its_name() -> None:
    graph = chart(
        edge("a", "a", key="tap:copy", effects=("clipboard=code",)),
        edge("a", "b", effects=("clipboard=link",)),
        edge("b", "c", preconditions=("clipboard=code",)),
        edge("b", "a"),
    )
    assert ProductSearch().plan(graph, A, C).status is PlanStatus.UNREACHABLE
    graph.transitions[B, "tap:copy", B] = edge("b", "b", key="tap:copy", effects=("clipboard=code",))
    assert ProductSearch().plan(graph, A, C).expected == (B, B, C)


def test_a_goal_may_ask_for_a_fact() -> None:
    graph = chart(edge("a", "b", effects=("wifi",)), edge("b", "a"))
    plan = ProductSearch().plan(graph, A, Goal((frozenset({A}),), facts=("wifi",)))
    assert plan.expected == ("b",)
    there = ProductSearch().plan(graph, A, Goal.every([A]), terms=Terms(held=frozenset({"wifi"})))
    assert there.status is PlanStatus.ALREADY_THERE


def test_a_budget_ends_in_a_bound_and_not_in_a_claim() -> None:
    graph = chart(*(edge(f"n{i}", f"n{i + 1}") for i in range(9)))
    plan = ProductSearch(budget=3).plan(graph, NodeId("n0"), NodeId("n9"))
    assert plan.status is PlanStatus.GAVE_UP
    best = ProductSearch().plan(graph, NodeId("n0"), NodeId("n9"))
    assert plan.bound is not None
    assert 0 < plan.bound <= best.cost
    assert "3 states" in plan.reason


def test_a_fact_learned_in_one_app_opens_a_page_of_another() -> None:
    mail = chart(edge("inbox", "message", effects=("code known",)))
    shop = chart(edge("start", "order", preconditions=("code known",)))
    both = joined({"mail": mail, "shop": shop}, front="shop")
    plan = ProductSearch().plan(both, within("shop", NodeId("start")), within("shop", NodeId("order")))
    assert plan.expected == ("mail:inbox", "mail:message", "shop:start", "shop:order")
    assert faults(both, Question(within("shop", NodeId("start")), Goal.every([plan.goal])), plan) == []


def test_the_check_finds_a_plan_that_was_tampered_with() -> None:
    graph, goal = gated(), Goal.every([NodeId("account")])
    plan = ShortestPath().plan(graph, NodeId("home"), NodeId("account"))
    found = faults(graph, Question(NodeId("home"), goal), plan)
    assert found == ["step 1 needs signed_in"]
    dear = Question(NodeId("home"), goal, costs=Costs(miss_cost=99.0))
    assert any("costs" in f for f in faults(graph, dear, plan))
