"""MobileGPT's identity: how near the page's text lies to another's by a text model."""

import numpy as np
from numpy.typing import NDArray

from waypost.matchers.grouping import judged
from waypost.matchers.reading import Kept, layout_lines
from waypost.model import Screen
from waypost.protocols import Comparison, Embedder, Reason

__all__ = ["TextEmbeddingMatcher", "text_vector"]

_PIECE = 800
"""Letters that are embedded at a time: small models cut off what is longer."""


class TextEmbeddingMatcher:
    """One page where the two looks' texts have a cosine of 0.95 (Lee et al., MobileGPT, MobiCom 2024).

    MobileGPT asks a hosted model that reads a whole page at once. Small models read a few hundred words, so
    that the text is embedded piece by piece, and the mean direction is the page's.
    """

    def __init__(self, embedder: Embedder, threshold: float = 0.95) -> None:
        self.threshold = threshold
        self._vector = Kept(lambda screen: text_vector(screen, embedder))

    def compare(self, a: Screen, b: Screen) -> Comparison:
        if a == b:
            return Comparison(1.0, (Reason("equal", 12.0, "the two looks are equal"),))
        if a.app != b.app:
            return Comparison(0.0, (Reason("app", -12.0, f"another app: {a.app!r} and {b.app!r}"),))
        cosine = max(0.0, float(self._vector(a) @ self._vector(b)))
        reason = Reason("text", cosine - self.threshold, f"cosine of the texts {cosine:.3f}")
        return Comparison(judged(cosine, self.threshold), (reason,))


def text_vector(screen: Screen, embedder: Embedder) -> NDArray[np.float32]:
    """Return the direction of a look's layout text, of unit length; shape (dimension,)."""
    pieces, piece = [], ""
    for line in layout_lines(screen):
        if piece and len(piece) + len(line) > _PIECE:
            pieces.append(piece)
            piece = ""
        piece += line + "\n"
    rows = embedder.embed([*pieces, piece])
    mean = rows.mean(axis=0)
    length = float(np.linalg.norm(mean))
    unit: NDArray[np.float32] = mean / length if length else rows[0]
    return unit
