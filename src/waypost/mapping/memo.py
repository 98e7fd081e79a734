"""Keep what was worked out about a screen while the screen is at hand: a function in, the same out."""

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from waypost.model import Screen

__all__ = ["per_screen"]

R = TypeVar("R")
_KEPT = 2048
"""Screens a function remembers; one step looks at two or three, each from several sides."""


def per_screen(function: Callable[..., R]) -> Callable[..., R]:
    """Remember a pure function of a screen (and hashable arguments) for the screens seen last.

    By identity: comparing two trees costs more than what is saved, and a kept screen keeps its id.

    >>> calls = []
    >>> count = per_screen(lambda screen: calls.append(screen) or len(calls))
    >>> screen = Screen()
    >>> count(screen), count(screen), count(Screen())
    (1, 1, 2)
    """
    kept: OrderedDict[tuple[Any, ...], tuple[Screen, R]] = OrderedDict()

    @wraps(function)
    def remembering(screen: Screen, *args: Any) -> R:
        key = (id(screen), *args)
        known = kept.get(key)
        if known is None:
            known = kept[key] = (screen, function(screen, *args))
            if len(kept) > _KEPT:
                kept.popitem(last=False)
        else:
            try:  # noqa: SIM105 - asked all the time, and `suppress` costs more than the question
                kept.move_to_end(key)
            except KeyError:
                pass  # Another thread has just dropped it.
        return known[1]

    return remembering
