"""A planner held against trying everything, on one graph that was made up."""

import random

import pytest
from benchmarks.planning_oracle import Asked, least_cost, made_up

from waypost.model import Plan, PlanStatus
from waypost.protocols import Planner

__all__ = ["planned_at_least_cost"]


def planned_at_least_cost(planner: Planner, seed: int, kind: str) -> tuple[Asked, Plan]:
    """Plan, and hold status and cost against the least there is; return what was asked, and the plan."""
    asked = made_up(random.Random(seed), kind)
    plan = planner.plan(asked.graph, asked.start, asked.goal, penalties=asked.fee, terms=asked.terms)
    best = least_cost(asked)
    if best == float("inf"):
        assert plan.status is PlanStatus.UNREACHABLE
    else:
        assert plan.status is (PlanStatus.OPTIMAL if plan.steps else PlanStatus.ALREADY_THERE)
        assert plan.cost == pytest.approx(best)
    return asked, plan
