"""The embedder that is used unless another is asked for; made once a process, since it loads a model."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from waypost.protocols import Reading, TokenEmbedder, Vectors

__all__ = ["Remembering", "embedder", "forgetful"]


class Remembering:
    """Wraps an embedder; a text that came before costs nothing again."""

    def __init__(self, inner: TokenEmbedder) -> None:
        self._inner = inner
        self._known: dict[str, Vectors] = {}
        self._read: dict[str, Reading] = {}

    @property
    def id(self) -> str:
        return self._inner.id

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        missing = [t for t in dict.fromkeys(texts) if t not in self._known]
        self._known.update(zip(missing, self._inner.embed(missing), strict=True))
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return np.stack([self._known[t] for t in texts])

    def read(self, texts: Sequence[str]) -> list[Reading]:
        missing = [t for t in dict.fromkeys(texts) if t not in self._read]
        self._read.update(zip(missing, self._inner.read(missing), strict=True))
        return [self._read[t] for t in texts]


@cache
def embedder() -> TokenEmbedder:
    """Return the embedded default: MiniLM for Latin script, beside a multilingual model for every script."""
    return forgetful()


def forgetful() -> TokenEmbedder:
    """Return the same that remembers no text yet, for who measures what it costs."""
    return Remembering(_models())


@cache
def _models() -> TokenEmbedder:
    from waypost.adapters.embedders import MiniLmEmbedder, MultilingualEmbedder, RoutedEmbedder

    return RoutedEmbedder(MiniLmEmbedder(), MultilingualEmbedder())
