"""Figures over trials, each with its n and interval. Pure arithmetic."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from waypost.bench.run import Trial

__all__ = ["ArmFigures", "bootstrap", "figures", "mcnemar", "wilson"]


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """What one arm did."""

    n: int
    """Tasks whose target exists."""
    success: float
    """Share of `n` reached strictly, 0 to 1."""
    absent_n: int
    """Tasks whose target does not exist."""
    abstained: float
    """Share of `absent_n` where no arrival was claimed, 0 to 1."""
    false_arrivals: int
    """Claims to be on a page that was not there, over all tasks."""
    wrong_page: int
    """True claims to be on a page that is not the one asked for, over all tasks."""
    spl: float
    """Mean success weighted by path length over tasks whose shortest way is known, 0 to 1."""
    ci95: tuple[float, float]
    """Wilson interval of `success`."""
    spl_ci95: tuple[float, float]
    """Bootstrap interval of `spl`."""
    actions: float
    """Mean actions over the tasks reached."""

    def as_json(self) -> dict[str, object]:
        """Return the figures as JSON values, shares rounded to four places."""
        return {
            "n": self.n,
            "success": round(self.success, 4),
            "absent_n": self.absent_n,
            "abstained": round(self.abstained, 4),
            "false_arrivals": self.false_arrivals,
            "wrong_page": self.wrong_page,
            "spl": round(self.spl, 4),
            "ci95": [round(v, 4) for v in self.ci95],
        }


def figures(trials: Iterable[Trial]) -> dict[str, ArmFigures]:
    """Return the figures of every arm, in order of appearance."""
    by_arm: dict[str, list[Trial]] = {}
    for trial in trials:
        by_arm.setdefault(trial.arm, []).append(trial)
    return {arm: _figures(rows) for arm, rows in by_arm.items()}


def _figures(rows: Sequence[Trial]) -> ArmFigures:
    present = [t for t in rows if t.task.target is not None]
    absent = [t for t in rows if t.task.target is None]
    reached = [t for t in present if t.success]
    weighted = [t.spl for t in present if t.spl is not None]
    return ArmFigures(
        n=len(present),
        success=_share(len(reached), len(present)),
        absent_n=len(absent),
        abstained=_share(sum(t.abstained for t in absent), len(absent)),
        false_arrivals=sum(t.false_arrival for t in rows),
        wrong_page=sum(t.wrong_page for t in rows),
        spl=sum(weighted) / len(weighted) if weighted else 0.0,
        ci95=wilson(len(reached), len(present)),
        spl_ci95=bootstrap(weighted),
        actions=sum(t.episode.actions for t in reached) / len(reached) if reached else 0.0,
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def wilson(successes: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    """Return the Wilson score interval of a share (Wilson 1927).

    >>> tuple(round(v, 3) for v in wilson(28, 84))
    (0.242, 0.439)
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if n == 0:
        return 0.0, 1.0
    p, zz = successes / n, z * z
    middle = (p + zz / (2 * n)) / (1 + zz / n)
    half = z / (1 + zz / n) * math.sqrt(p * (1 - p) / n + zz / (4 * n * n))
    # At the ends the formula is exact but for rounding.
    return middle - half if successes else 0.0, middle + half if successes < n else 1.0


def bootstrap(values: Sequence[float], *, resamples: int = 10_000, seed: int = 0) -> tuple[float, float]:
    """Return the 95 % percentile interval of a mean, from seeded resamples.

    >>> bootstrap([1.0, 1.0, 1.0])
    (1.0, 1.0)
    """
    if not values:
        return 0.0, 1.0
    sample = np.asarray(values, dtype=np.float64)
    rng = np.random.default_rng(seed)
    means = sample[rng.integers(0, len(sample), (resamples, len(sample)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def mcnemar(gained: int, lost: int) -> float:
    """Return the exact two-sided McNemar p of discordant pairs.

    TAG-Nav's 28/68 against 35/68 (11 up, 4 down):

    >>> round(mcnemar(11, 4), 2)
    0.12
    >>> round(mcnemar(8, 3), 4)
    0.2266
    """
    n = gained + lost
    if n == 0:
        return 1.0
    tail: int = sum(math.comb(n, k) for k in range(min(gained, lost) + 1))
    return float(min(1.0, 2 * tail / 2**n))
