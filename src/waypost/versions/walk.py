"""A short walk over steps that are to be taken once each: a graph and where we are in, the next move out.

The shortest walk that covers chosen edges is the rural postman's, which is hard; to take the nearest one
next is within a few per cent of it on maps of apps, where a relaunch is never far.
"""

import heapq
from collections.abc import Collection
from dataclasses import dataclass

from waypost.mapping.standing import forward
from waypost.model import AppGraph, NodeId, Standing, Transition

__all__ = ["Leg", "Walk"]

_BACK, _LAUNCH = 1.0, 3.0
_DOUBT = 0.5
"""Extra for a step that is not known to be live: what is sure is better walked on."""
_STRAY, _STRAYS = 4.0, 5
"""Extra for a step each time that it led elsewhere, and how often it may before it is left alone."""
_TRAIL = 12


@dataclass(frozen=True, slots=True)
class Leg:
    """The next move: a step of the map, else Back, else a relaunch."""

    step: Transition | None = None
    back: bool = False


class Walk:
    """Keeps where Back should lead, and what is not to be walked on any more."""

    def __init__(self, graph: AppGraph) -> None:
        self._graph = graph
        self._barred: set[tuple[NodeId, str]] = set()
        self._trail: list[NodeId] = []
        self._odd: set[NodeId] = set()
        """Pages that Back did not lead from as it should."""
        self._strays: dict[tuple[NodeId, str], float] = {}
        self._left_from: NodeId | None = None
        self._start = graph.root
        self._aim: list[Transition] = []

    def next(self, here: NodeId | None, wanted: Collection[Transition]) -> Leg | None:
        """Choose the first move of the cheapest way to any of the steps; None where none can be reached."""
        goals: dict[NodeId, list[Transition]] = {}
        for t in wanted:
            if (t.source, t.key) not in self._barred:
                goals.setdefault(t.source, []).append(t)
        self._left_from = here
        waiting, count = self._starts(here)
        edges = self._edges()
        done: set[NodeId] = set()
        while waiting:
            cost, _, node, first = heapq.heappop(waiting)
            if node in done:
                continue
            done.add(node)
            if node in goals:
                self._aim = goals[node]
                return first or Leg(min(goals[node], key=lambda t: t.key))
            for t in edges.get(node, ()):
                if t.target not in done:
                    count += 1
                    price = 1.0 + _DOUBT * (t.standing is not Standing.LIVE)
                    price += self._strays.get((t.source, t.key), 0.0)
                    heapq.heappush(waiting, (cost + price, count, t.target, first or Leg(t)))
        return None

    def _starts(self, here: NodeId | None) -> tuple[list[tuple[float, int, NodeId, Leg | None]], int]:
        waiting: list[tuple[float, int, NodeId, Leg | None]] = []
        if here is not None:
            waiting.append((0.0, 0, here, None))
            at = here
            for i, page in enumerate(reversed(self._trail), 1):
                if at in self._odd:
                    break
                waiting.append((_BACK * i, i, page, Leg(back=True)))
                at = page
        if self._start is not None and self._start != here:
            waiting.append((_LAUNCH, len(waiting), self._start, Leg()))
        heapq.heapify(waiting)
        return waiting, len(waiting)

    def _edges(self) -> dict[NodeId, list[Transition]]:
        edges: dict[NodeId, list[Transition]] = {}
        for t in forward(self._graph):
            usable = t.standing is not Standing.STALE and (t.source, t.key) not in self._barred
            if usable and t.successes / max(1, t.tries) >= _LEAST:
                edges.setdefault(t.source, []).append(t)
        return edges

    # What came of the last move.

    def went(self, step: Transition, *, modal: bool) -> None:
        """Note that a step led where it should; `modal`: from a layer, which is gone once it has led on."""
        if step.target in self._trail:
            del self._trail[self._trail.index(step.target) :]
        elif not modal:
            self._trail.append(step.source)
            del self._trail[:-_TRAIL]

    def strayed(self, step: Transition) -> None:
        """Note that a step led elsewhere: Back is not to be relied on, and the step is tried late."""
        self._trail.clear()
        at = (step.source, step.key)
        self._strays[at] = self._strays.get(at, 0.0) + _STRAY
        if self._strays[at] >= _STRAYS * _STRAY:
            self._barred.add(at)

    def returned(self, here: NodeId | None) -> None:
        """Note where Back led."""
        expected = self._trail.pop() if self._trail else None
        if here != expected:
            self._trail.clear()
            if self._left_from is not None:
                self._odd.add(self._left_from)

    @property
    def trail(self) -> list[NodeId]:
        """The pages that Back should lead to, one after the other, the nearest last."""
        return self._trail

    def launched(self, here: NodeId | None) -> None:
        """Note where the app starts: this build need not start where the map does."""
        self._trail.clear()
        self._start = here

    def give_up(self) -> None:
        """Leave alone what was walked to last and is not got at."""
        for step in self._aim:
            self.bar(step)

    def bar(self, step: Transition) -> None:
        """Leave a step alone from now on."""
        self._barred.add((step.source, step.key))


_LEAST = 0.25
"""Share of tries below which a step is not relied on to get anywhere."""
