"""Where a move is meant on this very screen: what a reply said and a look in, an action on an element out."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from waypost.actors.numbering import Numbered
from waypost.actors.replies import Do, Drag, Mark, Move, Spot, Touch, Unreadable, Write
from waypost.mapping.controls import controls
from waypost.mapping.pointing import pointed
from waypost.model import (
    Action,
    Bounds,
    Direction,
    LongPress,
    Point,
    Role,
    Screen,
    Swipe,
    Tap,
    TreeQuality,
    TypeText,
)

__all__ = ["Aimed", "Scale", "Sight", "aimed", "resized"]

_STEP = 28
_LEAST, _MOST = 100 * _STEP * _STEP, 16_384 * _STEP * _STEP
_NEAR = 0.015
"""Share of the screen's width by which a point may miss what it is meant for."""
_SHORTEST = 0.02
"""Share of the screen's height below which a drag is a slip of the finger."""


class Scale(StrEnum):
    """What a model's coordinates count."""

    THOUSAND = "thousand"
    """Thousandths of the screen, whatever its size."""
    PICTURE = "picture"
    """Pixels of the picture as the model sees it, brought to a size of its own."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the model was shown: the screen, the numbers on it, and how it counts points."""

    screen: Screen
    numbered: tuple[Numbered, ...] = ()
    scale: Scale = Scale.THOUSAND


@dataclass(frozen=True, slots=True)
class Aimed:
    action: Action
    doubt: str = ""
    """Why this may not be what was meant, worded for the model; empty where an element bears it out."""
    hazard: str = ""
    """Why it may not be undone; empty where it is harmless."""


_Place: TypeAlias = Point | Unreadable


def resized(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size that models of the Qwen2-VL family bring a picture to: sides in steps of 28 pixels.

    >>> resized((1080, 2400)), resized((100, 100))
    ((1092, 2408), (280, 280))
    """
    width, height = (max(_STEP, round(side / _STEP) * _STEP) for side in size)
    area = size[0] * size[1]
    if width * height > _MOST:
        shrink = (area / _MOST) ** 0.5
        width, height = (max(_STEP, int(side / shrink / _STEP) * _STEP) for side in size)
    elif width * height < _LEAST:
        grow = (_LEAST / area) ** 0.5
        width, height = (-int(-side * grow // _STEP) * _STEP for side in size)
    return width, height


def aimed(move: Move, sight: Sight) -> Aimed | Unreadable:
    """Hold a move against the screen: an element under every point, a field for every text."""
    match move:
        case Do(action=action):
            return Aimed(action)
        case Touch(at=place, hold=hold):
            if isinstance(place, Mark):
                return _marked(place, sight, hold)
            at = _point(place, sight)
            return at if isinstance(at, Unreadable) else _touched(at, sight.screen, hold)
        case Write():
            return _written(move, sight)
        case Drag():
            return _dragged(move, sight)


def _point(spot: Spot, sight: Sight) -> _Place:
    width, height = (1000, 1000) if sight.scale is Scale.THOUSAND else resized(sight.screen.size)
    told = f"({spot.x:g}, {spot.y:g})"
    if 0 <= spot.x <= 1 and 0 <= spot.y <= 1 and (spot.x % 1 or spot.y % 1):
        return Unreadable(f"the point {told} is no pair of whole coordinates, 0 to {width} and 0 to {height}")
    if not (0 <= spot.x <= width and 0 <= spot.y <= height):
        return Unreadable(f"the point {told} lies off the screen: 0 to {width} across, 0 to {height} down")
    across, down = sight.screen.size
    return min(across - 1, int(spot.x * across / width)), min(down - 1, int(spot.y * down / height))


def _touched(at: Point, screen: Screen, hold: bool) -> Aimed:
    action = pointed(LongPress(at) if hold else Tap(at), screen)
    target = getattr(action, "target", None)
    if target is not None:
        return Aimed(action, hazard=target.hazard)
    near = _nearest(at, screen, hold)
    if near is not None:
        return Aimed(near, hazard=near.target.hazard if near.target else "")
    blind = screen.quality is not TreeQuality.FULL
    return Aimed(action, "" if blind else "nothing that can be tapped lies at that point")


def _nearest(at: Point, screen: Screen, hold: bool) -> Tap | LongPress | None:
    """Return what a point just misses; None where that is nothing, or several things."""
    slack = max(1, int(_NEAR * min(screen.size)))
    near = [
        c.action
        for c in controls(screen)
        if isinstance(c.action, Tap)
        and c.action.target is not None
        and _distance(at, c.action.target.bounds) <= slack
    ]
    if len(near) != 1:
        return None
    return LongPress(near[0].at, near[0].target) if hold else near[0]


def _distance(at: Point, box: Bounds) -> int:
    x, y = at
    return max(box.left - x, x - box.right + 1, box.top - y, y - box.bottom + 1, 0)


def _element(mark: Mark, sight: Sight) -> Numbered | Unreadable:
    found = next((n for n in sight.numbered if n.number == mark.number), None)
    if found is None:
        last = len(sight.numbered)
        return Unreadable(f"there is no element {mark.number}; they are numbered 1 to {last}")
    return found


def _marked(mark: Mark, sight: Sight, hold: bool) -> Aimed | Unreadable:
    found = _element(mark, sight)
    if isinstance(found, Unreadable):
        return found
    action = LongPress(found.at, found.target) if hold else Tap(found.at, found.target)
    doubt = "" if found.touched else f"element {mark.number} can be scrolled, not tapped"
    return Aimed(action, doubt, found.target.hazard)


def _written(move: Write, sight: Sight) -> Aimed | Unreadable:
    fields = [n for n in sight.numbered if n.writes]
    match move.at:
        case Mark() as mark:
            found = _element(mark, sight)
            if isinstance(found, Unreadable):
                return found
            if not found.writes:
                return Unreadable(f"element {mark.number} takes no text")
            return Aimed(TypeText(move.text, found.at, found.target, move.submit))
        case Spot() as spot:
            at = _point(spot, sight)
            if isinstance(at, Unreadable):
                return at
            action = pointed(TypeText(move.text, at, submit=move.submit), sight.screen)
            missed = getattr(action, "target", None) is None and sight.screen.quality is TreeQuality.FULL
            return Aimed(action, "no field lies at that point" if missed else "")
    bare = TypeText(move.text, submit=move.submit)
    focused = any(e.focused and e.role is Role.FIELD for e in sight.screen.visible())
    if focused or sight.screen.quality is not TreeQuality.FULL:
        return Aimed(bare)
    if len(fields) == 1:
        # The one field there is must be meant, even though nobody has tapped it.
        return Aimed(replace(bare, at=fields[0].at, target=fields[0].target))
    return Unreadable("no field has the focus; tap the one that is meant first")


def _dragged(move: Drag, sight: Sight) -> Aimed | Unreadable:
    if isinstance(move.start, Mark):
        return _scrolled(move, move.start, sight)
    start = _point(move.start, sight) if move.start is not None else None
    end = _point(move.end, sight) if move.end is not None else None
    for place in (start, end):
        if isinstance(place, Unreadable):
            return place
    if isinstance(start, tuple) and isinstance(end, tuple):
        least = _SHORTEST * sight.screen.size[1]
        if max(abs(end[0] - start[0]), abs(end[1] - start[1])) < least:
            return Unreadable("that drag is too short to move anything")
        return Aimed(Swipe(_way(start, end), start, end))
    direction = move.direction or Direction.UP
    box = _scrolling(start, sight) if isinstance(start, tuple) else None
    return Aimed(Swipe(direction, *_within(box.target.bounds, direction))) if box else Aimed(Swipe(direction))


def _scrolled(move: Drag, mark: Mark, sight: Sight) -> Aimed | Unreadable:
    found = _element(mark, sight)
    if isinstance(found, Unreadable):
        return found
    direction = move.direction or Direction.UP
    return Aimed(Swipe(direction, *_within(found.target.bounds, direction)))


def _scrolling(at: Point, sight: Sight) -> Numbered | None:
    under = [n for n in sight.numbered if n.scrolls and n.target.bounds.contains(*at)]
    return min(under, key=lambda n: n.target.bounds.area, default=None)


def _within(box: Bounds, direction: Direction) -> tuple[Point, Point]:
    """Return a drag over the middle half of a box."""
    (x, y), dx, dy = box.center, box.width // 4, box.height // 4
    match direction:
        case Direction.UP:
            return (x, y + dy), (x, y - dy)
        case Direction.DOWN:
            return (x, y - dy), (x, y + dy)
        case Direction.LEFT:
            return (x + dx, y), (x - dx, y)
        case Direction.RIGHT:
            return (x - dx, y), (x + dx, y)


def _way(start: Point, end: Point) -> Direction:
    dx, dy = end[0] - start[0], end[1] - start[1]
    if abs(dx) > abs(dy):
        return Direction.RIGHT if dx > 0 else Direction.LEFT
    return Direction.DOWN if dy > 0 else Direction.UP
