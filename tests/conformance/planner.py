"""What every planner must do. Subclass, and provide the fixture `planner`."""

import math

from waypost.model import (
    AppGraph,
    Hypernode,
    NodeId,
    PageKind,
    PlanStatus,
    Standing,
    Tap,
    Transition,
    TransitionKind,
)
from waypost.protocols import Planner

__all__ = ["PlannerSuite", "chart", "edge"]


def edge(source: str, target: str, **more: object) -> Transition:
    """Make a well-tried transition whose key names its target."""
    values = {"key": f"tap:{target}", "tries": 9, "successes": 9} | more
    return Transition(NodeId(source), Tap((1, 1)), NodeId(target), **values)  # type: ignore[arg-type]


def chart(*edges: Transition, kinds: dict[str, PageKind] | None = None) -> AppGraph:
    """Make a map of `edges`, rooted at the first one's source."""
    graph = AppGraph("app", root=edges[0].source)
    for step in edges:
        for node in (step.source, step.target):
            graph.nodes[node] = Hypernode(node, kind=(kinds or {}).get(node, PageKind.PAGE))
        graph.transitions[step.source, step.key, step.target] = step
    return graph


class PlannerSuite:
    def test_a_plan_is_a_chain_from_start_to_goal(self, planner: Planner) -> None:
        graph = chart(edge("a", "b"), edge("b", "c"), edge("c", "d"), edge("a", "c"))
        plan = planner.plan(graph, NodeId("a"), NodeId("d"))
        assert plan.found
        assert [s.source for s in plan.steps] == ["a", "c"]
        assert plan.steps[-1].target == plan.goal == "d"

    def test_the_start_is_already_there(self, planner: Planner) -> None:
        plan = planner.plan(chart(edge("a", "b")), NodeId("a"), NodeId("a"))
        assert plan.status is PlanStatus.ALREADY_THERE
        assert plan.steps == ()

    def test_no_way_is_a_value(self, planner: Planner) -> None:
        plan = planner.plan(chart(edge("a", "b"), edge("c", "a")), NodeId("a"), NodeId("c"))
        assert not plan.found
        assert plan.steps == ()

    def test_a_goal_that_is_not_on_the_map_has_no_way(self, planner: Planner) -> None:
        assert not planner.plan(chart(edge("a", "b")), NodeId("a"), NodeId("z")).found

    def test_a_hazardous_action_is_never_a_step(self, planner: Planner) -> None:
        graph = chart(edge("a", "b", hazard="delete"))
        assert not planner.plan(graph, NodeId("a"), NodeId("b")).found

    def test_a_side_state_is_never_a_step(self, planner: Planner) -> None:
        overlay = TransitionKind.OVERLAY
        graph = chart(
            edge("a", "ad", kind=overlay), edge("ad", "b", kind=overlay), kinds={"ad": PageKind.OVERLAY}
        )
        assert not planner.plan(graph, NodeId("a"), NodeId("b")).found

    def test_a_barred_action_is_walked_around(self, planner: Planner) -> None:
        graph = chart(edge("a", "c"), edge("a", "b"), edge("b", "c"))
        plan = planner.plan(
            graph,
            NodeId("a"),
            NodeId("c"),
            penalties=lambda s, k: math.inf if (s, k) == ("a", "tap:c") else 0.0,
        )
        assert [s.target for s in plan.steps] == ["b", "c"]

    def test_an_optimal_plan_shows_its_bound(self, planner: Planner) -> None:
        plan = planner.plan(chart(edge("a", "b")), NodeId("a"), NodeId("b"))
        if plan.status is PlanStatus.OPTIMAL:
            assert plan.bound == plan.cost

    def test_the_same_question_gets_the_same_answer(self, planner: Planner) -> None:
        graph = chart(edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d"))
        plans = [planner.plan(graph, NodeId("a"), NodeId("d")) for _ in range(3)]
        assert plans[0] == plans[1] == plans[2]

    def test_what_is_not_verified_on_this_version_gives_way_to_what_is(self, planner: Planner) -> None:
        doubted = edge("a", "b", standing=Standing.UNKNOWN)
        graph = chart(doubted, edge("b", "d"), edge("a", "c"), edge("c", "d"))
        assert [s.target for s in planner.plan(graph, NodeId("a"), NodeId("d")).steps] == ["c", "d"]

    def test_what_was_found_stale_is_the_last_thing_to_try(self, planner: Planner) -> None:
        stale = edge("a", "d", standing=Standing.STALE)
        graph = chart(stale, edge("a", "b"), edge("b", "c"), edge("c", "d"))
        assert [s.target for s in planner.plan(graph, NodeId("a"), NodeId("d")).steps] == ["b", "c", "d"]
        assert planner.plan(chart(stale), NodeId("a"), NodeId("d")).found
