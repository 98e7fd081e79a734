"""The default planner: a question in, the answer of the cheapest search that is enough for it out."""

import time
from collections.abc import Callable
from dataclasses import replace

from waypost.model import AppGraph, Goal, NodeId, Plan, PlanStatus, Terms
from waypost.planning.cost import Costs
from waypost.planning.downward import binary
from waypost.planning.moves import Penalties
from waypost.planning.pddl import Pddl
from waypost.planning.product import ProductSearch

__all__ = ["BREAK_EVEN", "Staged"]

BREAK_EVEN = 12_000
"""States from which on, with one more for every step of the map, Fast Downward is done sooner than we are:
it has to be told the whole map first (`benchmarks.planning`)."""


class Staged:
    """Our own product-state search, and Fast Downward (where it is installed) for what is too large for it.

    Where it is not installed, our own search goes on to the end, or to the budget of the terms.
    """

    def __init__(
        self,
        *,
        costs: Costs | None = None,
        allow_hazards: bool = False,
        break_even: int = BREAK_EVEN,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._own = ProductSearch(costs=costs, allow_hazards=allow_hazards, clock=clock)
        self._outside = Pddl(costs=costs, allow_hazards=allow_hazards, clock=clock) if binary() else None
        self._break_even = break_even

    def plan(
        self,
        graph: AppGraph,
        start: NodeId,
        goal: NodeId | Goal,
        *,
        penalties: Penalties | None = None,
        terms: Terms | None = None,
    ) -> Plan:
        """Plan; which search answered stands in `Plan.planner`."""
        terms = terms or Terms()
        if terms.budget is not None or self._outside is None:
            return self._own.plan(graph, start, goal, penalties=penalties, terms=terms)
        short = replace(terms, budget=self._break_even + len(graph.transitions))
        plan = self._own.plan(graph, start, goal, penalties=penalties, terms=short)
        if plan.status is not PlanStatus.GAVE_UP:
            return plan
        outside = self._outside.plan(graph, start, goal, penalties=penalties, terms=terms)
        if outside.status is PlanStatus.GAVE_UP:
            # Too large for it in its time: ours has no limit of time.
            return self._own.plan(graph, start, goal, penalties=penalties, terms=terms)
        return outside
