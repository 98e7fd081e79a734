import random
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchmarks.planning_oracle import KINDS, made_up
from benchmarks.planning_speed import made_up as large
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.planner import PlannerSuite, chart, edge
from tests.planning.optimum import planned_at_least_cost
from waypost.model import Goal, NodeId, PlanStatus, Terms
from waypost.planning import Pddl, PddlConfig, ProductSearch, Staged
from waypost.planning.downward import Ending, run_search, translate
from waypost.planning.pddl_text import symbol

A, B, C = (NodeId(x) for x in "abc")


class TestPddl(PlannerSuite):
    @pytest.fixture
    def planner(self) -> Pddl:
        return Pddl()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(KINDS))
def test_fast_downward_finds_what_trying_everything_says(seed: int, kind: str) -> None:
    planned_at_least_cost(Pddl(), seed, kind)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([k for k in KINDS if k not in ("hops", "avoid")]))
def test_the_exported_files_mean_the_same(seed: int, kind: str) -> None:
    asked = made_up(random.Random(seed), kind)
    files = Pddl().export(asked.graph, asked.start, asked.goal)
    solved = run_search(translate(files.domain, files.problem, seconds=30), "blind", seconds=30)
    own = ProductSearch().plan(asked.graph, asked.start, asked.goal)
    assert (solved.ending is Ending.FOUND) is own.found
    if own.found:
        assert solved.cost == round(1000 * own.cost)
        steps = files.read("\n".join(f"({name})" for name in solved.names))
        assert sum(1 for _ in steps) == len(solved.names)


def test_a_search_that_is_not_admissible_is_called_satisficing() -> None:
    graph = chart(edge("a", "b"), edge("b", "c"), edge("a", "c", tries=99, successes=1), edge("c", "b"))
    plan = Pddl(config=PddlConfig(search="lazy")).plan(graph, A, Goal.every([B, C]))
    assert plan.found
    assert plan.bound is not None
    best = Pddl().plan(graph, A, Goal.every([B, C]))
    assert plan.bound <= best.cost <= plan.cost
    assert (plan.status is PlanStatus.OPTIMAL) is (plan.bound == plan.cost)


def test_names_that_look_alike_never_collide() -> None:
    assert symbol("p", 1, "a b") != symbol("p", 2, "a-b")
    graph = chart(edge("a", "b", key="tap:Save!"), edge("a", "c", key="tap:save?"))
    files = Pddl().export(graph, A, C)
    assert "s0-tap-save" in files.domain
    assert "s1-tap-save" in files.domain
    assert files.read("(s1-tap-save)\n; cost = 1")[0].target == C
    with pytest.raises(ValueError, match="no action"):
        files.read("(tap-save)")


def test_files_are_written_where_they_are_wanted_and_nowhere_else(tmp_path: Path) -> None:
    before = set(Path(tempfile.gettempdir()).glob("waypost-plan-*"))
    domain, problem = Pddl().export(chart(edge("a", "b")), A, B).write(tmp_path / "out")
    assert domain.read_text().startswith("(define (domain waypost)")
    assert "(:goal (and" in problem.read_text()
    Pddl().plan(chart(edge("a", "b")), A, B)
    assert set(Path(tempfile.gettempdir()).glob("waypost-plan-*")) <= before


def test_a_time_limit_ends_in_giving_up_with_the_bound() -> None:
    graph = large(300, 0)
    plan = Pddl(config=PddlConfig(seconds=0.001)).plan(graph, NodeId("7"), NodeId("250"))
    assert plan.status is PlanStatus.GAVE_UP
    assert "stopped after" in plan.reason
    assert plan.bound is not None
    assert plan.bound > 0


def test_runs_side_by_side_do_not_see_each_other() -> None:
    graph, planner = large(60, 1), ProductSearch()
    asked = [(NodeId(str(i)), NodeId(str(59 - i))) for i in range(12)]
    with ThreadPoolExecutor(4) as pool:
        plans = list(pool.map(lambda q: Pddl().plan(graph, *q), asked))
    assert [p.cost for p in plans] == [planner.plan(graph, *q).cost for q in asked]


def test_an_answer_is_kept_until_the_map_changes() -> None:
    graph, planner = chart(edge("a", "b"), edge("b", "c")), Pddl()
    first = planner.plan(graph, A, C)
    assert planner.plan(graph, A, C).steps is first.steps
    graph.transitions[A, "tap:c", C] = edge("a", "c")
    assert planner.plan(graph, A, C).expected == ("c",)


def test_the_default_turns_to_fast_downward_where_its_own_search_grows_too_large() -> None:
    graph = large(60, 1)
    goal = Goal.every([NodeId(str(n)) for n in (5, 17, 31, 44, 59)])
    default = Staged(break_even=-len(graph.transitions))
    plan = default.plan(graph, NodeId("0"), goal)
    assert plan.planner == "fast_downward_blind"
    assert plan.cost == ProductSearch().plan(graph, NodeId("0"), goal).cost
    limited = default.plan(graph, NodeId("0"), goal, terms=Terms(budget=20))
    assert limited.status is PlanStatus.GAVE_UP


def test_an_unknown_search_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of blind"):
        PddlConfig(search="ff")
