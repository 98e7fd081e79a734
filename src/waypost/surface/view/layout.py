"""Where each page lies on the picture: pages by depth and the ways between them in, places out."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["CELL", "Band", "Layout", "laid_out"]

CELL = (150, 330)
"""Width and height that one page takes, gaps included."""
_GAP = 130
"""Between one depth and the next, where the ways are seen to run."""


@dataclass(frozen=True, slots=True)
class Band:
    """The pages of one depth."""

    title: str
    left: int
    width: int
    count: int


@dataclass(frozen=True, slots=True)
class Layout:
    places: dict[str, tuple[int, int]]
    """Top left corner of each page's cell."""
    bands: tuple[Band, ...]
    width: int
    height: int


def laid_out(groups: Sequence[tuple[str, Sequence[str]]], ways: Iterable[tuple[str, str]]) -> Layout:
    """Lay pages out from left to right, one band a depth, each page near those that lead to it.

    `groups` are titles and ids, nearest to the start first. A band of many pages is folded into several
    columns, so that the whole stays about as high as it is wide.

    >>> laid = laid_out([("start", ["a"]), ("1 step", ["b", "c"])], [("a", "b"), ("a", "c")])
    >>> laid.places["a"][0] < laid.places["b"][0] == laid.places["c"][0]
    True
    """
    leading: dict[str, list[str]] = {}
    for source, target in ways:
        leading.setdefault(target, []).append(source)
    rows = max(4, math.ceil(math.sqrt(sum(len(ids) for _, ids in groups) * 0.6)))
    places: dict[str, tuple[int, int]] = {}
    bands: list[Band] = []
    left = 0
    for title, ids in groups:
        ordered = _near(ids, leading, places)
        columns = max(1, math.ceil(len(ordered) / rows))
        high = math.ceil(len(ordered) / columns) if ordered else 0
        for at, node in enumerate(ordered):
            # Row by row, so that neighbours in the order stay neighbours on the picture.
            row, column = divmod(at, columns)
            places[node] = (left + column * CELL[0], round((row - high / 2) * CELL[1]))
        width = columns * CELL[0]
        bands.append(Band(title, left, width, len(ordered)))
        left += width + _GAP
    top = min((y for _, y in places.values()), default=0)
    places = {node: (x, y - top) for node, (x, y) in places.items()}
    height = max((y for _, y in places.values()), default=0) + CELL[1]
    return Layout(places, tuple(bands), max(0, left - _GAP), height)


def _near(ids: Sequence[str], leading: dict[str, list[str]], places: dict[str, tuple[int, int]]) -> list[str]:
    """Order pages by the mean height of those before them that lead there; else as given."""

    def height(node: str) -> float:
        known = [places[s][1] for s in leading.get(node, ()) if s in places]
        return sum(known) / len(known) if known else 0.0

    return sorted(ids, key=height)
