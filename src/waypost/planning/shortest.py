"""Shortest way by expected steps: a map, two pages and what failed lately in, a `Plan` out."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from waypost.model import (
    AppGraph,
    Launch,
    NodeId,
    PageKind,
    Plan,
    PlanStatus,
    Press,
    Standing,
    Transition,
    TransitionKind,
)
from waypost.planning.cost import Costs

__all__ = ["ShortestPath", "returning"]

Penalties: TypeAlias = Callable[[NodeId, str], float]


@dataclass(frozen=True, slots=True)
class _Edge:
    step: Transition
    price: float


class _Net:
    """The part of a map that a route may use, as a rustworkx graph.

    Each page is there twice: before and after the first step forward. What leads back to where one
    came from holds only until the plan itself moves on, and never on the root.
    """

    def __init__(self, graph: AppGraph, costs: Costs, *, allow_hazards: bool) -> None:
        import rustworkx as rx

        self.transitions = list(graph.transitions.values())
        self.pages = _pages(graph)
        self._graph: Any = rx.PyDiGraph()
        routable = [node for node, kind in self.pages if kind is PageKind.PAGE]
        self._index = {
            (node, moved): self._graph.add_node(node) for node in routable for moved in (False, True)
        }
        expected = _expected(self.transitions)
        self._returning = returning(self.transitions)
        for step in sorted(self.transitions, key=lambda t: (t.source, t.key, t.target)):
            if self._usable(step, allow_hazards):
                usual = expected[step.source, step.key] == step.target
                self._add(step, costs, usual, graph.root)

    def _add(self, step: Transition, costs: Costs, usual: bool, root: NodeId | None) -> None:
        back = step.key in self._returning
        for moved in (False, True):
            trusted = usual and not (back and (moved or step.source == root))
            edge = _Edge(step, costs.price(step, expected=trusted))
            after = moved or not back
            self._graph.add_edge(self._index[step.source, moved], self._index[step.target, after], edge)

    def shows(self, graph: AppGraph) -> bool:
        """Whether nothing that matters here has changed on the map."""
        # Lists compare by identity first, so an unchanged map costs one quick pass.
        return self.transitions == list(graph.transitions.values()) and self.pages == _pages(graph)

    def _usable(self, step: Transition, allow_hazards: bool) -> bool:
        if step.source == step.target or not self._has(step.source) or not self._has(step.target):
            return False
        if step.kind is TransitionKind.OVERLAY or isinstance(step.action, Launch):
            return False
        return allow_hazards or not _hazardous(step)

    def _has(self, node: NodeId) -> bool:
        return (node, True) in self._index

    def way(
        self, start: NodeId, goal: NodeId, penalty: Penalties, *, moved: bool
    ) -> tuple[float, tuple[Transition, ...]]:
        """Return the cheapest way and its cost; infinite where there is none."""
        if not self._has(start) or not self._has(goal):
            return math.inf, ()
        if start == goal:
            return 0.0, ()
        import rustworkx as rx

        def price(edge: _Edge) -> float:
            return edge.price + max(0.0, penalty(edge.step.source, edge.step.key))

        found = rx.dijkstra_shortest_paths(self._graph, self._index[start, moved], weight_fn=price)
        ends = [self._index[goal, m] for m in (False, True)]
        ways = [self._edges(list(found[end]), price) for end in ends if end in found]
        return min(
            ((sum(map(price, way)), tuple(e.step for e in way)) for way in ways),
            key=_first,
            default=(math.inf, ()),
        )

    def _edges(self, hops: list[int], price: Callable[[_Edge], float]) -> list[_Edge]:
        return [
            min(self._graph.get_all_edge_data(u, v), key=lambda e: (price(e), e.step.key))
            for u, v in pairwise(hops)
        ]


def _first(way: tuple[float, tuple[Transition, ...]]) -> float:
    return way[0]


class ShortestPath:
    """Take the way with the fewest expected steps (see `Costs`); its plans are optimal by that measure.

    Side states, other apps and hazardous actions are never a step; `allow_hazards` lifts the last.
    A relaunch to the root may open a plan, where it is cheaper or the only way.
    """

    def __init__(self, *, costs: Costs | None = None, allow_hazards: bool = False) -> None:
        self._costs = costs or Costs()
        self._allow_hazards = allow_hazards
        self._net: _Net | None = None

    def plan(
        self,
        graph: AppGraph,
        start: NodeId,
        goal: NodeId,
        *,
        penalties: Penalties | None = None,
    ) -> Plan:
        """Plan from `start`, known or not, to `goal`; UNREACHABLE is proven, not given up."""
        if start == goal and goal in graph.nodes:
            return Plan(PlanStatus.ALREADY_THERE, goal, bound=0.0, planner="shortest_path")
        if self._net is None or not self._net.shows(graph):
            self._net = _Net(graph, self._costs, allow_hazards=self._allow_hazards)
        penalty = penalties or _none
        cost, steps = self._net.way(start, goal, penalty, moved=False)
        if graph.root is not None and start != graph.root:
            launch = Transition(
                start,
                Launch(graph.app, fresh=True),
                graph.root,
                "launch",
                TransitionKind.SYSTEM,
                tries=0,
                successes=0,
            )
            fresh, onward = self._net.way(graph.root, goal, penalty, moved=True)
            fresh += self._costs.price(launch) + max(0.0, penalty(start, launch.key))
            if fresh < cost:
                cost, steps = fresh, (launch, *onward)
        if math.isinf(cost):
            return Plan(PlanStatus.UNREACHABLE, goal, planner="shortest_path")
        return Plan(PlanStatus.OPTIMAL, goal, steps, cost, cost, "shortest_path")


def _none(source: NodeId, key: str) -> float:
    return 0.0


def _pages(graph: AppGraph) -> list[tuple[NodeId, PageKind]]:
    return [(n.id, n.kind) for n in graph.nodes.values()]


def returning(transitions: Iterable[Transition]) -> frozenset[str]:
    """Name the actions that lead to where one came from: Back, and what behaves like it in this app.

    A control that bears one name on several pages and leads to another page from each, nearly always
    to one that leads on to it, is an "up" arrow, whatever it is called. A home button leads to one page.
    """
    transitions = list(transitions)
    ahead = {(t.source, t.target) for t in transitions}
    by_key: dict[str, list[Transition]] = {}
    for step in transitions:
        if step.source != step.target:
            by_key.setdefault(step.key, []).append(step)
    return frozenset(
        key
        for key, steps in by_key.items()
        if steps[0].action == Press("back")
        or (
            len({t.source for t in steps}) >= 3
            and len({t.target for t in steps}) >= 2
            and sum((t.target, t.source) in ahead for t in steps) >= 0.75 * len(steps)
        )
    )


def _hazardous(step: Transition) -> bool:
    target = getattr(step.action, "target", None)
    return bool(step.hazard or (target is not None and target.hazard))


def _expected(transitions: list[Transition]) -> dict[tuple[NodeId, str], NodeId]:
    """Name for each action the outcome to expect: best record, then latest seen."""
    best: dict[tuple[NodeId, str], Transition] = {}
    for step in transitions:
        rival = best.get((step.source, step.key))
        if rival is None or _record(step) > _record(rival):
            best[step.source, step.key] = step
    return {at: step.target for at, step in best.items()}


def _record(step: Transition) -> tuple[bool, float, float, str]:
    return step.standing is not Standing.STALE, step.reliability, step.last_seen, step.target
