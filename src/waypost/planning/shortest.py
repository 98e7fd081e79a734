"""Shortest way by expected steps: a map, two pages and what failed lately in, a `Plan` out."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from waypost.model import AppGraph, Goal, NodeId, Plan, PlanStatus, Terms, Transition
from waypost.planning.alternatives import alternatives
from waypost.planning.cost import Costs
from waypost.planning.distances import Distances, Reader
from waypost.planning.moves import Penalties, free, returning
from waypost.planning.problem import Problem, aim
from waypost.planning.search import answer, search

__all__ = ["ShortestPath", "returning"]

_NAME = "shortest_path"


class ShortestPath:
    """Take the way with the fewest expected steps (see `Costs`); its plans are optimal by that measure.

    Side states, other apps and hazardous actions are never a step; `allow_hazards` lifts the last.
    A relaunch to the root may be a step, where it is cheaper or the only way. Facts are not looked at:
    every step counts as open. Of several groups the nearest is visited first, which need not be best.
    """

    def __init__(
        self,
        *,
        costs: Costs | None = None,
        allow_hazards: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._reader = Reader(costs, allow_hazards=allow_hazards, heeds_facts=False)
        self._clock = clock

    def plan(
        self,
        graph: AppGraph,
        start: NodeId,
        goal: NodeId | Goal,
        *,
        penalties: Penalties | None = None,
        terms: Terms | None = None,
    ) -> Plan:
        """Plan from `start`, known or not, to `goal`; UNREACHABLE is proven, not given up."""
        began = self._clock()
        distances, goal = self._reader.read(graph), aim(goal)
        problem = Problem(distances.moves, start, goal, terms or Terms(), penalties or free)
        if goal.facts:
            why = "a path search knows no facts; ask a planner that does"
            return Plan(PlanStatus.GAVE_UP, start, planner=_NAME, reason=why)
        if len(goal.groups) > 1:
            plan = _one_by_one(problem, distances)
        else:
            plan = answer(search(problem, distances, budget=problem.terms.budget), problem, _NAME, 0.0)
        return replace(plan, seconds=self._clock() - began)

    def alternatives(
        self,
        graph: AppGraph,
        start: NodeId,
        goal: NodeId,
        *,
        k: int = 3,
        penalties: Penalties | None = None,
        terms: Terms | None = None,
    ) -> tuple[Plan, ...]:
        """Return up to `k` plans, cheapest first, no two through the same pages and none twice through one.

        They are the k cheapest of that kind; fewer are returned only where there are no more.
        """
        distances = self._reader.read(graph)
        problem = Problem(distances.moves, start, aim(goal), terms or Terms(), penalties or free)
        return tuple(_named(alternatives(problem, distances, k)))


def _named(plans: Iterator[Plan]) -> Iterator[Plan]:
    return (replace(plan, planner=_NAME) for plan in plans)


def _one_by_one(problem: Problem, distances: Distances) -> Plan:
    """Visit the nearest group that is left (the next one, where they are ordered) until none is."""
    at, cost, bound, moved = problem.start_page, 0.0, 0.0, False
    back = distances.moves.back
    steps: list[Transition] = []
    left = list(problem.goal.groups)
    while left:
        plans = []
        for group in left[:1] if problem.goal.ordered else left:
            terms = problem.terms
            if terms.hops is not None:
                terms = replace(terms, hops=terms.hops - len(steps))
            asked = (distances.moves, at, Goal((group,)), terms, problem.pricing.penalties)
            one = Problem(*asked, moved=moved)
            plans.append(answer(search(one, distances, budget=terms.budget), one, _NAME, 0.0))
        if not all(plan.found for plan in plans) and problem.terms.hops is None:
            return next(plan for plan in plans if not plan.found)
        reached = [(plan.cost, i) for i, plan in enumerate(plans) if plan.found]
        if not reached:
            why = "no way within the hops that are left after visiting the nearest first"
            return Plan(PlanStatus.GAVE_UP, at, planner=_NAME, reason=why)
        bound = bound or max(plan.cost for plan in plans if plan.found)
        plan = plans[min(reached)[1]]
        left.pop(min(reached)[1])
        steps += plan.steps
        cost += plan.cost
        at = steps[-1].target if steps else at
        moved = moved or any(s.key not in back for s in plan.steps)
        left = [g for g in left if at not in g] if not problem.goal.ordered else left
    if not steps:
        return Plan(PlanStatus.ALREADY_THERE, at, (), 0.0, 0.0, _NAME)
    return Plan(PlanStatus.SATISFICING, at, tuple(steps), cost, bound, _NAME)
