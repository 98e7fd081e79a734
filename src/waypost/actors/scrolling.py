"""Look for what is not on the screen: a screen in, the next drag to try out, until nothing moves."""

from itertools import pairwise

from waypost.mapping import foreground
from waypost.mapping.bars import peeks, pull
from waypost.model import Bounds, Direction, Element, Evidence, Screen, Swipe

__all__ = ["Scrolling", "bars", "contents", "scrollables"]

_BACK = {
    Direction.UP: Direction.DOWN,
    Direction.DOWN: Direction.UP,
    Direction.LEFT: Direction.RIGHT,
    Direction.RIGHT: Direction.LEFT,
}


class Scrolling:
    """One search: each list in turn, on to its end and then back to its start.

    Lists that are named among the target's ancestors come first, then the largest. A list is done
    in one direction when a drag changes nothing in it, or after `limit` drags.
    """

    def __init__(self, target: Evidence | None = None, *, limit: int = 20) -> None:
        self._target = target
        self._limit = limit
        self._tried: set[tuple[object, ...]] = set()
        self._at: tuple[object, ...] | None = None
        self._before: tuple[object, ...] | None = None
        self._count = 0
        self.drags = 0

    def next(self, screen: Screen) -> Swipe | None:
        """Return the next drag; None when every list was searched in vain."""
        for box, key, direction in self._lanes(screen):
            lane = (*key, direction)
            if lane in self._tried:
                continue
            seen = contents(screen, box)
            if lane != self._at:
                self._at, self._before, self._count = lane, None, 0
            if seen == self._before or self._count >= self._limit:
                self._tried.add(lane)
                continue
            self._before = seen
            self._count += 1
            self.drags += 1
            if any(box == bar.bounds for bar in bars(screen)):
                start, end = pull(box, screen.size)
                return Swipe(direction, start, end)
            return _drag(box, direction)
        return None

    def _lanes(self, screen: Screen) -> list[tuple[Bounds, tuple[object, ...], Direction]]:
        found: list[tuple[Bounds, tuple[object, ...], Direction]] = []
        up = bars(screen)
        for element in self._order([*scrollables(screen), *up]):
            if any(element is bar for bar in up):
                key = (element.role, element.resource_id, element.bounds.left, element.bounds.width)
                found.append((element.bounds, key, Direction.UP))
                continue
            sideways = _sideways(element)
            on = Direction.LEFT if sideways else Direction.UP
            key = (element.role, element.resource_id, element.bounds.left, element.bounds.width)
            found += [(element.bounds, key, on), (element.bounds, key, _BACK[on])]
        return found

    def _order(self, lists: list[Element]) -> list[Element]:
        named = set(self._target.ancestors) if self._target else set()

        def rank(element: Element) -> tuple[bool, bool, int]:
            mine = bool(
                named
                & {
                    element.resource_id.rsplit("/", 1)[-1],
                    f"{element.role.value} {element.description}".strip(),
                }
            )
            return not mine, _sideways(element), -element.bounds.area

        return sorted(lists, key=rank)


def scrollables(screen: Screen) -> list[Element]:
    """Return what can be scrolled in the active layer; the layer itself where nothing says so."""
    top = foreground(screen)
    found = [
        e for e in top.walk() if e.scrollable and e.visible and min(e.bounds.width, e.bounds.height) >= 40
    ]
    return found or ([top] if top.bounds.area else [])


def bars(screen: Screen) -> list[Element]:
    """Return the bars of the active layer that can be pulled up from below the screen."""
    return [e for e in foreground(screen).walk() if peeks(e, screen)]


def contents(screen: Screen, box: Bounds) -> tuple[object, ...]:
    """Return what is where inside `box`, so that a drag that moved nothing can be told."""
    return tuple(
        (e.label, e.resource_id, e.bounds)
        for e in screen.visible()
        if box.contains(*e.bounds.center) and not e.children
    )


def _sideways(element: Element) -> bool:
    """Whether a list turns sideways: wider than high, and its parts stand abreast."""
    parts = [c.bounds for c in element.children if c.visible and c.bounds.area]
    if len(parts) < 2:
        return element.bounds.height * 3 < element.bounds.width
    abreast = sum(1 for a, b in pairwise(parts) if b.left >= a.right - 2)
    return abreast >= len(parts) - 1


def _drag(box: Bounds, direction: Direction) -> Swipe:
    x, y = box.center
    high, low = box.top + box.height // 5, box.bottom - box.height // 5
    left, right = box.left + box.width // 6, box.right - box.width // 6
    start, end = {
        Direction.UP: ((x, low), (x, high)),
        Direction.DOWN: ((x, high), (x, low)),
        Direction.LEFT: ((right, y), (left, y)),
        Direction.RIGHT: ((left, y), (right, y)),
    }[direction]
    return Swipe(direction, start, end)
