"""Where a look was placed, and what a step was counted as: the values that a mapper hands out."""

from dataclasses import dataclass

from waypost.model import NodeId
from waypost.protocols import Reason

__all__ = ["Location", "StepSeen"]


@dataclass(frozen=True, slots=True)
class Location:
    """A known page that a look was recognised as."""

    node: NodeId
    confidence: float
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class StepSeen:
    """One step as it was counted, for scoring against a ground truth."""

    seq: int
    source: NodeId
    key: str
    target: NodeId
    before_at: float
    after_at: float
