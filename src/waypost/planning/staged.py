"""The default planner: a question in, the answer of the cheapest search that is enough for it out."""

import time
from collections.abc import Callable

from waypost.model import AppGraph, Goal, NodeId, Plan, PlanStatus, Terms
from waypost.planning.cost import Costs
from waypost.planning.downward import binary
from waypost.planning.moves import Penalties
from waypost.planning.pddl import Pddl
from waypost.planning.product import ProductSearch

__all__ = ["BREAK_EVEN", "Staged"]

BREAK_EVEN = 50_000
"""States from which on Fast Downward, started anew, is done sooner than we are (`benchmarks.planning`)."""


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
        self._short = ProductSearch(costs=costs, allow_hazards=allow_hazards, budget=break_even, clock=clock)

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
        own = self._own if self._outside is None else self._short
        plan = own.plan(graph, start, goal, penalties=penalties, terms=terms)
        limited = terms is not None and terms.budget is not None
        if plan.status is not PlanStatus.GAVE_UP or limited or self._outside is None:
            return plan
        return self._outside.plan(graph, start, goal, penalties=penalties, terms=terms)
