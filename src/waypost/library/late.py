"""Compare a question with pages word piece by word piece: readings in, one score a page out.

Late interaction (ColBERT, Khattab and Zaharia 2020): each word piece of the question looks for its best
match on the page. One vector must say all of a page at once; this lets a single row of it speak.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.library.vectors import Tokens
from waypost.protocols import Reading

__all__ = ["Late"]


class Late:
    """The word pieces of all pages, in one table."""

    def __init__(self, pages: Sequence[Tokens]) -> None:
        lengths = np.array([len(p) for p in pages], np.int64)
        self._starts = np.concatenate([[0], np.cumsum(lengths)])
        some = [p for p in pages if len(p)]
        self._table: Tokens = np.concatenate(some) if some else np.zeros((0, 1), np.float16)

    def interaction(self, asked: Reading, pages: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the mean of the question's best matches, a page each; NaN where one of both has no tokens.

        >>> up, right = np.eye(2, dtype=np.float32)
        >>> question = Reading(up, np.stack([up, right]), np.array([0.75, 0.25], np.float32))
        >>> pages = [np.stack([up]).astype(np.float16), np.zeros((0, 2), np.float16)]
        >>> Late(pages).interaction(question, np.array([0, 1]))
        array([0.75,  nan])
        """
        scores = np.full(len(pages), np.nan)
        spans = [np.arange(self._starts[p], self._starts[p + 1]) for p in pages]
        filled = [i for i, span in enumerate(spans) if len(span)]
        if not len(asked.tokens) or not filled:
            return scores
        met = self._table[np.concatenate([spans[i] for i in filled])].astype(np.float32)
        matches = asked.tokens @ met.T
        first = np.concatenate([[0], np.cumsum([len(spans[i]) for i in filled])[:-1]])
        scores[filled] = asked.shares @ np.maximum.reduceat(matches, first, axis=1)
        return scores
