"""Plan with facts: a map, a start and a goal of any kind in, the cheapest `Plan` that can be done out."""

import time
from collections.abc import Callable

from waypost.model import AppGraph, Goal, NodeId, Plan, Terms
from waypost.planning.cost import Costs
from waypost.planning.distances import Reader
from waypost.planning.moves import Penalties, free
from waypost.planning.problem import Problem, aim
from waypost.planning.search import answer, search

__all__ = ["ProductSearch"]


class ProductSearch:
    """Search pages and facts together; its plans are optimal by `Costs`, and a missing one is proven missing.

    `budget` is the most states it looks into before it gives up, where the terms name none.
    """

    def __init__(
        self,
        *,
        costs: Costs | None = None,
        allow_hazards: bool = False,
        budget: int | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._reader = Reader(costs, allow_hazards=allow_hazards, heeds_facts=True)
        self._budget, self._clock = budget, clock

    def plan(
        self,
        graph: AppGraph,
        start: NodeId,
        goal: NodeId | Goal,
        *,
        penalties: Penalties | None = None,
        terms: Terms | None = None,
    ) -> Plan:
        """Plan from `start`, known or not; a plan that was given up still tells the bound."""
        began = self._clock()
        distances, terms = self._reader.read(graph), terms or Terms()
        problem = Problem(distances.moves, start, aim(goal), terms, penalties or free)
        budget = terms.budget if terms.budget is not None else self._budget
        found = search(problem, distances, budget=budget)
        return answer(found, problem, "product_search", self._clock() - began)
