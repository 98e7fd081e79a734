"""From comparing two looks to sorting many: a matcher and screens in, a page number each out."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import NDArray

from waypost.model import Screen
from waypost.protocols import Comparison, Reason, ScreenMatcher

__all__ = ["KeyMatcher", "Pages", "grouped", "judged", "match_or_add"]


class KeyMatcher(ABC):
    """A matcher that reduces a look to a key: equal keys are one page."""

    name = ""
    """What the key is called in reasons."""

    @abstractmethod
    def key(self, screen: Screen) -> Hashable: ...

    def compare(self, a: Screen, b: Screen) -> Comparison:
        if self.key(a) == self.key(b):
            return Comparison(1.0, (Reason(self.name, 12.0, f"one {self.name}"),))
        return Comparison(0.0, (Reason(self.name, -12.0, f"another {self.name}"),))


def judged(score: float, threshold: float) -> float:
    """Move a score (0 to 1) so that the threshold comes to lie at 0.5, where a comparison is undecided.

    >>> judged(0.8, 0.8), judged(1.0, 0.8), judged(0.4, 0.8), judged(1.0, 1.0)
    (0.5, 1.0, 0.25, 1.0)
    """
    if score >= threshold:
        return 1.0 if threshold >= 1 else min(1.0, 0.5 + 0.5 * (score - threshold) / (1 - threshold))
    # Rounding must not lift what lies just below.
    return min(0.5 * max(score, 0.0) / threshold, 0.5 - 1e-9)


class Pages:
    """Pages that grow by one look at a time (MatchOrAdd: TAG-Nav, App. B.1).

    A look joins the first page of which any look matches it, else it founds one. Where the matcher has
    keys, that is to look the key up, and to join all that are equal.
    """

    def __init__(self, matcher: ScreenMatcher) -> None:
        self._matcher = matcher
        self._by_key: dict[Hashable, int] = {}
        self._pages: list[list[Screen]] = []

    def add(self, screen: Screen) -> int:
        """Return the number of the look's page, from 0."""
        if isinstance(self._matcher, KeyMatcher):
            return self._by_key.setdefault(self._matcher.key(screen), len(self._by_key))
        for number, members in enumerate(self._pages):
            if any(self._matcher.compare(screen, m).same for m in members):
                members.append(screen)
                return number
        self._pages.append([screen])
        return len(self._pages) - 1


def grouped(matcher: ScreenMatcher, screens: Iterable[Screen]) -> list[int]:
    """Return each look's page; looks that are equal are compared with the others once."""
    pages = Pages(matcher)
    known: dict[Screen, int] = {}
    found: list[int] = []
    for screen in screens:
        if screen not in known:
            known[screen] = pages.add(screen)
        found.append(known[screen])
    return found


def match_or_add(same: NDArray[np.bool_]) -> list[int]:
    """Return the pages that `Pages` would make, from a table of which looks match; shape (n, n).

    >>> match_or_add(np.array([[1, 0, 1], [0, 1, 1], [1, 1, 1]], bool))
    [0, 1, 0]
    """
    found = np.zeros(len(same), np.int64)
    count = 0
    for look, row in enumerate(same):
        matched = found[:look][row[:look]]
        found[look] = matched.min() if len(matched) else count
        count += not len(matched)
    return [int(page) for page in found]
