"""Keep what was worked out about a screen while the screen is at hand: a function in, the same out."""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from weakref import ref

from waypost.model import Screen

__all__ = ["per_screen"]

R = TypeVar("R")
_UNKNOWN: Any = object()
_KEPT = 2048
"""Screens a function remembers at most, of those that somebody holds: a map's looks, a phone of our own."""


def per_screen(function: Callable[..., R]) -> Callable[..., R]:
    """Remember a pure function of a screen (and hashable arguments) for as long as the screen lives.

    By identity: comparing two trees costs more than what is saved, and a living screen keeps its id.
    Looks at a phone are gone a few steps later, and what was worked out of them goes too.

    >>> calls = []
    >>> count = per_screen(lambda screen: calls.append(screen.app) or len(calls))
    >>> screen = Screen()
    >>> count(screen), count(screen), count(Screen())
    (1, 1, 2)
    """
    kept: OrderedDict[tuple[Any, ...], R] = OrderedDict()
    living: dict[int, tuple[ref[Screen], list[tuple[Any, ...]]]] = {}

    def watched(screen: Screen) -> list[tuple[Any, ...]]:
        """Return the keys of a screen, which are forgotten with it."""
        at = id(screen)
        if at not in living:
            living[at] = ref(screen, lambda _: forget(at)), []
        return living[at][1]

    def forget(at: int) -> None:
        for key in living.pop(at)[1]:
            kept.pop(key, None)

    @wraps(function)
    def remembering(screen: Screen, *args: Any) -> R:
        key = (id(screen), *args)
        known = kept.get(key, _UNKNOWN)
        if known is _UNKNOWN:
            made = function(screen, *args)
            if made is not screen:  # What holds the screen itself would keep it alive.
                watched(screen).append(key)
                kept[key] = made
                if len(kept) > _KEPT:
                    kept.popitem(last=False)
            return made
        try:  # noqa: SIM105 - asked all the time, and `suppress` costs more than the question
            kept.move_to_end(key)
        except KeyError:
            pass  # Another thread has just dropped it.
        return cast(R, known)

    return remembering
