"""Turn what the page walk reports into a Screen: JSON rows in, Elements out."""

import json
from dataclasses import dataclass, replace
from typing import Any

from waypost.adapters.address import address
from waypost.adapters.roles import ARIA
from waypost.model import Bounds, Element, Role, Screen, TreeQuality

__all__ = ["Foreign", "Page", "graft", "parse", "screen"]

CLICK, LONG, SCROLL, CHECKABLE, CHECKED, SELECTED, FOCUSED, DISABLED, PASSWORD, HIDDEN = (
    1 << n for n in range(10)
)
NOTHING = Bounds(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Page:
    """One walk, read: the elements, and what the document says of itself."""

    elements: tuple[Element, ...]
    url: str
    title: str
    size: tuple[int, int]
    keyboard: bool
    scrollable: bool
    scale: float
    """Device pixels a CSS pixel."""
    canvas: float
    """Share of the view that is drawn by script, 0 to 1."""
    foreign: tuple["Foreign", ...] = ()
    """Frames of another origin, not read yet."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A frame that the walk could not look into."""

    bounds: Bounds
    url: str
    corner: tuple[int, int]
    """Where its content begins, in device pixels; may lie off the screen."""


def parse(text: str, *, frame: Foreign | None = None) -> Page:
    """Read the walk's JSON text; that of a foreign frame is moved to where the frame lies."""
    row = json.loads(text)
    size = (int(row["size"][0]), int(row["size"][1]))
    view = frame.bounds if frame else Bounds(0, 0, *size)
    reader = _Reader(view, frame.corner if frame else (0, 0), [])
    elements = tuple(reader.element(r) for r in row["tree"])
    return Page(
        elements=elements,
        url=row["url"],
        title=row["title"],
        size=size,
        keyboard=bool(row["keyboard"]),
        scrollable=bool(row["scroll"]),
        scale=float(row["k"]),
        canvas=float(row["canvas"]),
        foreign=tuple(reader.foreign),
    )


@dataclass(slots=True)
class _Reader:
    """Reads rows of one frame."""

    view: Bounds
    corner: tuple[int, int]
    foreign: list[Foreign]

    def element(self, row: dict[str, Any]) -> Element:
        """Turn one row, and all that it holds, into an Element."""
        flags = row.get("f", 0)
        x, y = self.corner
        left, top, right, bottom = row["b"]
        bounds = Bounds(left + x, top + y, right + x, bottom + y).clip(self.view)
        visible = not flags & HIDDEN and bounds.area > 0
        if "x" in row and visible:
            url, at_x, at_y = row["x"]
            self.foreign.append(Foreign(bounds, url, (at_x + x, at_y + y)))
        return Element(
            role=role(row),
            class_name=row["g"],
            text=row.get("t", ""),
            description=row.get("d", ""),
            hint=row.get("h", ""),
            resource_id=row.get("i", ""),
            bounds=bounds if visible else NOTHING,
            clickable=bool(flags & CLICK),
            long_clickable=bool(flags & LONG),
            scrollable=bool(flags & SCROLL),
            checkable=bool(flags & CHECKABLE),
            checked=bool(flags & CHECKED),
            selected=bool(flags & SELECTED),
            focused=bool(flags & FOCUSED),
            enabled=not flags & DISABLED,
            password=bool(flags & PASSWORD),
            visible=visible,
            href=row.get("u", ""),
            children=tuple(self.element(c) for c in row.get("c", ())),
        )


def role(row: dict[str, Any]) -> Role:
    """Translate what the walk calls an element.

    >>> role({"r": "link", "g": "a"}), role({"r": "combobox", "g": "input:text"})
    (<Role.LINK: 'link'>, <Role.FIELD: 'field'>)
    >>> role({"r": "", "g": "div", "f": 1, "t": "Send"})
    <Role.BUTTON: 'button'>
    """
    said = row["r"]
    if said == "combobox" and str(row["g"]).startswith("input"):
        return Role.FIELD
    known = ARIA.get(said, Role.GROUP)
    if known is not Role.GROUP or "c" in row:
        return known
    if row.get("f", 0) & CLICK:
        return Role.BUTTON if not said and (row.get("t") or row.get("d")) else known
    return Role.TEXT if row.get("t") else known


def graft(elements: tuple[Element, ...], at: Bounds, inner: tuple[Element, ...]) -> tuple[Element, ...]:
    """Put what a foreign frame holds into the empty frame that lies at `at`."""
    return tuple(_grafted(e, at, inner) for e in elements)


def _grafted(element: Element, at: Bounds, inner: tuple[Element, ...]) -> Element:
    if element.role is Role.WEB and element.bounds == at and not element.children:
        return replace(element, children=inner)
    if not element.children:
        return element
    return replace(element, children=graft(element.children, at, inner))


def screen(page: Page) -> Screen:
    """Make the Screen of one page; frames that nobody could read make it PARTIAL where they are large."""
    app, activity = address(page.url)
    quality = TreeQuality.FULL
    labelled = sum(1 for e in _visible(page.elements) if e.label)
    opaque = sum(f.bounds.area for f in page.foreign)
    if opaque > 0.25 * page.size[0] * page.size[1] or (page.canvas > 0.5 and labelled < 4):
        quality = TreeQuality.PARTIAL
    root = Element(
        role=Role.WEB,
        class_name="html",
        bounds=Bounds(0, 0, *page.size),
        scrollable=page.scrollable,
        children=page.elements,
    )
    return Screen(
        root=root,
        app=app,
        activity=activity,
        title=page.title,
        size=page.size,
        keyboard=page.keyboard,
        quality=quality,
    )


def _visible(elements: tuple[Element, ...]) -> list[Element]:
    return [e for top in elements for e in top.walk() if e.visible]
