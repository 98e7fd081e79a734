"""A dialog is known by the shade around it: a picture in, the box of the panel in the shade out."""

from typing import TYPE_CHECKING

from waypost.adapters.pixels.pictures import opened
from waypost.model import Bounds

if TYPE_CHECKING:
    import numpy as np

__all__ = ["panel"]

_STEP = 8
"""Pixels that become one: text vanishes, surfaces stay."""
_LIGHTER = 40
"""Levels of 255 by which a panel is lighter than all that is seen at both sides of the screen."""
_FULL = 0.6
"""Share of a line that is panel where it crosses one; buttons and text take the rest."""
_LEAST, _MOST = 0.3, 0.97
"""Widths of a panel, as shares of the screen's."""


def panel(picture: bytes, size: tuple[int, int]) -> Bounds | None:
    """Return the box of a panel in the middle of a dimmed page; None for a page as it is.

    ValueError for what is no picture. Sheets and drawers touch an edge, and are not told from pages.
    """
    import numpy as np

    image = opened(picture).convert("L")
    step = min(_STEP, max(1, image.width // 100))
    light = np.asarray(image.resize((image.width // step, image.height // step))).astype(np.int16)
    margin = max(1, light.shape[1] // 50)
    sides = np.concatenate([light[:, :margin], light[:, -margin:]], axis=1)
    over = light > np.percentile(sides, 98) + _LIGHTER
    middle = over[:, over.shape[1] // 4 : -(over.shape[1] // 4)]
    rows = _longest(middle.mean(axis=1) > _FULL)
    if rows is None:
        return None
    columns = _longest(over[rows[0] : rows[1]].mean(axis=0) > _FULL)
    if columns is None or not _LEAST <= (columns[1] - columns[0]) / over.shape[1] <= _MOST:
        return None
    across, down = size[0] / over.shape[1], size[1] / over.shape[0]
    box = Bounds(
        *(round(v) for v in (columns[0] * across, rows[0] * down, columns[1] * across, rows[1] * down))
    )
    return box if box.height > 0.08 * size[1] else None


def _longest(marks: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> tuple[int, int] | None:
    """Return the ends of the longest run of marks, where gaps of a button's height do not end one."""
    import numpy as np

    at = np.flatnonzero(marks)
    if not at.size:
        return None
    runs = np.split(at, np.flatnonzero(np.diff(at) > len(marks) // 12) + 1)
    best = max(runs, key=len)
    return int(best[0]), int(best[-1]) + 1
