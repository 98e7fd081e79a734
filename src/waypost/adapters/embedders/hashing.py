"""Words to vectors without any model: the stand-in for tests and for machines without the weights."""

import re
import zlib
from collections.abc import Sequence

import numpy as np

from waypost.protocols import Vectors

__all__ = ["HashEmbedder"]

_PIECE = re.compile(r"[a-z0-9]+|[^\W\da-z_]", re.IGNORECASE)


class HashEmbedder:
    """Counts hashed words and letter triples; knows no meaning, but equal words are near each other."""

    def __init__(self, dimension: int = 256) -> None:
        if dimension < 2:
            raise ValueError(f"dimension must be at least 2, not {dimension}")
        self._dimension = dimension

    @property
    def id(self) -> str:
        return f"hash-{self._dimension}-1"

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self._dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            # A constant part keeps the row of a text without words from being zero.
            row[0] = 0.01
            for piece in _pieces(text):
                value = zlib.crc32(piece.encode())
                row[value % self._dimension] += 1.0 if value & 0x10000 else -1.0
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = (rows / np.where(norms == 0, 1, norms)).astype(np.float32)
        # A row whose pieces cancelled to nothing still has to be a direction.
        unit[norms[:, 0] == 0, 0] = 1.0
        return unit


def _pieces(text: str) -> list[str]:
    words = [w.lower() for w in _PIECE.findall(text)]
    return words + [w[i : i + 3] for w in words for i in range(len(w) - 2)]
