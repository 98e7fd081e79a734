"""Replies in JSON, however they are wrapped: text in, the objects that hold an action out."""

import math
import re
from typing import Any, TypeAlias

from waypost.actors.replies.said import Do, Drag, Mark, Move, Spot, Unreadable
from waypost.model import Direction, Press, Wait
from waypost.model.replies import all_json_in

__all__ = ["Fields", "drag_of", "fields_in", "number", "press_of", "spoken", "spot", "wait_of"]

Fields: TypeAlias = dict[str, Any]
"""Names in small letters, without underscores."""
_CLOSERS = {"{": "}", "[": "]"}
_SEEN = {"down": Direction.UP, "up": Direction.DOWN, "right": Direction.LEFT, "left": Direction.RIGHT}
_MOST_SECONDS = 10.0


def fields_in(text: str) -> tuple[list[Fields], bool] | Unreadable:
    """Return the objects of a reply in order, and whether they stood there whole.

    A missing end is put there where the last thing said is whole: never within a number or a text.

    >>> fields_in('{"action": "click", "coordinate": [3, 4]')
    ([{'action': 'click', 'coordinate': [3, 4]}], False)
    >>> fields_in('{"action": "click", "coordinate": [3, 4')
    Unreadable(fault='the reply is cut off')
    """
    try:
        return _flat(all_json_in(text)), True
    except ValueError as e:
        fault = str(e)
    mended = _mended(text)
    if "cut off" in fault and mended:
        try:
            return _flat(all_json_in(mended)), False
        except ValueError:
            pass
    return Unreadable(fault)


def _flat(values: list[Any]) -> list[Fields]:
    found: list[Fields] = []
    for value in values:
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                found.append({re.sub(r"[_\s-]", "", str(k)).casefold(): v for k, v in item.items()})
    return found


def _mended(text: str) -> str:
    """Put the missing ends behind a reply that stops after a whole value; empty where it does not."""
    text = re.sub(r"(?:</\w+>|```|<\|[a-z_]+\|>|\s)+$", "", text)
    if not text or text[-1] not in ']}"':
        return ""
    wanted: list[str] = []
    quoted = False
    for i, c in enumerate(text):
        if c == '"' and text[i - 1 : i] != "\\":
            quoted = not quoted
        elif not quoted and c in _CLOSERS:
            wanted.append(_CLOSERS[c])
        elif not quoted and wanted and c == wanted[-1]:
            wanted.pop()
    return text + "".join(reversed(wanted)) if wanted and not quoted and len(wanted) <= 4 else ""


def spot(value: Any) -> Spot | None:
    """Read a point, or the middle of a box, from a list, an object or a text.

    >>> spot([10, 20, 30, 40]), spot({"x": 3, "y": 4}), spot("(5, 6)"), spot([1])
    (Spot(x=20.0, y=30.0), Spot(x=3.0, y=4.0), Spot(x=5.0, y=6.0), None)
    """
    if isinstance(value, dict):
        value = [value.get("x"), value.get("y")]
    if isinstance(value, str):
        value = [float(n) for n in re.findall(r"-?\d{1,9}(?:\.\d{1,9})?", value)]
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    if isinstance(value, list) and len(value) == 2 and all(isinstance(v, list) for v in value):
        value = [*value[0], *value[1]]
    if not isinstance(value, list) or len(value) not in (2, 4):
        return None
    numbers = [number(v) for v in value]
    if any(n is None for n in numbers):
        return None
    told = [n for n in numbers if n is not None]
    return Spot(*told) if len(told) == 2 else Spot((told[0] + told[2]) / 2, (told[1] + told[3]) / 2)


def number(value: Any) -> float | None:
    """Read a number that may stand in quotes; None where it is none, or no finite one.

    >>> number("7"), number(True), number("seven")
    (7.0, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def spoken(fields: Fields, *names: str) -> str:
    """Return the first text among some fields; a number counts as one."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return f"{value}"
    return ""


def press_of(key: str) -> Move | Unreadable:
    """Read the name of a key of the phone."""
    known = re.sub(r"[^a-z]", "", key.casefold()).removeprefix("press").removeprefix("navigate")
    known = known.removeprefix("keyboard").removesuffix("button").removeprefix("keycode")
    if known in ("back", "home", "enter"):
        return Do(Press(known))  # type: ignore[arg-type]
    return Unreadable(f"there is no key {key[:20]!r}; there are back, home and enter")


def drag_of(way: str, start: Spot | Mark | None, *, scroll: bool) -> Move | Unreadable:
    """Read a direction: a scroll says what to see next, a swipe where the finger goes.

    >>> drag_of("down", None, scroll=True)
    Drag(direction=<Direction.UP: 'up'>, start=None, end=None)
    """
    way = way.strip().casefold()
    if way not in _SEEN:
        return Unreadable(f"there is no direction {way[:20]!r}; there are up, down, left and right")
    return Drag(_SEEN[way] if scroll else Direction(way), start)


def wait_of(value: Any) -> Move:
    """Read how long to wait: at least a moment, at most ten seconds."""
    seconds = number(value)
    return Do(Wait(1.0 if seconds is None else min(_MOST_SECONDS, max(0.2, seconds))))
