"""Text to vectors by the script that it is written in: two models side by side in one space.

A text in Latin letters fills both halves, any other only the half of the multilingual model. The
dot product of two such rows is then the weighted sum of what both models say where both can read
both texts, and what the multilingual model says where neither can be read by the first; one id, one
index. Across scripts it is that times a constant, which `lifts` takes out.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from waypost.protocols import Embedder, Reading, TokenEmbedder, Vectors

__all__ = ["RoutedEmbedder", "latin"]

_TELLING = 8


def latin(text: str) -> bool:
    """Whether most letters are Latin; a text without letters counts as Latin.

    >>> latin("Wi-Fi settings"), latin("设置 Wi-Fi"), latin("12:30"), latin("Настройки")
    (True, False, True, False)
    """
    letters = [c for c in text if c.isalpha()]
    # An ideograph says about as much as three letters.
    foreign = sum(3 if c >= "\u2e80" else 1 for c in letters if c > "\u024f")
    return foreign * 2 <= sum(1 for c in letters if c <= "\u024f")


class RoutedEmbedder:
    """Joins a model for Latin script with one for every script.

    `share` (0 to 1) is the weight of the first one's cosine where both have a say.
    """

    def __init__(self, first: Embedder, every: Embedder, *, share: float = 0.8) -> None:
        if not 0 < share < 1:
            raise ValueError(f"share must lie between 0 and 1, not {share}")
        self._first, self._every, self._share = first, every, share

    @property
    def id(self) -> str:
        return f"{self._first.id}*{self._share:g}+{self._every.id}"

    @property
    def dimension(self) -> int:
        return self._first.dimension + self._every.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        both = [i for i, text in enumerate(texts) if latin(text)]
        return self._joined(texts, both, self._first.embed([texts[i] for i in both]))

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Read with the first model, where it reads by tokens; a text in another script has none."""
        both = [i for i, text in enumerate(texts) if latin(text)]
        chosen = [texts[i] for i in both]
        first = self._first
        read = (
            first.read(chosen)
            if isinstance(first, TokenEmbedder)
            else [Reading(v) for v in first.embed(chosen)]
        )
        vectors = np.stack([r.vector for r in read]) if read else np.zeros((0, first.dimension), np.float32)
        known = dict(zip(both, read, strict=True))
        return [
            replace(known[i], vector=row) if i in known else Reading(row)
            for i, row in enumerate(self._joined(texts, both, vectors))
        ]

    def lifts(self, rows: Vectors, query: Vectors) -> Vectors:
        """Return what makes of each product the multilingual model's cosine, where only one text is Latin."""
        # A model that has read a text fills its half throughout: the first few numbers tell.
        across = rows[:, :_TELLING].any(axis=1) != query[:_TELLING].any()
        lifted: Vectors = np.where(across, 1 / np.sqrt(1 - self._share), 1.0).astype(np.float32)
        return lifted

    def _joined(self, texts: Sequence[str], both: list[int], first: Vectors) -> Vectors:
        """Return whole rows; `first` are the first model's of the texts that it can read."""
        rows = np.zeros((len(texts), self.dimension), np.float32)
        if not texts:
            return rows
        split = self._first.dimension
        rows[:, split:] = self._every.embed(texts)
        if both:
            rows[both, :split] = np.sqrt(self._share) * first
            rows[both, split:] *= np.sqrt(1 - self._share)
        return rows
