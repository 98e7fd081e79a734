"""The paper's identity: pictures and layouts alike, both within thresholds (TAG-Nav, App. B.1)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from waypost.matchers.grouping import judged
from waypost.matchers.reading import Kept, short_class, short_id
from waypost.matchers.text_embedding import text_vector
from waypost.model import Element, Screen
from waypost.protocols import Comparison, Embedder, ImageEmbedder, Reason

__all__ = ["Similarity", "TagNavMatcher", "both_reach", "orders", "tree_distance"]


@dataclass(frozen=True, slots=True)
class Similarity:
    """How alike two looks are, each 0 to 1."""

    visual: float | None
    """Cosine of the pictures; None where one of the looks has none."""
    layout: float
    """Mean of what the trees and the layout texts have in common."""


class TagNavMatcher:
    """One page where screenshots are as near as `visual`, and layouts as near as `layout`.

    The paper gives neither threshold nor how tree edit distance and layout text are mixed: the mean is
    ours, and so are these values. It embeds pictures with CLIP; whichever `images` is given is used here.
    Where `pictures` has none for a look, the layout decides alone. The tree edit distance is a lower bound:
    that of the trees' tokens in preorder and in postorder, whichever is larger.
    """

    def __init__(
        self,
        texts: Embedder,
        images: ImageEmbedder,
        pictures: Callable[[Screen], bytes] = lambda screen: b"",
        *,
        visual: float = 0.90,
        layout: float = 0.85,
    ) -> None:
        self.visual, self.layout = visual, layout
        self._texts = Kept(lambda screen: text_vector(screen, texts))
        self._trees = Kept(lambda screen: orders(screen.root))
        self._images = Kept(lambda screen: _picture(pictures(screen), images))

    def similarity(self, a: Screen, b: Screen) -> Similarity:
        """Return what the thresholds are held against."""
        one, other = self._images(a), self._images(b)
        visual = None if one is None or other is None else max(0.0, float(one @ other))
        words = max(0.0, float(self._texts(a) @ self._texts(b)))
        trees = 1.0 - tree_distance(self._trees(a), self._trees(b))
        return Similarity(visual, 0.5 * trees + 0.5 * words)

    def compare(self, a: Screen, b: Screen) -> Comparison:
        if a == b:
            return Comparison(1.0, (Reason("equal", 12.0, "the two looks are equal"),))
        if a.app != b.app:
            return Comparison(0.0, (Reason("app", -12.0, f"another app: {a.app!r} and {b.app!r}"),))
        found = self.similarity(a, b)
        scores = [judged(found.layout, self.layout)]
        reasons = [Reason("layout", found.layout - self.layout, f"layouts alike by {found.layout:.3f}")]
        if found.visual is None:
            reasons.append(Reason("picture", 0.0, "no picture of one of them"))
        else:
            scores.append(judged(found.visual, self.visual))
            reasons.append(
                Reason("picture", found.visual - self.visual, f"pictures alike by {found.visual:.3f}")
            )
        return Comparison(min(scores), tuple(reasons))


def both_reach(
    visual: NDArray[np.float32], layout: NDArray[np.float32], thresholds: tuple[float, float]
) -> NDArray[np.bool_]:
    """Return which pairs are one page by given thresholds; NaN in `visual` stands for no picture."""
    seen = np.isnan(visual) | (visual >= thresholds[0])
    return seen & (layout >= thresholds[1])


def _picture(png: bytes, images: ImageEmbedder) -> NDArray[np.float32] | None:
    return images.embed([png])[0] if png else None


Orders = tuple[list[str], list[str]]
"""The tokens of a tree in preorder and in postorder."""


def orders(root: Element) -> Orders:
    """Return a tree's tokens (class and id) in both orders, what cannot be seen left out."""
    before: list[str] = []
    after: list[str] = []
    stack: list[tuple[Element, bool]] = [(root, False)]
    while stack:
        element, left = stack.pop()
        token = f"{short_class(element)}#{short_id(element)}"
        if left:
            after.append(token)
            continue
        before.append(token)
        stack.append((element, True))
        stack.extend((c, False) for c in reversed(element.children) if _shows(c))
    return before, after


def _shows(element: Element) -> bool:
    return (element.visible and element.bounds.area > 0) or any(_shows(c) for c in element.children)


def tree_distance(a: Orders, b: Orders) -> float:
    """Return the distance of two trees over the larger one's size: 0 equal, 1 nothing in common.

    >>> tree_distance((["a#", "b#", "c#"], ["b#", "c#", "a#"]), (["a#", "c#"], ["c#", "a#"]))
    0.3333333333333333
    """
    edits = max(Levenshtein.distance(x, y) for x, y in zip(a, b, strict=True))
    return edits / max(len(a[0]), len(b[0]))
