"""How a look was reached, where it was placed, and what a step was counted as: values around a mapper."""

from dataclasses import dataclass

from waypost.model import Action, NodeId
from waypost.protocols import Reason

__all__ = ["Location", "StepSeen", "Way"]


@dataclass(frozen=True, slots=True)
class Way:
    """How a look was reached; empty where nothing is known."""

    source: NodeId | None = None
    action: Action | None = None
    key: str = ""


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
