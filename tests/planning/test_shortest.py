import dataclasses
import math
from collections.abc import Callable

import networkx as nx
import pytest
from benchmarks.planning_oracle import Asked, State, following
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.planner import PlannerSuite, chart, edge
from waypost.model import (
    Action,
    AppGraph,
    Goal,
    Hypernode,
    Launch,
    NodeId,
    PageKind,
    Plan,
    PlanStatus,
    Press,
    Tap,
    Terms,
    Transition,
    TransitionKind,
)
from waypost.planning import Ageing, Costs, ShortestPath
from waypost.planning.shortest import returning

A, B, C, D = (NodeId(x) for x in "abcd")


class TestShortestPath(PlannerSuite):
    @pytest.fixture
    def planner(self) -> ShortestPath:
        return ShortestPath()


@st.composite
def _maps(draw: st.DrawFn) -> AppGraph:
    actions: list[Action] = [Tap((1, 1)), Press("back"), Launch("app")]
    names = [NodeId(c) for c in "abcdefgh"[: draw(st.integers(1, 8))]]
    graph = AppGraph("app", root=draw(st.sampled_from([*names, None])))
    for name in names:
        kinds = st.sampled_from([PageKind.PAGE] * 5 + [PageKind.OVERLAY, PageKind.EXTERNAL])
        graph.nodes[name] = Hypernode(name, kind=draw(kinds))
    for _ in range(draw(st.integers(0, 20))):
        source, target = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        tries = draw(st.integers(0, 9))
        step = Transition(
            source,
            draw(st.sampled_from(actions)),
            target,
            draw(st.sampled_from(["k1", "k2", "k3"])),
            draw(st.sampled_from([TransitionKind.NAVIGATION] * 4 + list(TransitionKind))),
            tries=tries,
            successes=draw(st.integers(0, tries)),
            failures=draw(st.integers(0, 3)),
            hazard=draw(st.sampled_from(["", "", "", "pay"])),
        )
        graph.transitions[source, step.key, target] = step
    return graph


_fees = st.dictionaries(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["k1", "k2", "k3", "launch"])),
    st.sampled_from([0.0, 0.5, 3.0, math.inf]),
    max_size=8,
)


def _oracle(graph: AppGraph, start: NodeId, goal: NodeId, fee: Callable[[NodeId, str], float]) -> float:
    """Work the cheapest cost out anew, with networkx and none of the code under test but the price list."""
    net: nx.DiGraph[tuple[str, bool]] = nx.DiGraph()
    pages = {n.id for n in graph.nodes.values() if n.kind is PageKind.PAGE}
    start_at, goal_at = ("*start", False), ("*goal", True)
    net.add_nodes_from([start_at, goal_at])

    def road(a: tuple[str, bool], b: tuple[str, bool], cost: float) -> None:
        if cost < math.inf and (not net.has_edge(a, b) or net[a][b]["weight"] > cost):
            net.add_edge(a, b, weight=cost)

    for t in graph.transitions.values():
        rivals = [r for r in graph.transitions.values() if (r.source, r.key) == (t.source, t.key)]
        best = max(rivals, key=lambda r: (r.reliability, r.last_seen, r.target))
        barred = t.kind is TransitionKind.OVERLAY or t.hazard or isinstance(t.action, Launch)
        if not {t.source, t.target} <= pages or barred:
            continue
        back = t.key in returning(list(graph.transitions.values()))
        early = Costs().price(t, expected=best is t and not (back and t.source == graph.root))
        late = Costs().price(t, expected=best is t and not back)
        road((t.source, False), (t.target, not back), early + fee(t.source, t.key))
        road((t.source, True), (t.target, True), late + fee(t.source, t.key))
    if start in pages:
        road(start_at, (start, False), 0.0)
    if graph.root in pages and graph.root is not None:
        anywhere = [(p, m) for p in pages for m in (False, True)]
        for at in [start_at, *anywhere]:
            source = start if at == start_at else NodeId(at[0])
            road(at, (graph.root, True), Costs().relaunch + fee(source, "launch"))
    for moved in (False, True):
        road((goal, moved), goal_at, 0.0)
    there = goal in pages and nx.has_path(net, start_at, goal_at)
    return float(nx.bellman_ford_path_length(net, start_at, goal_at)) if there else math.inf


def _follow(graph: AppGraph, plan: Plan, start: NodeId) -> None:
    at = start
    for step in plan.steps:
        assert step.source == at
        assert isinstance(step.action, Launch) or step in graph.transitions.values()
        assert not step.hazard
        at = step.target
    assert at == plan.goal


@settings(max_examples=400, deadline=None)
@given(_maps(), st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"), _fees)
def test_every_plan_costs_what_a_second_search_says(
    graph: AppGraph, start: str, goal: str, fees: dict[tuple[str, str], float]
) -> None:
    a, b = NodeId(start), NodeId(goal)
    fee = lambda s, k: fees.get((s, k), 0.0)  # noqa: E731
    plan = ShortestPath().plan(graph, a, b, penalties=fee)
    if a == b and a in graph.nodes:
        assert plan.status is PlanStatus.ALREADY_THERE
        return
    best = _oracle(graph, a, b, fee)
    if math.isinf(best):
        assert plan.status is PlanStatus.UNREACHABLE
        assert plan.bound is None
    else:
        assert plan.status is PlanStatus.OPTIMAL
        assert plan.cost == pytest.approx(best)
        assert plan.bound == plan.cost
        _follow(graph, plan, a)


def test_twelve_strong_hops_do_not_hide_a_weak_shortcut() -> None:
    # A rival's planner settles each page once under a hop limit and so finds no way here.
    chain = [edge(f"n{i}", f"n{i + 1}") for i in range(12)]
    weak = edge("n0", "n12", key="tap:short", tries=9, successes=1)
    graph = chart(*chain, weak, edge("n12", "goal"))
    plan = ShortestPath().plan(graph, NodeId("n0"), NodeId("goal"))
    assert [s.key for s in plan.steps] == ["tap:short", "tap:goal"]


def test_a_hop_limit_keeps_the_dearer_way_that_still_arrives() -> None:
    # A page settled once for the twelve strong hops would never be left by the weak one.
    chain = [edge(f"n{i}", f"n{i + 1}", tries=99, successes=99) for i in range(12)]
    weak = edge("n0", "n12", key="tap:short", tries=99, successes=1)
    graph = chart(*chain, weak, edge("n12", "goal"))
    planner, start, goal = ShortestPath(costs=Costs(miss_cost=9)), NodeId("n0"), NodeId("goal")
    assert len(planner.plan(graph, start, goal).steps) == 13
    assert [s.key for s in planner.plan(graph, start, goal, terms=Terms(hops=12)).steps] == [
        "tap:short",
        "tap:goal",
    ]
    assert planner.plan(graph, start, goal, terms=Terms(hops=1)).status is PlanStatus.UNREACHABLE


def test_alternatives_pass_through_different_pages() -> None:
    twin = edge("a", "b", key="tap:twin")
    graph = chart(edge("a", "b"), twin, edge("a", "c"), edge("b", "d"), edge("c", "d"), edge("b", "c"))
    plans = ShortestPath().alternatives(graph, A, D, k=9)
    assert [p.expected for p in plans] == [(B, D), (C, D), (B, C, D)]
    assert [p.status for p in plans] == [PlanStatus.OPTIMAL, PlanStatus.SATISFICING, PlanStatus.SATISFICING]
    assert all(p.bound == plans[0].cost for p in plans)


@settings(max_examples=200, deadline=None)
@given(_maps(), st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"), st.integers(1, 6))
def test_alternatives_are_the_cheapest_simple_ways(graph: AppGraph, start: str, goal: str, k: int) -> None:
    a, b = NodeId(start), NodeId(goal)
    plans = ShortestPath().alternatives(graph, a, b, k=k)
    every = _simple_ways(graph, a, b)
    if a == b and a in graph.nodes:
        assert [p.status for p in plans] == [PlanStatus.ALREADY_THERE]
        return
    assert [p.cost for p in plans] == pytest.approx(sorted(every.values())[:k])
    assert len({p.expected for p in plans}) == len(plans)
    for plan in plans:
        assert every[plan.expected] == pytest.approx(plan.cost)
        _follow(graph, plan, a)


def _simple_ways(graph: AppGraph, start: NodeId, goal: NodeId) -> dict[tuple[NodeId, ...], float]:
    """Cost every way that passes no page twice, by trying all of them."""
    found: dict[tuple[NodeId, ...], float] = {}
    asked = Asked(graph, start, Goal.either([goal]), Terms(), {}, "plain")

    def walk(state: State, way: tuple[NodeId, ...], cost: float) -> None:
        if way and way[-1] == goal:
            found[way] = min(cost, found.get(way, math.inf))
            return
        for price, onward in following(asked, state, False):
            page = NodeId(onward.page)
            if page != start and page not in way:
                walk(onward, (*way, page), cost + price)

    walk(State(start, False, frozenset(), (), 0), (), 0.0)
    return found


def test_several_pages_are_visited_nearest_first_and_never_called_optimal() -> None:
    graph = chart(edge("a", "b"), edge("b", "a"), edge("a", "c"), edge("c", "d"), edge("d", "b"))
    plan = ShortestPath().plan(graph, A, Goal.every([B, D]))
    assert plan.status is PlanStatus.SATISFICING
    assert plan.bound is not None
    assert plan.bound <= plan.cost
    assert {B, D} <= set(plan.expected)


def test_a_path_search_says_that_it_knows_no_facts() -> None:
    plan = ShortestPath().plan(chart(edge("a", "b")), A, Goal.every([B], ordered=True))
    assert plan.status is PlanStatus.OPTIMAL
    gated = ShortestPath().plan(chart(edge("a", "b")), A, Goal((frozenset({B}),), facts=("signed_in",)))
    assert gated.status is PlanStatus.GAVE_UP
    assert "facts" in gated.reason


def test_waiting_and_age_and_hazards_have_their_price() -> None:
    slow = edge("a", "b", latency=10.0)
    assert Costs(second=0.2).price(slow) == pytest.approx(Costs().price(slow) + 2.0)
    old = edge("a", "b", tries=9, successes=1, last_seen=1.0)
    faded = Costs(ageing=Ageing(now=1.0 + 900.0, half_life=90.0))
    assert faded.chance(old) > Costs().chance(old)
    pay = edge("a", "b", hazard="pay")
    assert Costs().price(pay) == pytest.approx(Costs().price(edge("a", "b")) + Costs().hazard)


def test_what_nobody_saw_is_believed_less_than_what_was_never_tried() -> None:
    claimed = edge("a", "b", tries=0, successes=0, unverified="static")
    assert Costs().chance(claimed) < Costs().chance(edge("a", "b", tries=0, successes=0))


def test_fewer_hops_win_over_better_known_ones() -> None:
    graph = chart(
        edge("a", "b", tries=1, successes=1),
        edge("b", "d", tries=1, successes=1),
        edge("a", "c", tries=99, successes=99),
        edge("c", "b", tries=99, successes=99),
    )
    assert len(ShortestPath().plan(graph, A, D).steps) == 2


def test_an_edge_that_keeps_failing_is_left_for_a_longer_way() -> None:
    bad = edge("a", "d", tries=1, successes=1, failures=5)
    graph = chart(bad, edge("a", "b"), edge("b", "d"))
    assert [s.target for s in ShortestPath().plan(graph, A, D).steps] == [B, D]


def test_the_expected_outcome_of_an_action_is_preferred() -> None:
    rare = edge("a", "d", key="tap:x", tries=10, successes=4)
    usual = edge("a", "b", key="tap:x", tries=10, successes=6)
    plan = ShortestPath().plan(chart(rare, usual, edge("b", "c"), edge("c", "d")), A, D)
    assert [s.target for s in plan.steps] == [B, C, D]


def test_a_rare_outcome_is_a_way_where_it_is_the_only_one() -> None:
    rare = edge("a", "d", key="tap:x", tries=10, successes=4)
    usual = edge("a", "b", key="tap:x", tries=10, successes=6)
    assert [s.target for s in ShortestPath().plan(chart(rare, usual), A, D).steps] == [D]


def test_back_is_dearer_than_a_control_that_is_known_as_well() -> None:
    control = edge("a", "b", tries=2, successes=2)
    back = dataclasses.replace(control, action=Press("back"), key="press:back")
    plan = ShortestPath().plan(chart(back, control), A, B)
    assert [s.key for s in plan.steps] == ["tap:b"]


def test_back_is_trusted_only_until_the_plan_itself_moves_on() -> None:
    # Seen once after c, but here the plan comes to b from a: back would lead to a.
    back = dataclasses.replace(edge("b", "c"), action=Press("back"), key="press:back")
    graph = chart(edge("a", "b"), back, edge("b", "d"), edge("d", "c"))
    assert [s.key for s in ShortestPath().plan(graph, B, C).steps] == ["press:back"]
    assert [s.key for s in ShortestPath().plan(graph, A, C).steps] == ["tap:b", "tap:d", "tap:c"]


def test_an_up_arrow_is_known_by_what_it_does() -> None:
    tree = [edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d"), edge("c", "e")]
    up = [edge(s, t, key="tap:up") for s, t in (("b", "a"), ("c", "a"), ("e", "c"), ("d", "c"))]
    home = [edge(s, "a", key="tap:home") for s in "bcde"]
    assert returning([*tree, *up, *home]) == {"tap:up"}
    # d was left to c, but a plan that comes to d from b can't count on that.
    plan = ShortestPath().plan(chart(*tree, *up), B, NodeId("e"))
    assert [s.key for s in plan.steps] == ["tap:up", "tap:c", "tap:e"]


def test_a_relaunch_opens_a_plan_where_it_is_the_only_way() -> None:
    graph = chart(edge("a", "b"), edge("a", "c"))
    plan = ShortestPath().plan(graph, C, B)
    assert [type(s.action) for s in plan.steps] == [Launch, Tap]
    assert [s.target for s in plan.steps] == [A, B]


def test_a_relaunch_can_be_ruled_out() -> None:
    graph = chart(edge("a", "b"), edge("a", "c"))
    planner = ShortestPath(costs=Costs(relaunch=math.inf))
    assert planner.plan(graph, C, B).status is PlanStatus.UNREACHABLE


def test_an_unknown_page_is_left_by_relaunch() -> None:
    plan = ShortestPath().plan(chart(edge("a", "b")), NodeId("nowhere"), B)
    assert [s.key for s in plan.steps] == ["launch", "tap:b"]


def test_hazards_are_steps_where_they_are_allowed() -> None:
    graph = chart(edge("a", "b", hazard="send"))
    assert ShortestPath(allow_hazards=True).plan(graph, A, B).found


def test_a_map_that_grew_is_planned_on_as_it_is_now() -> None:
    graph = chart(edge("a", "b"), edge("b", "c"), edge("c", "d"))
    planner = ShortestPath()
    assert len(planner.plan(graph, A, D).steps) == 3
    new = edge("a", "d")
    graph.transitions[A, new.key, D] = new
    assert len(planner.plan(graph, A, D).steps) == 1
    graph.transitions[A, new.key, D] = dataclasses.replace(new, successes=0)
    assert len(planner.plan(graph, A, D).steps) == 3
