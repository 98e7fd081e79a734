"""Pictures to vectors without a model: where on the screen there are edges, however they are coloured."""

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.protocols import Vectors

__all__ = ["EdgeGridEmbedder"]

_COLUMNS, _ROWS, _FINE = 24, 48, 8
"""Cells across and down, and pixels a side of each."""


class EdgeGridEmbedder:
    """Sums the edges in each cell of a 24 x 48 grid; dark and light themes look alike to it.

    It stands in for CLIP, whose weights ship in no package, and knows no meaning: two forms with the same
    boxes are one to it. A plain picture is a direction of its own.
    """

    @property
    def id(self) -> str:
        return f"edges-{_COLUMNS}x{_ROWS}-1"

    @property
    def dimension(self) -> int:
        return _COLUMNS * _ROWS + 1

    def embed(self, images: Sequence[bytes]) -> Vectors:
        rows = np.zeros((len(images), self.dimension), np.float32)
        for row, image in zip(rows, images, strict=True):
            row[:-1] = _energy(_grey(image)).ravel()
            # Below what any edge adds; it keeps the row of a plain picture from being zero.
            row[-1] = 1e-3
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


def _grey(image: bytes) -> NDArray[np.float32]:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(image)) as opened:
            small = opened.convert("L").resize((_COLUMNS * _FINE, _ROWS * _FINE), Image.Resampling.BOX)
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as e:
        raise ValueError(f"Not a picture: {e}") from e
    grey: NDArray[np.float32] = np.asarray(small, np.float32) / np.float32(255)
    return grey


def _energy(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the root of the mean edge strength of each cell; shape (rows, columns)."""
    down, across = np.gradient(grey)
    cells = np.hypot(down, across).reshape(_ROWS, _FINE, _COLUMNS, _FINE).mean(axis=(1, 3))
    # The root keeps one photograph from outweighing all that is written.
    energy: NDArray[np.float32] = np.sqrt(cells).astype(np.float32)
    return energy
