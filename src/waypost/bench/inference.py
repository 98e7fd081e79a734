"""What can be concluded from paired trials: shares, pairs and grades in, intervals, p values, agreement out.

Pure arithmetic, held against scipy and statsmodels in the tests, so that the report needs neither of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from waypost.bench.stats import mcnemar, wilson

__all__ = [
    "Agreement",
    "Paired",
    "agreement",
    "correlation",
    "holm",
    "kappa",
    "paired",
    "power",
    "tasks_needed",
]


_MOST = 2_048
"""Tasks that are thought of at most: nobody runs more, and the sum would take minutes."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Two arms on the same tasks."""

    n: int
    first: int
    """Tasks that the first arm reached."""
    second: int
    up: int
    """Reached by the second alone."""
    down: int
    """Reached by the first alone."""
    difference: float
    """Share of the second less that of the first, -1 to 1."""
    ci95: tuple[float, float]
    """Paired bootstrap over tasks: percentiles of 10,000 seeded resamples."""
    p: float
    """Exact McNemar, two-sided."""

    def as_json(self) -> dict[str, object]:
        return {
            "n": self.n,
            "first": self.first,
            "second": self.second,
            "up": self.up,
            "down": self.down,
            "difference": round(self.difference, 4),
            "ci95": [round(v, 4) for v in self.ci95],
            "p": round(self.p, 4),
        }


def paired(
    first: Sequence[bool], second: Sequence[bool], *, resamples: int = 10_000, seed: int = 0
) -> Paired:
    """Compare two arms task by task.

    TAG-Nav's 28 and 33 of 84, which are 8 tasks gained and 3 lost where p is 0.23:

    >>> row = paired([True] * 28 + [False] * 56, [True] * 25 + [False] * 3 + [True] * 8 + [False] * 48)
    >>> row.first, row.second, row.up, row.down, round(row.p, 2)
    (28, 33, 8, 3, 0.23)
    """
    if len(first) != len(second):
        raise ValueError("paired arms want the same tasks")
    n = len(first)
    up = sum(b and not a for a, b in zip(first, second, strict=True))
    down = sum(a and not b for a, b in zip(first, second, strict=True))
    low, high = _resampled(n, up, down, resamples, seed)
    return Paired(
        n, sum(first), sum(second), up, down, (up - down) / n if n else 0.0, (low, high), mcnemar(up, down)
    )


def _resampled(n: int, up: int, down: int, resamples: int, seed: int) -> tuple[float, float]:
    """Draw tasks anew: of the differences only how many are +1, -1 and 0 matters, so counts are drawn."""
    if n == 0:
        return -1.0, 1.0
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(n, [up / n, down / n, (n - up - down) / n], size=resamples)
    low, high = np.percentile((drawn[:, 0] - drawn[:, 1]) / n, [2.5, 97.5])
    return float(low), float(high)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust the p values of one family of tests (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = round(highest, 12)
    return adjusted


def kappa(
    first: Sequence[int], second: Sequence[int], *, weights: Literal["none", "linear", "quadratic"] = "none"
) -> float:
    """Return Cohen's kappa of two raters' grades; 1.0 where both give one and the same grade throughout.

    >>> kappa([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    >>> round(kappa([1, 2, 3, 5], [1, 2, 4, 5], weights="quadratic"), 3)
    0.947
    """
    if len(first) != len(second):
        raise ValueError("both raters want the same items")
    grades = sorted({*first, *second})
    if not first or len(grades) == 1:
        return 1.0
    at = {g: i for i, g in enumerate(grades)}
    seen = np.zeros((len(grades), len(grades)))
    for a, b in zip(first, second, strict=True):
        seen[at[a], at[b]] += 1
    values = np.asarray(grades, dtype=np.float64)
    apart = np.abs(values[:, None] - values[None, :])
    weight = {"none": (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}[weights]
    chance = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / seen.sum()
    return float(1.0 - (weight * seen).sum() / (weight * chance).sum())


@dataclass(frozen=True, slots=True)
class Agreement:
    """A judge held against another, usually a person."""

    n: int
    agree: float
    """Share of `n` on which both say the same."""
    ci95: tuple[float, float]
    false_pass: int
    """Passed by the judge, failed by the reference."""
    false_fail: int
    kappa: float
    linear: float | None = None
    """Weighted kappa of the grades, where both give some."""
    quadratic: float | None = None

    def as_json(self) -> dict[str, object]:
        rounded = {k: round(v, 4) if v is not None else None for k, v in self._kappas().items()}
        shares = {"agree": round(self.agree, 4), "ci95": [round(v, 4) for v in self.ci95]}
        return {
            "n": self.n,
            **shares,
            "false_pass": self.false_pass,
            "false_fail": self.false_fail,
            **rounded,
        }

    def _kappas(self) -> dict[str, float | None]:
        return {"kappa": self.kappa, "kappa_linear": self.linear, "kappa_quadratic": self.quadratic}


def agreement(
    judged: Sequence[bool], truth: Sequence[bool], grades: tuple[Sequence[int], Sequence[int]] | None = None
) -> Agreement:
    """Hold a judge's verdicts against a reference's; `grades` are both of theirs, 1 to 5.

    >>> agreement([True, True, False], [True, False, False]).false_pass
    1
    """
    same = sum(a == b for a, b in zip(judged, truth, strict=True))
    n = len(judged)
    both = grades if grades and grades[0] and min(*grades[0], *grades[1]) > 0 else None
    return Agreement(
        n,
        same / n if n else 0.0,
        wilson(same, n),
        sum(a and not b for a, b in zip(judged, truth, strict=True)),
        sum(b and not a for a, b in zip(judged, truth, strict=True)),
        kappa([int(v) for v in judged], [int(v) for v in truth]),
        kappa(*both, weights="linear") if both else None,
        kappa(*both, weights="quadratic") if both else None,
    )


def correlation(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation; None where one of the two never varies.

    >>> round(correlation([1, 2, 3, 4], [1, 0, 0, 0]), 3)
    -0.775
    """
    if len(a) < 3 or len(set(a)) == 1 or len(set(b)) == 1:
        return None
    return float(np.corrcoef(_ranks(a), _ranks(b))[0, 1])


def _ranks(values: Sequence[float]) -> list[float]:
    places: dict[float, list[int]] = {}
    for place, value in enumerate(sorted(values), 1):
        places.setdefault(value, []).append(place)
    return [sum(places[v]) / len(places[v]) for v in values]


def power(n: int, up: float, down: float, *, alpha: float = 0.05) -> float:
    """Return how often exact McNemar sees a gap: tasks, and the shares of them gained and lost, in.

    >>> power(84, 0.13, 0.07) < 0.3
    True
    """
    if not 0 <= up + down <= 1 or n <= 0:
        raise ValueError("shares of tasks gained and lost want to lie between 0 and 1 together")
    found, apart = 0.0, up + down
    for discordant in range(n + 1):
        weight = _binomial(n, discordant, apart)
        if weight < 1e-12 or not apart:
            continue
        half = _rejects(discordant, alpha)
        found += weight * sum(
            _binomial(discordant, k, up / apart)
            for k in range(discordant + 1)
            if half >= 0 and (k <= half or k >= discordant - half)
        )
    return min(1.0, found)


def tasks_needed(up: float, down: float, *, alpha: float = 0.05, wanted: float = 0.8) -> int | None:
    """Return the fewest tasks with which a gap is seen `wanted` of the time; None where 2,000 do not do.

    >>> tasks_needed(0.16, 0.06)
    183
    """
    low, high = 1, 16
    while power(high, up, down, alpha=alpha) < wanted:
        low, high = high, high * 2
        if high > _MOST:
            return None
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle, up, down, alpha=alpha) >= wanted else (middle, high)
    return high


def _rejects(n: int, alpha: float) -> int:
    """Return the largest smaller count at which exact McNemar rejects; -1 for none."""
    best = -1
    for k in range(n // 2 + 1):
        if mcnemar(k, n - k) > alpha:
            break
        best = k
    return best


def _binomial(n: int, k: int, p: float) -> float:
    if p <= 0.0 or p >= 1.0:
        return float(k == (n if p >= 1.0 else 0))
    log = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(log + k * math.log(p) + (n - k) * math.log1p(-p))
