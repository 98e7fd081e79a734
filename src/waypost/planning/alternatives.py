"""Several ways that really differ: a problem in, plans through different pages out, cheapest first.

Yen's algorithm over pages, with A* for the spurs: parallel controls between two pages are one road, so
that two plans never differ in a button alone.
"""

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass

from waypost.model import Plan, PlanStatus, Transition
from waypost.planning.cost import UNIT
from waypost.planning.distances import Distances
from waypost.planning.problem import Op, Problem

__all__ = ["alternatives"]


@dataclass(frozen=True, slots=True)
class _Way:
    """A way through pages, no page twice; the first is where it starts."""

    pages: tuple[int, ...]
    steps: tuple[Transition, ...]
    costs: tuple[int, ...]
    """By step."""
    moved: tuple[bool, ...]
    """By page: whether the plan had gone forward when it came there."""

    @property
    def cost(self) -> int:
        return sum(self.costs)


def alternatives(problem: Problem, distances: Distances, k: int) -> Iterator[Plan]:
    """Yield up to `k` plans for a goal of one group. Each costs no less than the one before."""
    if problem.settled:
        yield Plan(PlanStatus.ALREADY_THERE, problem.start_page, bound=0.0)
        return
    (group,) = problem.groups
    away = distances.to(group)
    begin = _Way((problem.start,), (), (), (False,))
    found: list[_Way] = []
    waiting: list[tuple[int, tuple[int, ...], _Way]] = []
    known: set[tuple[int, ...]] = set()

    def offer(root: _Way, barred: frozenset[int]) -> None:
        way = _spur(problem, away, root, barred)
        if way is not None and way.pages not in known:
            known.add(way.pages)
            heapq.heappush(waiting, (way.cost, way.pages, way))

    offer(begin, frozenset())
    while waiting and len(found) < k:
        cost, _, way = heapq.heappop(waiting)
        found.append(way)
        end = way.steps[-1].target
        # Nothing cheaper is left that was not yielded, so the cost is its own bound among what differs.
        status = PlanStatus.OPTIMAL if len(found) == 1 else PlanStatus.SATISFICING
        bound = found[0].cost / UNIT
        yield Plan(status, end, way.steps, cost / UNIT, bound)
        for i in range(len(way.steps)):
            root = _Way(way.pages[: i + 1], way.steps[:i], way.costs[:i], way.moved[: i + 1])
            after = {w.pages[i + 1] for w in found if w.pages[: i + 1] == root.pages and len(w.pages) > i + 1}
            offer(root, frozenset(after))


def _roads(problem: Problem, page: int, moved: bool) -> dict[tuple[int, bool], tuple[int, Op]]:
    """Return the cheapest way to each next page; what goes forward and what goes back are kept apart."""
    roads: dict[tuple[int, bool], tuple[int, Op]] = {}
    anew = problem.relaunch(page)
    for op in problem.ops(page) if anew is None else [*problem.ops(page), anew]:
        price, at = op.late if moved else op.early, (op.target, moved or op.onward)
        if at not in roads or price < roads[at][0]:
            roads[at] = (price, op)
    return roads


def _spur(problem: Problem, away: list[float], root: _Way, barred: frozenset[int]) -> _Way | None:
    """Find the cheapest way on from the end of `root` that enters none of its pages, nor `barred` first."""
    used, first, limit = frozenset(root.pages), root.pages[-1], problem.terms.hops
    (group,) = problem.groups
    count = 0
    queue: list[tuple[float, int, int, _Way]] = [(away[first], 0, 0, root)]
    closed: dict[tuple[int, bool], int] = {}
    while queue:
        _, _, cost, way = heapq.heappop(queue)
        page, moved, hops = way.pages[-1], way.moved[-1], len(way.steps)
        if page in group:
            return way
        if closed.get((page, moved), hops + 1) <= hops or (limit is None and (page, moved) in closed):
            continue
        closed[page, moved] = hops
        if limit is not None and hops >= limit:
            continue
        for (target, after), (price, op) in sorted(_roads(problem, page, moved).items(), key=_road):
            if target in way.pages or target in used or (page == first and target in barred):
                continue
            if away[target] == math.inf:
                continue
            onward = _Way(
                (*way.pages, target), (*way.steps, op.step), (*way.costs, price), (*way.moved, after)
            )
            count += 1
            heapq.heappush(queue, (cost + price + away[target], count, cost + price, onward))
    return None


def _road(road: tuple[tuple[int, bool], tuple[int, Op]]) -> tuple[int, int, str]:
    (target, _), (price, op) = road
    return price, target, op.step.key
