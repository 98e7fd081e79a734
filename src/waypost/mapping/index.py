"""Which known pages a look may be: a signature in, the few worth comparing out."""

from collections import Counter

from waypost.mapping.knowledge import Knowledge, tokens
from waypost.mapping.signature import Signature
from waypost.model import NodeId

__all__ = ["PageIndex"]

_ASKED = 32
"""Rarest tokens of a look that are looked up."""
_CROWDED = 256
"""Pages from which a token tells too little to be looked up, while rarer ones are left."""


class PageIndex:
    """Tokens to pages, and exact digests to pages: a look is compared with few, however many are known."""

    def __init__(self) -> None:
        self._pages: dict[str, dict[NodeId, None]] = {}
        self._exact: dict[str, dict[NodeId, None]] = {}

    def add(self, page: NodeId, s: Signature) -> None:
        for token in tokens(s):
            self._pages.setdefault(token, {})[page] = None
        self._exact.setdefault(s.digest, {})[page] = None

    def remove(self, page: NodeId, s: Signature) -> None:
        for token in tokens(s):
            self._pages.get(token, {}).pop(page, None)
        self._exact.get(s.digest, {}).pop(page, None)

    def exact(self, s: Signature) -> NodeId | None:
        """Return the one page that was seen in just this way; None where there is none, or more than one."""
        holders = self._exact.get(s.digest, {})
        return next(iter(holders)) if len(holders) == 1 else None

    def candidates(self, s: Signature, known: Knowledge, limit: int = 8) -> list[NodeId]:
        """Return the pages that share the most telling evidence, best first."""
        asked = sorted(tokens(s), key=lambda t: (len(self._pages.get(t, ())), t))
        votes: Counter[NodeId] = Counter()
        left = _ASKED
        for token in asked:
            holders = self._pages.get(token)
            if not holders:
                continue
            if left <= 0 or (len(holders) > _CROWDED and votes):
                break
            left -= 1
            weight = known.weight(token)
            for page in holders:
                votes[page] += weight  # type: ignore[assignment]
        return sorted(votes, key=lambda p: (-votes[p], p))[:limit]
