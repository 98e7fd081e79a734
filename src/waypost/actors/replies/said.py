"""A reply, read: the one move it asks for, in the model's own coordinates; or why it cannot be read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from waypost.model import Capture, Direction, Finish, Launch, Press, Wait

__all__ = ["Do", "Drag", "Mark", "Move", "Said", "Spot", "Touch", "Unreadable", "Write", "only", "thought_in"]

_LONGEST = 500
"""Letters of a thought that are kept."""
_TAGS = re.compile(r"</?\w+>|<\|[a-z_]+\|>|```\w*")


@dataclass(frozen=True, slots=True)
class Spot:
    """A point in whatever units the model speaks."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Mark:
    """The number that an element was shown with."""

    number: int


@dataclass(frozen=True, slots=True)
class Touch:
    at: Spot | Mark
    hold: bool = False


@dataclass(frozen=True, slots=True)
class Write:
    text: str
    at: Spot | Mark | None = None
    submit: bool = False


@dataclass(frozen=True, slots=True)
class Drag:
    """Either both points, or a direction, perhaps from a place."""

    direction: Direction | None = None
    start: Spot | Mark | None = None
    end: Spot | None = None


@dataclass(frozen=True, slots=True)
class Do:
    """What needs no place on the screen."""

    action: Press | Launch | Wait | Capture | Finish


Move: TypeAlias = Touch | Write | Drag | Do


@dataclass(frozen=True, slots=True)
class Said:
    move: Move
    thought: str = ""
    more: int = 0
    """Further moves of the same reply, which are left out: what they rest on has not been seen yet."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A reply that says nothing which can be done. Never a claim to be done."""

    fault: str
    """Worded for the model, which is asked again."""


def only(moves: Sequence[Move], thought: str) -> Said | Unreadable:
    """Take the first of several moves; a claim to be done with moves beside it is no claim.

    >>> only([Do(Press("back")), Do(Finish())], "").more
    1
    >>> only([Do(Finish()), Do(Press("back"))], "")
    Unreadable(fault='it says that the task is over and what to do next; only one of them can hold')
    """
    if not moves:
        return Unreadable("it names no action")
    first = moves[0]
    if len(moves) > 1 and _over(first) and any(move != first for move in moves):
        return Unreadable("it says that the task is over and what to do next; only one of them can hold")
    return Said(first, thought, len(moves) - 1)


def _over(move: Move) -> bool:
    return isinstance(move, Do) and isinstance(move.action, Finish)


def thought_in(text: str) -> str:
    r"""Return what a model says beside its action, on one line, without tags and its own headings.

    >>> thought_in("<think>\nThought: the switch\nis off</think>")
    'the switch is off'
    """
    plain = " ".join(_TAGS.sub(" ", text).split())
    plain = re.sub(r"^(?:thought|reason|reflection|think)\s*[:：]\s*", "", plain, flags=re.IGNORECASE)
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"
