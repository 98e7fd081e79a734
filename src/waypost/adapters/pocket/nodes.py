"""The laid-out view tree, not yet clipped and scrolled: what stands where, its paint, what a touch does."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from waypost.adapters.pocket.expr import Row
from waypost.adapters.pocket.spec import Effect, Widget
from waypost.model import Role

__all__ = [
    "CHECKABLE",
    "CHECKED",
    "CLICK",
    "COVERED",
    "DISABLED",
    "FOCUSED",
    "HEIGHT",
    "KEYBOARD",
    "LONG",
    "NAVBAR",
    "PASSWORD",
    "SELECTED",
    "STATUS",
    "WIDTH",
    "Node",
    "Touch",
    "Window",
    "dp",
    "wrap",
]

WIDTH, HEIGHT = 1080, 2400
STATUS, NAVBAR, KEYBOARD = 84, 54, 840
"""Heights of the status bar, the gesture bar and the soft keyboard, in pixels."""

CLICK, LONG, CHECKABLE, CHECKED, SELECTED, FOCUSED, DISABLED, PASSWORD, COVERED = (1 << i for i in range(9))


def dp(size: float) -> int:
    """Density-independent pixels to pixels of this screen."""
    return int(size * 3)


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """What a touch on a node means."""

    op: str = "run"
    """`run` effects, `toggle`, `choose`, `slide`, `focus`, `key`, `nav`, or a system operation."""
    effects: tuple[Effect, ...] = ()
    long: tuple[Effect, ...] = ()
    widget: Widget | None = None
    row: Row | None = None
    value: str = ""
    closes: bool = False
    """Whether the overlay it stands on closes first."""

    @property
    def hazard(self) -> str:
        """Why a tap here may not be undone; empty where it can."""
        if self.widget is None or self.value == "more" or self.op == "focus":
            return ""
        return self.widget.hazard


class Node:
    """One view. `x`, `y` are relative to the parent's content."""

    __slots__ = (
        "children",
        "cls",
        "desc",
        "extent",
        "flags",
        "h",
        "hint",
        "paint",
        "rid",
        "role",
        "scroll",
        "text",
        "touch",
        "w",
        "x",
        "y",
    )

    def __init__(
        self, cls: str, role: Role, box: tuple[int, int, int, int], rid: str = "", paint: tuple[Any, ...] = ()
    ) -> None:
        self.cls = cls
        self.role = role
        self.x, self.y, self.w, self.h = box
        self.rid = rid
        self.paint = paint
        self.text = ""
        self.desc = ""
        self.hint = ""
        self.flags = 0
        self.touch: Touch | None = None
        self.scroll = ""
        """Key of the scroll position: starts with `v` or `h`; empty where it does not scroll."""
        self.extent = 0
        """Length of the content along the scroll, pixels."""
        self.children: list[Node] = []

    def add(self, node: "Node") -> "Node":
        self.children.append(node)
        return node


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """One window: its view tree, and what dims behind it."""

    root: Node
    dims: bool = False
    panel: tuple[int, int, int, int] | None = None
    """Where a layer's own surface is: a touch outside of it means to close it."""


@lru_cache(maxsize=4096)
def wrap(text: str, size: int, width: int) -> tuple[str, ...]:
    """Break a text into lines by estimated advances, so that layout needs no font.

    >>> wrap("a few words", 40, 120)
    ('a few', 'words')
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, used = "", 0.0
        for word in _words(paragraph):
            advance = sum(size if ord(c) > 0x2E7F else 0.53 * size for c in word)
            if line and used + advance - (0.53 * size if word.endswith(" ") else 0) > width:
                lines.append(line.rstrip())
                line, used = "", 0.0
            line += word
            used += advance
        lines.append(line.rstrip())
    return tuple(lines)


def _words(paragraph: str) -> list[str]:
    """Pieces that a line may end after: Latin words with their space, single CJK characters."""
    pieces: list[str] = []
    current = ""
    for c in paragraph:
        if ord(c) > 0x2E7F:
            pieces += [current] if current else []
            pieces.append(c)
            current = ""
        else:
            current += c
            if c == " ":
                pieces.append(current)
                current = ""
    return [*pieces, current] if current else pieces
