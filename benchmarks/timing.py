"""What the benchmarks share: work in, milliseconds and their growth out."""

import gc
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

__all__ = ["Took", "each", "growth", "once", "percentile", "spread"]

T = TypeVar("T")
R = TypeVar("R")


def once(work: Callable[[], R]) -> tuple[float, R]:
    """Return how many milliseconds a piece of work takes, and what comes of it."""
    gc.collect()
    began = time.perf_counter()
    made = work()
    return 1000 * (time.perf_counter() - began), made


@dataclass(slots=True)
class Took:
    """Milliseconds of each piece of work: as they passed, and as this process had a processor."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def each(work: Callable[[T], object], over: Iterable[T], *, warm: int = 1) -> Took:
    """Time the work on each item; the first `warm` ones are not counted."""
    took = Took()
    for n, item in enumerate(over):
        began, used = time.perf_counter(), time.process_time()
        work(item)
        spent, now = time.process_time() - used, time.perf_counter()
        if n >= warm:
            took.wall.append(1000 * (now - began))
            took.cpu.append(1000 * spent)
    return took


def percentile(took: Sequence[float], share: float) -> float:
    """Return the value that a share of them does not exceed (nearest rank).

    >>> percentile([4.0, 1.0, 3.0, 2.0], 0.5), percentile([1.0, 2.0, 3.0, 4.0], 0.95)
    (2.0, 4.0)
    """
    ranked = sorted(took)
    return ranked[max(0, math.ceil(share * len(ranked)) - 1)]


def spread(took: Took) -> dict[str, Any]:
    """Return median, 95th percentile and count; `cpu_...` leaves out what others did meanwhile."""
    return {
        "p50_ms": round(percentile(took.wall, 0.5), 4),
        "p95_ms": round(percentile(took.wall, 0.95), 4),
        "cpu_p50_ms": round(percentile(took.cpu, 0.5), 4),
        "cpu_p95_ms": round(percentile(took.cpu, 0.95), 4),
        "n": len(took.wall),
    }


def growth(rows: Sequence[dict[str, Any]], size: str, value: str) -> float | None:
    """Return the exponent with which a value grows with a size, from the first row to the last.

    >>> growth([{"n": 10, "ms": 1.0}, {"n": 1000, "ms": 10.0}], "n", "ms")
    0.5
    """
    if len(rows) < 2 or not rows[0][value]:
        return None
    first, last = rows[0], rows[-1]
    return round(math.log(last[value] / first[value]) / math.log(last[size] / first[size]), 3)
