import random

import pytest
from benchmarks.planning_oracle import made_up
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.planner import chart, edge
from waypost.model import AppGraph, Fact, Goal, NodeId, Plan, PlanStatus
from waypost.planning import Costs, ProductSearch, SubgoalConfig, sampled
from waypost.planning.checking import Question, faults


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["plain", "facts"]))
def test_every_sequence_can_be_done_and_never_goes_in_circles(seed: int, kind: str) -> None:
    graph = made_up(random.Random(seed), kind).graph
    for task in sampled(graph, ProductSearch(), random.Random(seed), 3):
        assert 2 <= len(task.pages) <= 5
        assert len(set(task.pages)) == len(task.pages)
        assert [task.steps[n - 1].target for n in task.ends] == list(task.pages)
        done = [(s.source, s.key) for s in task.steps]
        assert len(set(done)) == len(done)
        assert graph.root is not None
        asked = Question(graph.root, Goal.every(task.pages, ordered=True))
        plan = Plan(PlanStatus.SATISFICING, task.pages[-1], task.steps)
        assert not [f for f in faults(graph, asked, plan) if "costs" not in f]


def test_the_same_seed_samples_the_same_tasks() -> None:
    graph = chart(*(edge(f"n{i}", f"n{j}") for i in range(6) for j in range(6) if i != j))
    one, other = ([*sampled(graph, ProductSearch(), random.Random(4), 5)] for _ in range(2))
    assert one == other
    assert len(one) == 5
    assert len({t.pages for t in one}) == 5


def test_a_gate_is_opened_on_the_way_and_stays_open() -> None:
    graph = chart(
        edge("a", "b", effects=("key",)),
        edge("b", "a"),
        edge("a", "c", preconditions=("key",)),
        edge("c", "d"),
    )
    graph.facts["key"] = Fact("key")
    config = SubgoalConfig(fewest=2, most=2, hops=4)
    tasks = [*sampled(graph, ProductSearch(costs=Costs()), random.Random(0), 6, config=config)]
    assert any(t.pages == (NodeId("c"), NodeId("d")) for t in tasks)
    for task in tasks:
        if NodeId("c") in task.pages:
            assert "tap:b" in [s.key for s in task.steps]


@pytest.mark.parametrize("graph", [AppGraph(), chart(edge("a", "b"))])
def test_a_map_too_small_gives_no_task(graph: AppGraph) -> None:
    assert [*sampled(graph, ProductSearch(), random.Random(0), 3)] == []
