"""Whether an action changed anything that can be seen: two screens in, the answer out."""

import re

from waypost.model import Screen

__all__ = ["look_key", "same_look"]

_CLOCK = re.compile(r"\b\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?\b")


def look_key(screen: Screen) -> int:
    """Return what equal looks share within one run of the program; the time of day is left out."""
    shown = tuple(
        (e.role, e.resource_id, _CLOCK.sub("", e.label), e.checked, e.selected, e.focused, e.bounds)
        for e in screen.visible()
    )
    return hash((screen.app, screen.activity, screen.overlay, screen.keyboard, screen.quality, shown))


def same_look(a: Screen, b: Screen) -> bool:
    """Tell whether two screens show the same.

    >>> same_look(Screen(app="a"), Screen(app="a")), same_look(Screen(app="a"), Screen(app="b"))
    (True, False)
    """
    return look_key(a) == look_key(b)
