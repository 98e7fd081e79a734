"""What can be done to a device: one small class a gesture, matched with `match`, never by a type string."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from waypost.model.screen import Bounds, Role

__all__ = [
    "Action",
    "Capture",
    "Direction",
    "Evidence",
    "Finish",
    "Launch",
    "LongPress",
    "Point",
    "Press",
    "Swipe",
    "Tap",
    "TypeText",
    "Wait",
]

Point: TypeAlias = tuple[int, int]
"""x, y in device pixels."""


class Direction(StrEnum):
    """Where the content is dragged to: UP shows what is further down."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Evidence:
    """How to find an element again: by what it is and is called, by place only as a last resort."""

    role: Role = Role.GROUP
    label: str = ""
    resource_id: str = ""
    class_name: str = ""
    ancestors: tuple[str, ...] = ()
    """Names (id, else role and label) of the named ancestors, nearest first, at most three."""
    index: int = 0
    """Position among the elements of the same role, label, id and ancestors, in tree order."""
    of: int = 1
    """How many such elements there were."""
    href: str = ""
    bounds: Bounds = Bounds(0, 0, 0, 0)
    size: tuple[int, int] = (0, 0)
    """Screen size that `bounds` belong to."""
    template: str = ""
    """Key of the repeated row that the element belongs to; empty outside of lists."""
    hazard: str = ""
    """Why acting on it may not be undone (`pay`, `send`, `delete` ...); empty where harmless."""


@dataclass(frozen=True, slots=True)
class Tap:
    at: Point
    target: Evidence | None = None
    """The element meant: what a route is re-grounded on."""


@dataclass(frozen=True, slots=True)
class LongPress:
    at: Point
    target: Evidence | None = None


@dataclass(frozen=True, slots=True)
class TypeText:
    """Replace the text of a field (the focused one where `at` is None), then verify it."""

    text: str
    at: Point | None = None
    target: Evidence | None = None
    submit: bool = False
    """Press enter afterwards."""


@dataclass(frozen=True, slots=True)
class Swipe:
    """Drag; over the whole screen in `direction` unless both points are given."""

    direction: Direction = Direction.UP
    start: Point | None = None
    end: Point | None = None
    target: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Press:
    key: Literal["back", "home", "enter"]


@dataclass(frozen=True, slots=True)
class Launch:
    """Bring an app to the front as its launcher icon would; its data stay."""

    app: str
    fresh: bool = False
    """Stop it first, so that it starts over; done by `Device.restart`."""


@dataclass(frozen=True, slots=True)
class Wait:
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Capture:
    """Take a screenshot as the user would; changes nothing."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The actor's claim that it has arrived, or that it gives up; a device never sees it."""

    arrived: bool = True
    answer: str = ""


Action: TypeAlias = Tap | LongPress | TypeText | Swipe | Press | Launch | Wait | Capture | Finish
