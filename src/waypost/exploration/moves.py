"""What a policy sees and what it may ask for: `Here` in, a `Move` out."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from waypost.mapping.controls import Control, action_key
from waypost.model import Action, ExploreStop, NodeId, Observation, Press, Transition

__all__ = ["BACK", "Do", "Here", "Move", "Moves", "Policy", "Relaunch"]


@dataclass(frozen=True, slots=True)
class Here:
    """Where exploration stands: always a page of the app; side states are dealt with before."""

    node: NodeId
    observation: Observation
    controls: tuple[Control, ...]
    """What can be done on this very look; nothing that the guard forbids is among it."""
    step: Transition | None = None
    """How the last move was counted; None after a launch, or where nothing could be done."""
    direct: bool = True
    """Whether the last move led here by itself: nothing had to be dismissed, undone or launched."""


@dataclass(frozen=True, slots=True)
class Do:
    """Perform an action that the present look offers, or a system key."""

    action: Action
    key: str


@dataclass(frozen=True, slots=True)
class Relaunch:
    """Stop the app and start it afresh."""


Move: TypeAlias = Do | Relaunch
Moves: TypeAlias = Generator[Move, Here, ExploreStop]

BACK = Do(Press("back"), action_key(Press("back")))


class Policy(Protocol):
    """Picks the next thing to try. Single-use: make a new one for each exploration."""

    def moves(self, here: Here) -> Moves:
        """Yield moves, and be sent where each of them led; return why there is no further one."""
        ...
