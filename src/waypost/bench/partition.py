"""How well looks were sorted into pages: true pages and found ones in, shares with an interval out."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

__all__ = ["CauseScores", "Mistake", "PartitionScores", "by_cause", "mistakes", "partition_scores"]


@dataclass(frozen=True, slots=True)
class PartitionScores:
    """Every share is 0 to 1. A pair is two looks of one set."""

    looks: int
    pages: int
    """True pages."""
    groups: int
    """Pages that were found."""
    pair_precision: float
    """Of the pairs that were joined, those that are one page."""
    pair_recall: float
    """Of the pairs that are one page, those that were joined."""
    pair_f1: float
    b3_f1: float
    """B-cubed (Bagga and Baldwin 1998): as above, averaged over looks, so that large pages weigh less."""
    split: float
    """Share of pages whose looks lie in several groups."""
    merge: float
    """Share of pages that share a group with another."""
    ci95: tuple[float, float]
    """95 % interval of `pair_f1`, from pages drawn anew."""

    def as_json(self) -> dict[str, object]:
        """Return what is published of a score, shares rounded to four places."""
        names = ("pair_precision", "pair_recall", "pair_f1", "b3_f1", "split", "merge")
        found: dict[str, object] = {n: round(getattr(self, n), 4) for n in names}
        return found | {"ci95": [round(v, 4) for v in self.ci95]}


def partition_scores(
    truth: Sequence[str], found: Sequence[Hashable | None], *, resamples: int = 2000, seed: int = 0
) -> PartitionScores:
    """Compare two partitions of the same looks; a look that was put nowhere is a group of its own.

    The interval is the percentile bootstrap over pages, drawn with replacement from a seeded stream: looks
    of a page are alike, so drawing looks one by one would make it too narrow. Copies of a page that is
    drawn twice are not compared with each other.

    >>> s = partition_scores(["a", "a", "b"], [1, 1, 1], resamples=10)
    >>> round(s.pair_precision, 2), s.pair_recall, s.split, s.merge
    (0.33, 1.0, 0.0, 1.0)
    """
    groups = _groups(found)
    both = Counter(zip(truth, groups, strict=True))
    pages, found_groups = Counter(truth), Counter(groups)
    total = len(truth)
    hit = sum(n * (n - 1) for n in both.values())
    claimed = sum(n * (n - 1) for n in found_groups.values())
    real = sum(n * (n - 1) for n in pages.values())
    precision, recall = hit / claimed if claimed else 1.0, hit / real if real else 1.0
    b3_precision = sum(n * n / found_groups[g] for (_, g), n in both.items()) / total if total else 1.0
    b3_recall = sum(n * n / pages[p] for (p, _), n in both.items()) / total if total else 1.0
    split, merged = _broken(both)
    return PartitionScores(
        looks=total,
        pages=len(pages),
        groups=len(found_groups),
        pair_precision=precision,
        pair_recall=recall,
        pair_f1=2 * hit / (real + claimed) if real + claimed else 1.0,
        b3_f1=2 * b3_precision * b3_recall / (b3_precision + b3_recall),
        split=len(split) / len(pages) if pages else 0.0,
        merge=len(merged) / len(pages) if pages else 0.0,
        ci95=_interval(both, list(pages), resamples, seed),
    )


def _groups(found: Sequence[Hashable | None]) -> list[Hashable]:
    return [("alone", n) if group is None else ("group", group) for n, group in enumerate(found)]


def _broken(both: Mapping[tuple[str, Hashable], int]) -> tuple[set[str], set[str]]:
    """Return the pages that were broken up, and those that were joined with another."""
    groups_of: dict[str, set[Hashable]] = defaultdict(set)
    pages_of: dict[Hashable, set[str]] = defaultdict(set)
    for page, group in both:
        groups_of[page].add(group)
        pages_of[group].add(page)
    split = {p for p, groups in groups_of.items() if len(groups) > 1}
    return split, {p for pages in pages_of.values() if len(pages) > 1 for p in pages}


def _interval(
    both: Mapping[tuple[str, Hashable], int], pages: list[str], resamples: int, seed: int
) -> tuple[float, float]:
    if not pages:
        return 0.0, 1.0
    groups = {g: n for n, g in enumerate(dict.fromkeys(g for _, g in both))}
    at = {p: n for n, p in enumerate(pages)}
    table = np.zeros((len(pages), len(groups)))
    for (page, group), n in both.items():
        table[at[page], groups[group]] = n
    sizes = table.sum(axis=1)
    real = sizes * (sizes - 1) / 2
    hit = (table * (table - 1) / 2).sum(axis=1)
    across = table @ table.T
    np.fill_diagonal(across, 0.0)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(pages), np.full(len(pages), 1 / len(pages)), size=resamples).astype(float)
    hits, reals = drawn @ hit, drawn @ real
    wrong = np.einsum("ri,ij,rj->r", drawn, across, drawn, optimize=True) / 2
    claims = reals + hits + wrong
    f1 = np.where(claims > 0, 2 * hits / np.where(claims > 0, claims, 1.0), 1.0)
    low, high = np.percentile(f1, [2.5, 97.5])
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class CauseScores:
    """How pairs fared of which one look at least bears a cause."""

    looks: int
    """Looks that bear it."""
    pairs: int
    """Pairs that are one page."""
    recall: float
    """Share of these that were joined."""
    wrong: int
    """Pairs that are not one page and were joined."""


def by_cause(
    truth: Sequence[str], found: Sequence[Hashable | None], causes: Sequence[Sequence[str]]
) -> dict[str, CauseScores]:
    """Return the scores of each cause that some look bears."""
    pages = np.unique(np.asarray(truth, dtype=object).astype(str), return_inverse=True)[1]
    number = {g: n for n, g in enumerate(dict.fromkeys(_groups(found)))}
    groups = np.array([number[g] for g in _groups(found)], np.int64)
    scores: dict[str, CauseScores] = {}
    for cause in sorted({c for row in causes for c in row}):
        bears = np.array([cause in row for row in causes])
        looks = np.flatnonzero(bears)
        # A pair of two that bear it is met from both sides.
        weight = np.where(bears, 0.5, 1.0)
        same = pages[looks][:, None] == pages[None, :]
        joined = groups[looks][:, None] == groups[None, :]
        itself = float(len(looks)) * 0.5
        pairs = float((same * weight).sum()) - itself
        hits = float((same * joined * weight).sum()) - itself
        wrong = float((~same * joined * weight).sum())
        scores[cause] = CauseScores(len(looks), round(pairs), hits / pairs if pairs else 1.0, round(wrong))
    return scores


@dataclass(frozen=True, slots=True)
class Mistake:
    """Pairs of one kind that were judged wrongly, by one of them."""

    kind: Literal["joined", "parted"]
    a: int
    b: int
    """Places of the two looks in the set."""
    pages: tuple[str, str]
    """Their true pages; twice the same where they were parted."""
    pairs: int
    """How many pairs there are between these two pages, or these two groups of one page."""


def mistakes(truth: Sequence[str], found: Sequence[Hashable | None]) -> list[Mistake]:
    """Return a wrong pair for each two pages that were joined, or groups of one page; most first."""
    members: dict[tuple[str, Hashable], list[int]] = defaultdict(list)
    for n, cell in enumerate(zip(truth, _groups(found), strict=True)):
        members[cell].append(n)
    cells = list(members)
    wrong: list[Mistake] = []
    for i, (page, group) in enumerate(cells):
        for other in cells[i + 1 :]:
            if (page == other[0]) == (group == other[1]):
                continue
            mine, theirs = members[page, group], members[other]
            kind: Literal["joined", "parted"] = "parted" if page == other[0] else "joined"
            pairs = len(mine) * len(theirs)
            wrong.append(Mistake(kind, mine[0], theirs[0], (page, other[0]), pairs))
    return sorted(wrong, key=lambda m: -m.pairs)
