"""The embedder: the embedded default, or an endpoint that the environment names; made once a process.

`WAYPOST_EMBED_MODEL` names a model, `WAYPOST_EMBED_BASE_URL`, `_KEY` and `_DIMENSIONS` say the rest.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from waypost.errors import UsageError
from waypost.protocols import Embedder, Reading, TokenEmbedder, Vectors

__all__ = ["Remembered", "Remembering", "embedder", "forgetful"]


class Remembered:
    """Wraps an embedder; a text that came before costs nothing again."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._known: dict[str, Vectors] = {}

    @property
    def id(self) -> str:
        return self._inner.id

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        missing = [t for t in dict.fromkeys(texts) if t not in self._known]
        self._known.update(zip(missing, self._inner.embed(missing) if missing else (), strict=True))
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return np.stack([self._known[t] for t in texts])


class Remembering(Remembered):
    """The same of one that reads word piece by word piece."""

    def __init__(self, inner: TokenEmbedder) -> None:
        super().__init__(inner)
        self._reader = inner
        self._read: dict[str, Reading] = {}

    def read(self, texts: Sequence[str]) -> list[Reading]:
        missing = [t for t in dict.fromkeys(texts) if t not in self._read]
        self._read.update(zip(missing, self._reader.read(missing), strict=True))
        # Who reads a text has its vector too.
        self._known.update({t: self._read[t].vector for t in missing})
        return [self._read[t] for t in texts]


@cache
def embedder() -> Embedder:
    """Return the embedded default: MiniLM for Latin script, beside a multilingual model for every script.

    Where `WAYPOST_EMBED_MODEL` is set, that model is asked instead. Raises UsageError.
    """
    return _served() if os.environ.get("WAYPOST_EMBED_MODEL") else forgetful()


def _served() -> Embedder:
    from waypost.adapters.llm import EmbeddingEndpoint, OpenAiEmbedder

    said = {name: os.environ.get(f"WAYPOST_EMBED_{name}", "") for name in ("MODEL", "BASE_URL", "KEY")}
    endpoint = EmbeddingEndpoint(said["MODEL"], key=said["KEY"], dimensions=_dimensions())
    if said["BASE_URL"]:
        if not said["BASE_URL"].startswith(("http://", "https://")):
            raise UsageError(
                f"WAYPOST_EMBED_BASE_URL is {said['BASE_URL']!r}; it begins with http:// or https://"
            )
        endpoint = replace(endpoint, base_url=said["BASE_URL"])
    return Remembered(OpenAiEmbedder(endpoint, sleep=time.sleep))


def _dimensions() -> int:
    said = os.environ.get("WAYPOST_EMBED_DIMENSIONS", "0")
    if not said.isdecimal():
        raise UsageError(f"WAYPOST_EMBED_DIMENSIONS is {said!r}; it is a number such as 1024")
    return int(said)


def forgetful() -> TokenEmbedder:
    """Return the same that remembers no text yet, for who measures what it costs."""
    return Remembering(_models())


@cache
def _models() -> TokenEmbedder:
    from waypost.adapters.embedders import MiniLmEmbedder, MultilingualEmbedder, RoutedEmbedder

    return RoutedEmbedder(MiniLmEmbedder(), MultilingualEmbedder())
