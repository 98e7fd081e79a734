"""How far every page is from a group of pages at least: moves in, lower bounds on prices out."""

import math
from collections.abc import Callable
from typing import Any

from waypost.model import AppGraph
from waypost.planning.cost import Costs
from waypost.planning.moves import Moves
from waypost.planning.problem import Problem

__all__ = ["Distances", "Reader", "remaining"]

_FAR = math.inf
_KEPT = 512


class Distances:
    """Dijkstra against the arrows, facts and fees left aside: never more than the true price is found."""

    def __init__(self, moves: Moves) -> None:
        import rustworkx as rx

        self.moves = moves
        self._graph: Any = rx.PyDiGraph()
        self._graph.add_nodes_from(range(len(moves.pages)))
        cheapest: dict[tuple[int, int], int] = {}
        for move in moves.all:
            at = (move.target, move.source)
            if move.source != move.target and move.early < cheapest.get(at, move.early + 1):
                cheapest[at] = move.early
        self._graph.add_edges_from([(a, b, price) for (a, b), price in cheapest.items()])
        self._known: dict[frozenset[int], list[float]] = {}

    def to(self, group: frozenset[int]) -> list[float]:
        """Return the least price from every page to the nearest of `group`, and last from nowhere."""
        known = self._known.get(group)
        if known is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            known = self._known[group] = self._search(group)
        return known

    def _search(self, group: frozenset[int]) -> list[float]:
        import rustworkx as rx

        far = [_FAR] * (len(self.moves.pages) + 1)
        # Page by page, and nothing is added to the graph: plans are made side by side.
        for target in group:
            for page, price in rx.dijkstra_shortest_path_lengths(self._graph, target, float).items():
                far[page] = min(far[page], price)
            far[target] = 0.0
        launch, root = self.moves.relaunch, self.moves.root
        if launch is not None and root is not None:
            anew = launch + far[self.moves.index[root]]
            far = [min(price, anew) for price in far]
        return far


class Reader:
    """Read a map for planning, anew only where it has changed since the last time."""

    def __init__(self, costs: Costs | None, *, allow_hazards: bool, heeds_facts: bool) -> None:
        self.costs = costs or Costs()
        self._allow_hazards, self._heeds_facts = allow_hazards, heeds_facts
        self._last: Distances | None = None

    def read(self, graph: AppGraph) -> Distances:
        if self._last is None or not self._last.moves.shows(graph):
            moves = Moves(graph, self.costs, allow_hazards=self._allow_hazards, heeds_facts=self._heeds_facts)
            self._last = Distances(moves)
        return self._last


def remaining(problem: Problem, distances: Distances) -> Callable[[int, int], float]:
    """Return a lower bound, by page and progress, on what is still to pay; consistent, so a search may close.

    Visiting in any order costs at least the way to the farthest group. In a given order, it costs the
    way to the next group and from each group to the next.
    """
    away = [distances.to(group) for group in problem.groups]
    if not problem.goal.ordered:
        lists: dict[int, list[list[float]]] = {}

        def farthest(page: int, progress: int) -> float:
            left = lists.get(progress)
            if left is None:
                left = lists[progress] = [away[i] for i in problem.lacking(progress)]
            return max((d[page] for d in left), default=0.0)

        return farthest
    tails = [0.0] * (len(away) + 1)
    for i in range(len(away) - 2, -1, -1):
        tails[i] = tails[i + 1] + min((away[i + 1][p] for p in problem.groups[i]), default=_FAR)

    def in_turn(page: int, progress: int) -> float:
        return away[progress][page] + tails[progress] if progress < len(away) else 0.0

    return in_turn
