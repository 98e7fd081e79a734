"""How fast a policy finds pages: the page after each step in, a curve and the area under it out."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

__all__ = ["Curve", "curve"]

_POINTS = 60


@dataclass(frozen=True, slots=True)
class Curve:
    points: tuple[tuple[int, float], ...]
    """Steps done, and the share of the pages that were known by then."""
    area: float
    """Mean height over the steps up to `until`, 0 to 1."""
    until: int

    def as_json(self) -> dict[str, object]:
        return {
            "points": [[n, round(v, 4)] for n, v in self.points],
            "area": round(self.area, 4),
            "until": self.until,
        }


def curve(pages: Sequence[Hashable | None], *, whole: int, until: int) -> Curve:
    """Follow an exploration; `pages` is what each step showed, None for no page, `whole` all there are.

    An exploration that ended early stays where it was: it had its chance.

    >>> found = curve(["a", "b", "a", "c"], whole=4, until=4)
    >>> found.points[-1], found.area
    ((4, 0.75), 0.5)
    """
    seen: set[Hashable] = set()
    heights: list[float] = []
    for n in range(until):
        page = pages[n] if n < len(pages) else None
        if page is not None:
            seen.add(page)
        heights.append(len(seen) / whole if whole else 0.0)
    stride = max(1, -(-len(heights) // _POINTS))
    kept = [(n + 1, h) for n, h in enumerate(heights) if n % stride == stride - 1 or n == len(heights) - 1]
    return Curve(tuple(kept), sum(heights) / len(heights) if heights else 0.0, until)
