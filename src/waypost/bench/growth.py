"""What sorting costs as looks become more: a way of sorting and screens in, time and memory out."""

import copy
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from waypost.model import Screen

__all__ = ["Cost", "costs"]


@dataclass(frozen=True, slots=True)
class Cost:
    looks: int
    seconds: float
    """A look, on average."""
    peak: int
    """Bytes that were held at most, over all looks, beyond what the screens themselves take."""


def costs(
    sort: Callable[[Sequence[Screen]], object],
    screens: Sequence[Screen],
    sizes: Sequence[int],
    clock: Callable[[], float],
) -> list[Cost]:
    """Measure `sort` on the first looks of a set; time and memory are taken in runs of their own.

    `sort` must start afresh each time; it is given copies, so that nothing is known of them. Sizes beyond
    the number of screens are left out.
    """
    found = []
    for size in (s for s in sizes if s <= len(screens)):
        some, again = copy.deepcopy(screens[:size]), copy.deepcopy(screens[:size])
        begun = clock()
        sort(some)
        seconds = clock() - begun
        tracemalloc.start()
        try:
            sort(again)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        found.append(Cost(size, seconds / size, peak))
    return found
