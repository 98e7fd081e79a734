"""A way through the map, or the plain statement that there is none."""

from dataclasses import dataclass
from enum import StrEnum

from waypost.model.graph import NodeId, Transition

__all__ = ["Plan", "PlanStatus"]


class PlanStatus(StrEnum):
    OPTIMAL = "optimal"
    """`steps` cost the least that any way costs; `bound` proves it."""
    SATISFICING = "satisficing"
    ALREADY_THERE = "already_there"
    UNREACHABLE = "unreachable"
    """Proven: the map has no way."""
    GAVE_UP = "gave_up"
    """The budget ran out first; a way may exist."""


@dataclass(frozen=True, slots=True)
class Plan:
    status: PlanStatus
    goal: NodeId
    steps: tuple[Transition, ...] = ()
    """Each step's `target` is the page expected after it."""
    cost: float = 0.0
    bound: float | None = None
    """Lower bound on the cost of any way; equals `cost` where OPTIMAL."""
    planner: str = ""

    @property
    def found(self) -> bool:
        """Whether following `steps` leads to the goal."""
        return self.status in (PlanStatus.OPTIMAL, PlanStatus.SATISFICING, PlanStatus.ALREADY_THERE)
