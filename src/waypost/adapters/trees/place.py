"""Places as dumps write them in, bounds on the screen out."""

import re
from typing import Any

from waypost.adapters.trees.node import Box
from waypost.model import Bounds

__all__ = ["box_of", "placed"]

_NOWHERE = Bounds(0, 0, 0, 0)
_NUMBER = r"\s*(-?\d+)(?:\.\d+)?\s*"
_PAIRS = re.compile(rf"\[{_NUMBER},{_NUMBER}\]\s*\[{_NUMBER},{_NUMBER}\]")
_FAR = 1_000_000
"""No screen is wider: numbers beyond are cut, so that none grows without end."""


def box_of(given: Any) -> Box | None:
    """Read `[l,t][r,b]`, or a pair of pairs; None where it is no place.

    >>> box_of("[-10,5][2000,50]"), box_of([[1, 2], [3, 4]]), box_of("here")
    ((-10, 5, 2000, 50), (1, 2, 3, 4), None)
    """
    if isinstance(given, str):
        found = _PAIRS.fullmatch(given.strip())
        # A number of a thousand digits is no place either, and slow to read.
        numbers: list[Any] = [n[:9] for n in found.groups()] if found else []
    else:
        try:
            (left, top), (right, bottom) = given
        except (TypeError, ValueError):
            return None
        numbers = [left, top, right, bottom]
    return numbered(numbers)


def numbered(numbers: list[Any]) -> Box | None:
    """Make a box of four numbers; None unless they are."""
    try:
        whole = [max(-_FAR, min(_FAR, int(n))) for n in numbers]
    except (TypeError, ValueError, OverflowError):
        return None
    return (whole[0], whole[1], whole[2], whole[3]) if len(whole) == 4 else None


def placed(box: Box | None, size: tuple[int, int]) -> Bounds:
    """Clip a box to the screen; one that is missing, inverted or empty becomes the empty bounds.

    >>> placed((-10, 5, 2000, 50), (1080, 2400))
    Bounds(left=0, top=5, right=1080, bottom=50)
    >>> placed((9, 9, 3, 3), (1080, 2400)).area
    0
    """
    if box is None:
        return _NOWHERE
    left, top, right, bottom = box
    if right <= left or bottom <= top:
        return _NOWHERE
    return Bounds(left, top, right, bottom).clip(Bounds(0, 0, *size))
