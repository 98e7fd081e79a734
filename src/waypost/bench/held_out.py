"""Thresholds that are chosen on some apps and reported on another: tables of pairs in, thresholds out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.bench.partition import partition_scores
from waypost.matchers import TagNavMatcher, both_reach, match_or_add
from waypost.model import Screen

__all__ = ["GRID", "PairTable", "left_out", "pair_table"]

Thresholds = tuple[float, float]
"""Of the pictures, of the layouts."""
_STEPS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99)
GRID: tuple[Thresholds, ...] = tuple((v, la) for v in (0.0, *_STEPS) for la in _STEPS)
"""Thresholds that are tried; 0 for the pictures lets them have no say."""


@dataclass(frozen=True)
class PairTable:
    """How alike the looks of one set are, worked out once for every threshold."""

    app: str
    truth: tuple[str, ...]
    """The true page of each look."""
    row: tuple[int, ...]
    """The row of each look: looks that are equal share one."""
    visual: NDArray[np.float32]
    """NaN where a picture is missing; shape (rows, rows)."""
    layout: NDArray[np.float32]

    def partition(self, thresholds: Thresholds) -> list[int]:
        """Return the pages that the looks are sorted into."""
        pages = match_or_add(both_reach(self.visual, self.layout, thresholds))
        return [pages[r] for r in self.row]

    def f1(self, thresholds: Thresholds) -> float:
        return partition_scores(self.truth, self.partition(thresholds), resamples=1).pair_f1


def pair_table(
    app: str, screens: Sequence[Screen], truth: Sequence[str], matcher: TagNavMatcher
) -> PairTable:
    """Compare every two looks once."""
    rows: dict[Screen, int] = {}
    row = [rows.setdefault(s, len(rows)) for s in screens]
    distinct = list(rows)
    visual = np.full((len(distinct),) * 2, np.nan, np.float32)
    layout = np.zeros_like(visual)
    for i, a in enumerate(distinct):
        for j in range(i + 1):
            found = matcher.similarity(a, distinct[j])
            layout[i, j] = layout[j, i] = found.layout
            if found.visual is not None:
                visual[i, j] = visual[j, i] = found.visual
    return PairTable(app, tuple(truth), tuple(row), visual, layout)


def left_out(
    tables: Mapping[str, PairTable], grid: Sequence[Thresholds] = GRID
) -> dict[str, Thresholds | None]:
    """Choose each set's thresholds by the sets of all other apps; None where there are none.

    Best is the largest mean F1 over pairs; of equals the first of `grid`.
    """
    scores = {name: np.array([t.f1(g) for g in grid]) for name, t in tables.items()}
    chosen: dict[str, Thresholds | None] = {}
    for name, table in tables.items():
        others = [scores[n] for n, t in tables.items() if t.app != table.app]
        chosen[name] = grid[int(np.argmax(np.mean(others, axis=0)))] if others else None
    return chosen
