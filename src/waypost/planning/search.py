"""The cheapest way through pages and facts together: a problem in, a way or the proof that there is none out.

A state is a page, whether the plan has gone forward yet, the facts that hold and the groups visited.
A* with bounds that leave facts and fees aside, so it is Dijkstra where nothing better is known: the first
way taken from the queue is the cheapest, and a queue that runs dry proves that there is none.
"""

import heapq
import math
from dataclasses import dataclass
from typing import TypeAlias

from waypost.model import Plan, PlanStatus, Transition
from waypost.planning.cost import UNIT
from waypost.planning.distances import Distances, remaining
from waypost.planning.problem import Problem

__all__ = ["Found", "answer", "search"]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to: a way, the proof that there is none, or a bound where it stopped early."""

    cost: int | None
    steps: tuple[Transition, ...] = ()
    bound: int = 0
    stopped: bool = False
    looked: int = 0
    """States looked into."""


def answer(found: Found, problem: Problem, planner: str, seconds: float) -> Plan:
    """Word what a complete search came to as a plan."""
    ends = sorted(p for g in problem.goal.groups[-1:] for p in g)
    end = ends[0] if ends else problem.start_page
    if problem.settled:
        return Plan(PlanStatus.ALREADY_THERE, problem.start_page, (), 0.0, 0.0, planner, seconds)
    if found.stopped:
        bound, why = found.bound / UNIT, f"the budget ran out after {found.looked} states"
        return Plan(PlanStatus.GAVE_UP, end, (), 0.0, bound, planner, seconds, why)
    if found.cost is None:
        return Plan(PlanStatus.UNREACHABLE, end, planner=planner, seconds=seconds)
    cost = found.cost / UNIT
    end = found.steps[-1].target if found.steps else problem.start_page
    return Plan(PlanStatus.OPTIMAL, end, found.steps, cost, found.bound / UNIT, planner, seconds)


_State: TypeAlias = tuple[int, bool, int, int]
"""Page, whether the plan has gone forward, facts, progress."""


class _Labels:
    """Ways begun, by number: what they cost, where they are, and the label and step they came from."""

    def __init__(self) -> None:
        self.cost: list[int] = []
        self.hops: list[int] = []
        self.state: list[_State] = []
        self.origin: list[tuple[int, Transition | None]] = []

    def add(self, cost: int, hops: int, state: _State, origin: tuple[int, Transition | None]) -> int:
        self.cost.append(cost)
        self.hops.append(hops)
        self.state.append(state)
        self.origin.append(origin)
        return len(self.cost) - 1

    def way(self, label: int) -> tuple[Transition, ...]:
        steps = []
        while label >= 0:
            label, step = self.origin[label]
            if step is not None:
                steps.append(step)
        return tuple(reversed(steps))


def search(problem: Problem, distances: Distances, *, budget: int | None = None) -> Found:
    """Find the cheapest way, or prove that there is none; gives up after `budget` states."""
    if problem.settled or not all(problem.groups):
        return Found(0 if problem.settled else None)
    return _Search(problem, distances).run(budget)


class _Search:
    def __init__(self, problem: Problem, distances: Distances) -> None:
        self._problem, self._limit = problem, problem.terms.hops
        self._bound = remaining(problem, distances)
        self._labels, self._closed = _Labels(), dict[_State, int]()
        first = self._labels.add(0, 0, (problem.start, problem.moved, problem.held, 0), (-1, None))
        self._queue: list[tuple[float, int]] = [(self._bound(problem.start, 0), -first)]
        """Of ways that promise as much, the youngest first: it is nearest to the end."""

    def run(self, budget: int | None) -> Found:
        labels, looked = self._labels, 0
        while self._queue:
            least, label = heapq.heappop(self._queue)
            label = -label
            if least == math.inf:
                break  # What is left leads nowhere, whatever the facts are.
            if self._known(labels.state[label], labels.hops[label]):
                continue
            state = labels.state[label]
            self._closed[state] = labels.hops[label]
            if self._problem.done(state[3], state[2]):
                cost = labels.cost[label]
                return Found(cost, labels.way(label), cost, looked=looked)
            if budget is not None and looked >= budget:
                return Found(None, bound=int(least), stopped=True, looked=looked)
            looked += 1
            if self._limit is None or labels.hops[label] < self._limit:
                self._expand(label)
        return Found(None, looked=looked)

    def _known(self, state: _State, hops: int) -> bool:
        """Whether a way no dearer has come here with no more hops.

        Only a hop limit lets hops count: a dearer way with fewer may then be the only one to arrive.
        """
        fewest = self._closed.get(state)
        return fewest is not None and (self._limit is None or fewest <= hops)

    def _expand(self, label: int) -> None:
        problem, labels = self._problem, self._labels
        page, moved, facts, progress = labels.state[label]
        hops = labels.hops[label] + 1
        anew = problem.relaunch(page)
        for op in problem.ops(page) if anew is None else [*problem.ops(page), anew]:
            if not op.needs.hold(facts):
                continue
            onward = problem.advanced(progress, op.target)
            there = (op.target, moved or op.onward, facts & op.keep | op.add, onward)
            if not self._known(there, hops):
                cost = labels.cost[label] + (op.late if moved else op.early)
                new = labels.add(cost, hops, there, (label, op.step))
                heapq.heappush(self._queue, (cost + self._bound(op.target, onward), -new))
