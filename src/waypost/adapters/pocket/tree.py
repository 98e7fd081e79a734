"""A laid-out window in, the accessibility tree out, with what can be touched and what can be scrolled."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from waypost.adapters.pocket.nodes import (
    CHECKABLE,
    CHECKED,
    CLICK,
    COVERED,
    DISABLED,
    FOCUSED,
    HEIGHT,
    KEYBOARD,
    LONG,
    PASSWORD,
    SELECTED,
    WIDTH,
    Node,
    Touch,
    Window,
)
from waypost.model import Bounds, Element

__all__ = ["DRAG", "Area", "Surface", "Target", "surface"]

DRAG = 0.65
"""Share of what scrolls that a swipe without points moves."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Target:
    """A touchable part of the screen."""

    box: Box
    touch: Touch
    node: Node


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the screen that scrolls."""

    box: Box
    key: str
    room: int
    """Largest scroll position, pixels."""


@dataclass(slots=True)
class Surface:
    """The top window as seen and touched: targets and areas in drawing order, the last one on top."""

    root: Element = field(default_factory=Element)
    targets: list[Target] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)

    def at(self, x: int, y: int) -> Target | None:
        for target in reversed(self.targets):
            left, top, right, bottom = target.box
            if left <= x < right and top <= y < bottom:
                return target
        return None

    def scrolls(self, x: int, y: int, axis: str) -> Area | None:
        """The innermost thing under a point that scrolls along `axis` (`v` or `h`)."""
        for area in reversed(self.areas):
            left, top, right, bottom = area.box
            if area.key[0] == axis and left <= x < right and top <= y < bottom:
                return area
        return None


def surface(window: Window, scroll: Mapping[str, int], *, keyboard: bool, shift: int = 0) -> Surface:
    """Clip, scroll and flatten a window; `shift` moves it right, as in the middle of an animation."""
    made = Surface()
    bottom = HEIGHT - KEYBOARD if keyboard else HEIGHT
    made.root = _element(made, window.root, (shift, 0), (0, 0, WIDTH, bottom), scroll, True)
    return made


def _element(
    made: Surface, node: Node, origin: tuple[int, int], clip: Box, scroll: Mapping[str, int], seen: bool
) -> Element:
    flags = node.flags
    left, top = origin[0] + node.x, origin[1] + node.y
    right, bottom = left + node.w, top + node.h
    box = (
        left if left > clip[0] else clip[0],
        top if top > clip[1] else clip[1],
        right if right < clip[2] else clip[2],
        bottom if bottom < clip[3] else clip[3],
    )
    seen = seen and not flags & COVERED
    shown = seen and box[2] > box[0] and box[3] > box[1]
    if shown and node.touch is not None:
        made.targets.append(Target(box, node.touch, node))
    inner, inside = (left, top), clip
    if node.scroll:
        at = scroll.get(node.scroll, 0)
        along = node.w if node.scroll[0] == "h" else node.h
        if shown:
            made.areas.append(Area(box, node.scroll, max(0, node.extent - along)))
        inner = (left - at, top) if node.scroll[0] == "h" else (left, top - at)
    if node.extent:
        inside = box if shown else (0, 0, 0, 0)
    children = tuple([_element(made, c, inner, inside, scroll, seen) for c in node.children])
    bounds = Bounds(*box) if shown else _NOWHERE
    if not flags and not node.scroll:
        return Element(
            node.role,
            node.cls,
            node.text,
            node.desc,
            node.hint,
            node.rid,
            bounds,
            visible=shown,
            children=children,
        )
    return Element(
        role=node.role,
        class_name=node.cls,
        text=node.text,
        description=node.desc,
        hint=node.hint,
        resource_id=node.rid,
        bounds=bounds,
        clickable=bool(flags & CLICK),
        long_clickable=bool(flags & LONG),
        scrollable=bool(node.scroll),
        checkable=bool(flags & CHECKABLE),
        checked=bool(flags & CHECKED),
        selected=bool(flags & SELECTED),
        focused=bool(flags & FOCUSED),
        enabled=not flags & DISABLED,
        password=bool(flags & PASSWORD),
        visible=shown,
        children=children,
    )


_NOWHERE = Bounds(0, 0, 0, 0)
