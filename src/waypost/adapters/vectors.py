"""Exact nearest neighbours in memory: keys and unit rows in, the nearest keys out."""

from collections.abc import Hashable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from waypost.protocols import Hit, Vectors

__all__ = ["FlatIndex"]

K = TypeVar("K", bound=Hashable)


class FlatIndex(Generic[K]):
    """Compares with every row: exact, and fast enough for a hundred thousand of them."""

    def __init__(self, dimension: int) -> None:
        self._rows: Vectors = np.zeros((0, dimension), np.float32)
        self._places: dict[K, int] = {}
        self._keys: list[K] = []

    def __len__(self) -> int:
        return len(self._places)

    def add(self, keys: Sequence[K], vectors: Vectors) -> None:
        if vectors.shape != (len(keys), self._rows.shape[1]):
            raise ValueError(f"{len(keys)} keys of {self._rows.shape[1]} numbers, but rows {vectors.shape}")
        fresh = [i for i, key in enumerate(keys) if key not in self._places]
        # Of a key given twice the last row counts, at the place of the first.
        for i in fresh:
            self._places.setdefault(keys[i], len(self._places))
        self._keys = list(self._places)
        grown = np.zeros((len(self._places), self._rows.shape[1]), np.float32)
        grown[: len(self._rows)] = self._rows
        for key, vector in zip(keys, vectors, strict=True):
            grown[self._places[key]] = vector
        self._rows = grown

    def search(self, vector: NDArray[Any], k: int) -> list[Hit[K]]:
        if k <= 0 or not self._places:
            return []
        scores = self._rows @ np.asarray(vector, np.float32).reshape(-1)
        # Only what is as good as the k-th best is sorted, and stably: ties keep the order in which they came.
        least = np.partition(scores, len(scores) - k)[len(scores) - k] if k < len(scores) else -np.inf
        near = np.flatnonzero(scores >= least)
        best = near[np.argsort(-scores[near], kind="stable")[:k]]
        return [Hit(self._keys[i], float(scores[i])) for i in best]
