"""One run of an actor, from first look to last."""

from dataclasses import dataclass
from enum import StrEnum

from waypost.model.action import Action
from waypost.model.anchor import Anchor
from waypost.model.graph import NodeId
from waypost.model.screen import Observation
from waypost.model.task import Task

__all__ = ["Decision", "Episode", "Step", "StopReason"]


class StopReason(StrEnum):
    """Why a run ended. Only ARRIVED goes with a verified arrival."""

    ARRIVED = "arrived"
    """The actor claimed to have arrived, and a fresh look agrees."""
    FALSE_CLAIM = "false_claim"
    """The actor claimed to have arrived, and a fresh look disagrees."""
    UNVERIFIED = "unverified"
    """The actor claimed to have arrived, and nothing could check it."""
    NOT_ON_MAP = "not_on_map"
    """The memory knows no such page; nothing was done."""
    GAVE_UP = "gave_up"
    """The actor said that it cannot get there."""
    OUT_OF_STEPS = "out_of_steps"
    LOOP = "loop"
    DEVICE_LOST = "device_lost"
    UNKNOWN = "unknown"
    """A recording was asked for what was never tried on it."""
    REPLY_BROKEN = "reply_broken"
    """A model's reply could not be used; never a success."""

    @property
    def may_teach(self) -> bool:
        """Whether a run that ended so may change what is known: nothing contradicted its claim."""
        return self in (StopReason.ARRIVED, StopReason.UNVERIFIED)


@dataclass(frozen=True, slots=True)
class Decision:
    action: Action
    thought: str = ""
    expected: NodeId | None = None
    """The page that the actor expects to see next, where it plans on a map."""


@dataclass(frozen=True, slots=True)
class Step:
    observation: Observation
    """What was seen before the action."""
    decision: Decision
    at: NodeId | None = None
    """The page that was recognised before the action; None where unknown or no map is used."""


@dataclass(frozen=True, slots=True)
class Episode:
    task: Task
    steps: tuple[Step, ...]
    final: Observation | None
    stop: StopReason
    claimed: bool = False
    """The actor said that it arrived."""
    verified: bool = False
    """A fresh look, after the claim, showed the destination."""
    page: NodeId | None = None
    """The page that the last look was recognised as."""
    model_calls: int = 0
    note: str = ""
    """Why it ended as it did, in words: the actor's own, or what broke."""
    goal: NodeId | None = None
    """The page that the actor set out for, where it goes by a map."""
    anchors: tuple[Anchor, ...] = ()
    """What the actor remembered inside of the task, with what ended each."""

    @property
    def actions(self) -> int:
        """Actions that the device performed."""
        return sum(1 for s in self.steps if type(s.decision.action).__name__ != "Finish")
