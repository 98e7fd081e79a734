"""minimap's identity: how much two looks share of selectors, short texts and roles."""

import re
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass

from waypost.matchers.grouping import judged
from waypost.matchers.reading import Kept
from waypost.model import Element, Role, Screen
from waypost.protocols import Comparison, Reason

__all__ = ["WeightedSetMatcher"]

_SHORT = 48
_TIME = re.compile(r"\d{1,2}:\d{2}")
_PRIVATE = re.compile(r"\S+@\S+\.\w+|\d[\d\s().-]{5,}\d|\b(?=\w*\d)(?=\w*[a-z])\w{20,}\b", re.IGNORECASE)
"""E-mail addresses, seven digits and more (grouped or not), and long mixes of letters and digits."""
_TYPED = (Role.FIELD,)


@dataclass(frozen=True, slots=True)
class _Sets:
    selectors: frozenset[str]
    texts: frozenset[str]
    roles: Counter[str]


class WeightedSetMatcher:
    """0.55 selectors, 0.30 short texts, 0.10 roles, 0.05 counts of roles; 0.80 and more is one place.

    Each share is the mean of Jaccard index and containment; what is private or a time is left out, and
    the activity plays no part. Its authors set 0.80 from one app. A look that matches becomes a variant of
    the place, as `Pages` does it. Source: FIELD.md, 3.1.
    """

    def __init__(self, threshold: float = 0.80, *, kept: int = 4096) -> None:
        """`kept` is how many looks it remembers what it read of."""
        self.threshold = threshold
        self._sets = Kept(_read, kept)

    def compare(self, a: Screen, b: Screen) -> Comparison:
        if a.app != b.app:
            return Comparison(0.0, (Reason("app", -12.0, f"another app: {a.app!r} and {b.app!r}"),))
        one, other = self._sets(a), self._sets(b)
        shares = (
            ("selectors", 0.55, _share(one.selectors, other.selectors)),
            ("texts", 0.30, _share(one.texts, other.texts)),
            ("roles", 0.10, _share(one.roles.keys(), other.roles.keys())),
            ("counts", 0.05, _counts(one.roles, other.roles)),
        )
        score = sum(weight * share for _, weight, share in shares)
        # Of weight in favour is what is shared beyond the threshold.
        reasons = tuple(Reason(n, w * (s - self.threshold), f"{s:.0%} of {n} shared") for n, w, s in shares)
        return Comparison(judged(score, self.threshold), reasons)


def _read(screen: Screen) -> _Sets:
    seen = list(screen.visible())
    selectors = {f"id:{e.resource_id}" for e in seen if e.resource_id}
    selectors |= {f"desc:{e.description}" for e in seen if _static(e.description)}
    texts = frozenset(e.text for e in seen if _static(e.text) and not _typed(e))
    return _Sets(frozenset(selectors), texts, Counter(e.role.value for e in seen))


def _static(text: str) -> bool:
    return 0 < len(text) <= _SHORT and not _TIME.search(text) and not _PRIVATE.search(text)


def _typed(element: Element) -> bool:
    return element.role in _TYPED or element.password


def _share(a: Set[str], b: Set[str]) -> float:
    """Return the mean of Jaccard index and containment; 1 where both are empty."""
    if not a or not b:
        return 1.0 if not a and not b else 0.0
    both = len(a & b)
    return 0.5 * both / len(a | b) + 0.5 * both / min(len(a), len(b))


def _counts(a: Counter[str], b: Counter[str]) -> float:
    most = sum((a | b).values())
    return sum((a & b).values()) / most if most else 1.0
