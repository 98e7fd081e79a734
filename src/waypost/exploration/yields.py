"""What an app's controls have brought so far: what was tried in, the odds of an untried one out."""

from collections import Counter
from typing import TypeAlias

from waypost.model import Action

__all__ = ["Yields"]

_HOPE = 4
"""Controls of a sort that count as tried and fruitful before any was: what is new is tried, then judged."""

_Sort: TypeAlias = tuple[str, str, bool]


class Yields:
    """Shares of the controls of a sort that showed something new: optimistic means, learned in each app.

    A sort is what is done, to an element of which role, and whether that is a row of a list. In one app rows
    lead to pages and buttons to nothing, in another one it is the other way round.

    >>> from waypost.model import Press
    >>> yields = Yields()
    >>> yields.odds(Press("back"))
    1.0
    >>> for _ in range(4): yields.tried(Press("back"), paid=False)
    >>> yields.odds(Press("back"))
    0.5
    """

    def __init__(self) -> None:
        self._tried: Counter[_Sort] = Counter()
        self._paid: Counter[_Sort] = Counter()

    def tried(self, action: Action, *, paid: bool) -> None:
        """Take down one try, and whether it showed something new."""
        sort = _sort(action)
        self._tried[sort] += 1
        self._paid[sort] += paid

    def odds(self, action: Action) -> float:
        """Estimate how likely an untried control of that sort is to show something new: above 0, up to 1."""
        sort = _sort(action)
        return (self._paid[sort] + _HOPE) / (self._tried[sort] + _HOPE)


def _sort(action: Action) -> _Sort:
    target = getattr(action, "target", None)
    if target is None:
        return type(action).__name__, "", False
    return type(action).__name__, target.role.value, bool(target.template)
