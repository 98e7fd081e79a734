"""Sort looks into pages, however they were reached: screens in, a page number each out."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from waypost.mapping.kinds import listed_together, one_kind
from waypost.mapping.knowledge import Knowledge
from waypost.mapping.match import Leaning, compare
from waypost.mapping.overlays import side_state
from waypost.mapping.signature import Signature, signature
from waypost.model import Screen

__all__ = ["blank", "cluster"]

_SAME = 0.5
_APART = 0.007
"""Score below which two looks are certainly two pages: log-odds of -5."""
_LEAST = 0.4
"""What few other pages have that two items of one list must share."""
_PICTURED = 0.94
"""Cosine of edge sketches from which two pictures are one page; of web apps, 97 in 100 were."""
_PARTED = 0.25
"""Share of pairs that may be certainly apart in two groups that are one."""


def blank(screen: Screen) -> bool:
    """Whether a look's tree has nothing to recognise it by, so that only its picture tells."""
    return signature(screen).empty


def cluster(
    screens: Sequence[Screen], app: str, sketches: Sequence[NDArray[np.float32] | None] = ()
) -> list[int | None]:
    """Return each look's page, numbered from 0; None for side states and other apps.

    Looks with equal static evidence are taken together first; then the most alike groups are joined,
    as long as the looks of either are like some look of the other. A look without a tree is of the page
    that its picture is most like: `sketches` are unit vectors of the pictures, where there are some.
    """
    read: dict[int, Signature] = {
        i: signature(s) for i, s in enumerate(screens) if side_state(s, app) is None
    }
    drawn = {i: s for i, s in enumerate(sketches) if s is not None and i in read}
    blind = {i for i in drawn if read[i].empty}
    groups: dict[str, list[int]] = {}
    for i, s in read.items():
        if i not in blind:
            groups.setdefault(s.digest, []).append(i)
    kinds = [read[members[0]] for members in groups.values()]
    pages = list(range(len(kinds)))
    # What is common to many pages is known better once the looks of one page count as one.
    for _ in range(2):
        pages = _join(kinds, _knowledge(kinds, pages))
    found: list[int | None] = [None] * len(screens)
    for page, members in zip(pages, groups.values(), strict=True):
        for i in members:
            found[i] = page
    for i in sorted(blind):
        place = read[i].route
        near = {k: s for k, s in drawn.items() if not place or read[k].route in ("", place)}
        found[i] = _pictured(i, near, found)
    return found


def _pictured(look: int, drawn: dict[int, NDArray[np.float32]], found: Sequence[int | None]) -> int:
    """Return the page of the look whose picture is most like this one; a new page where none is."""
    others = [i for i in drawn if found[i] is not None]
    likeness = [float(drawn[look] @ drawn[i]) for i in others]
    best = max(range(len(others)), key=likeness.__getitem__, default=None)
    if best is not None and likeness[best] >= _PICTURED:
        page = found[others[best]]
        assert page is not None
        return page
    return 1 + max((p for p in found if p is not None), default=-1)


def _knowledge(kinds: Sequence[Signature], pages: Sequence[int]) -> Knowledge:
    known = Knowledge()
    for s, page in zip(kinds, pages, strict=True):
        known.learn(str(page), s)
    known.addresses.review()
    return known


def _join(kinds: Sequence[Signature], known: Knowledge) -> list[int]:
    """Join the two groups that are most alike until no two are more likely one page than two."""
    scores = _scores(kinds, known)
    members: dict[int, list[int]] = {i: [i] for i in range(len(kinds))}
    alike = {
        (int(i), int(j)): float(scores[i, j])
        for i, j in zip(*np.nonzero(np.triu(scores) >= _SAME), strict=True)
    }
    while alike:
        i, j = pair = max(sorted(alike), key=lambda p: alike[p])
        del alike[pair]
        near = {k for p in alike if i in p or j in p for k in p} - {i, j}
        members[i] += members.pop(j)
        alike = {p: s for p, s in alike.items() if i not in p and j not in p}
        for k in near:
            linked = _linked(scores[np.ix_(members[i], members[k])])
            if linked >= _SAME:
                alike[min(i, k), max(i, k)] = linked
    number = {look: n for n, group in enumerate(members.values()) for look in group}
    return [number[i] for i in range(len(kinds))]


def _scores(kinds: Sequence[Signature], known: Knowledge) -> NDArray[np.float64]:
    """Return how likely each two looks are one page, 0 to 1; 0 on the diagonal."""
    count = len(kinds)
    scores = np.zeros((count, count))
    for i, j in combinations(range(count), 2):
        a, b = kinds[i], kinds[j]
        if a.layer is b.layer:
            scores[i, j] = scores[j, i] = compare(a, b, known, _leaning(a, b, known)).score
    return scores


def _leaning(a: Signature, b: Signature, known: Knowledge) -> Leaning:
    if a.title and b.title and listed_together(a, b, known) and one_kind(a, b, known, _LEAST):
        return Leaning(2.0, True, "both stand in one list")
    return Leaning()


def _linked(scores: NDArray[np.float64]) -> float:
    """Return how much two groups are one: how alike each look is to its nearest in the other, on average.

    Two ends of a long list share little with one another, and much with what lies between. But where
    many pairs are certainly apart, a look that is like both joins nothing.
    """
    if np.mean(scores < _APART) > _PARTED:
        return 0.0
    return float(scores.max(axis=0).mean() + scores.max(axis=1).mean()) / 2
