"""Sort looks into pages, however they were reached: screens in, a page number each out."""

from collections.abc import Sequence

from waypost.mapping.knowledge import Knowledge
from waypost.mapping.match import compare
from waypost.mapping.overlays import side_state
from waypost.mapping.signature import Signature, signature
from waypost.model import Screen

__all__ = ["cluster"]


def cluster(screens: Sequence[Screen], app: str) -> list[int | None]:
    """Return each look's page, numbered from 0; None for side states and other apps.

    Looks with equal static evidence are taken together first; then the most alike groups are joined,
    as long as the average evidence between their looks speaks for it.
    """
    read: dict[int, Signature] = {
        i: signature(s) for i, s in enumerate(screens) if side_state(s, app) is None
    }
    groups: dict[str, list[int]] = {}
    for i, s in read.items():
        groups.setdefault(s.digest, []).append(i)
    kinds = [read[members[0]] for members in groups.values()]
    known = _knowledge(kinds, list(range(len(kinds))))
    pages = _join(kinds, known)
    known = _knowledge(kinds, pages)
    pages = _join(kinds, known)
    found: list[int | None] = [None] * len(screens)
    for page, members in zip(pages, groups.values(), strict=True):
        for i in members:
            found[i] = page
    return found


def _knowledge(kinds: Sequence[Signature], pages: Sequence[int]) -> Knowledge:
    known = Knowledge()
    for s, page in zip(kinds, pages, strict=True):
        known.learn(str(page), s)
    return known


def _join(kinds: Sequence[Signature], known: Knowledge) -> list[int]:
    """Join by average linkage until no two groups are more likely one page than two."""
    count = len(kinds)
    scores = {
        (i, j): compare(kinds[i], kinds[j], known).score
        for i in range(count)
        for j in range(i + 1, count)
        if kinds[i].layer is kinds[j].layer
    }
    members: dict[int, list[int]] = {i: [i] for i in range(count)}
    while True:
        best, pair = 0.5, None
        for (i, j), score in scores.items():
            if i in members and j in members and score >= best:
                best, pair = score, (i, j)
        if pair is None:
            break
        i, j = pair
        for k in members:
            if k in (i, j):
                continue
            a, b = (min(i, k), max(i, k)), (min(j, k), max(j, k))
            mixed = scores.get(a, 0.0) * len(members[i]) + scores.get(b, 0.0) * len(members[j])
            scores[a] = mixed / (len(members[i]) + len(members[j]))
        members[i] += members.pop(j)
        scores = {p: s for p, s in scores.items() if j not in p}
    number = {look: n for n, group in enumerate(members.values()) for look in group}
    return [number[i] for i in range(count)]
