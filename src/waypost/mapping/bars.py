"""Bars and sheets that stand out from below the screen: an element in, how to drag it up out."""

from waypost.model import Bounds, Element, Point, Role, Screen

__all__ = ["peeks", "pull"]

_BARS = frozenset({Role.NAVIGATION, Role.TOOLBAR, Role.DIALOG, Role.TABLIST})
_REACH = 0.4
"""Share of the screen's height that a bar is dragged up by."""


def peeks(element: Element, screen: Screen) -> bool:
    """Whether a bar lies at the bottom of the screen with entries below it, and cannot be scrolled.

    >>> shown = Element(Role.LINK, text="Home", clickable=True, bounds=Bounds(0, 2200, 500, 2400))
    >>> below = Element(Role.LINK, text="Help", clickable=True, visible=False)
    >>> bar = Element(Role.NAVIGATION, bounds=Bounds(0, 2200, 1080, 2400), children=(shown, below))
    >>> peeks(bar, Screen(bar))
    True
    """
    width, height = screen.size
    box = element.bounds
    if element.role not in _BARS or not element.visible or not box.area:
        return False
    if box.bottom < height - 4 or box.top < 0.5 * height or box.width < 0.5 * width:
        return False
    parts = list(element.walk())
    if any(e.scrollable for e in parts):
        return False
    entries = [e for e in parts if e.clickable and e.label]
    hidden = [e for e in entries if not e.visible and not e.bounds.area]
    return bool(hidden) and len(hidden) < len(entries)


def pull(box: Bounds, size: tuple[int, int]) -> tuple[Point, Point]:
    """Return start and end of a drag that takes a bar at `box` up by its upper edge.

    >>> pull(Bounds(0, 2200, 1080, 2400), (1080, 2400))
    ((540, 2240), (540, 1280))
    """
    x = box.center[0]
    y = box.top + min(40, box.height // 3)
    return (x, y), (x, max(0, y - round(_REACH * size[1])))
