"""What looks tell of one app: signatures in, which evidence is common and which names lead around out."""

from collections import Counter
from collections.abc import Iterable

from waypost.mapping.addresses import Addresses
from waypost.mapping.layers import LayerKind
from waypost.mapping.signature import Signature
from waypost.mapping.vocabulary import universal

__all__ = ["Knowledge", "tokens"]

_FEWEST = 0.1
_SHARED = 0.3
"""What a name that any app has counts at most, before this app has shown its own."""
_KEPT = 65_536
"""Sums that are remembered at most."""
_FRAME = 0.4
"""What a part that is neither said nor offered counts, against one that is."""


def tokens(s: Signature) -> frozenset[str]:
    """Return everything that a look can be found again by, each with its kind."""
    found = {f"r:{s.layer.value}|{s.route}", *s.frame, *s.body, *s.labels, *s.scrolled, *s.said}
    if s.title:
        found.add("t:" + s.title)
    found.update("w:" + r for r in s.rows)
    return frozenset(found)


class Knowledge:
    """Counts over the pages of one app; grown look by look, the same whatever the order."""

    def __init__(self) -> None:
        self.pages = 0
        self.addresses = Addresses()
        self.entries: Counter[str] = Counter()
        """Names that tabs, bars, drawers and menus offer, with the pages that offer them."""
        self._seen: Counter[str] = Counter()
        self._of: dict[str, set[str]] = {}
        self._offered: dict[str, set[str]] = {}
        self._listed: dict[str, set[str]] = {}
        self._weights: dict[str, float] = {}
        self._masses: dict[frozenset[str], float] = {}

    def learn(self, page: str, s: Signature) -> None:
        """Take in one look of `page`."""
        self.addresses.learn(s)
        self._changed()
        if page not in self._of:
            self.pages += 1
        mine = self._of.setdefault(page, set())
        new = tokens(s) - mine
        mine |= new
        self._seen.update(new)
        offered = self._offered.setdefault(page, set())
        fresh = set(s.entries)
        if s.layer in (LayerKind.DRAWER, LayerKind.MENU):
            fresh |= s.labels | s.scrolled | s.said | s.rows
        fresh -= offered
        offered |= fresh
        self.entries.update(fresh)
        if (
            not s.switches and s.layer is LayerKind.PAGE
        ):  # What can be set is listed by its name, not as content.
            for row in s.rows:
                self._listed.setdefault(row, set()).add(page)

    def forget(self, page: str) -> None:
        """Take a page out again, as when it turns out to be another one."""
        self._changed()
        if page in self._of:
            self.pages -= 1
            self._seen.subtract(self._of.pop(page))
            self.entries.subtract(self._offered.pop(page, set()))
            self.entries += Counter()
            self._seen += Counter()
            for pages in self._listed.values():
                pages.discard(page)

    def lists(self, name: str) -> frozenset[str]:
        """Return the pages that have a row of this name among their content."""
        return frozenset(self._listed.get(name, ()))

    def _changed(self) -> None:
        # Looks are compared far more often than one is learnt.
        self._weights.clear()
        self._masses.clear()

    def weight(self, token: str) -> float:
        """Return how much a token tells, 0.1 (every page has it) to 1."""
        known = self._weights.get(token)
        if known is None:
            known = self._weights[token] = self._weigh(token)
        return known

    def _weigh(self, token: str) -> float:
        rarity = max(_FEWEST, 1.0 - self._seen[token] / (self.pages + 2))
        if token in universal():
            return min(rarity, _SHARED)
        nameless = token.startswith(("group:", "row group:")) or token.endswith(":^")
        return rarity * _FRAME if nameless else rarity

    def rare(self, found: Iterable[str]) -> float:
        """Return how much tokens tell that few pages of many have; little while few pages are known."""
        shares = (
            max(0.0, 1.0 - (self._seen[t] + 2) / (self.pages + 4)) for t in found if t not in universal()
        )
        return sum(sorted(shares))

    def mass(self, found: frozenset[str]) -> float:
        """Return how much tokens tell together."""
        known = self._masses.get(found)
        if known is None:
            if len(self._masses) >= _KEPT:
                self._masses.clear()
            # Sorted, so that the sum never depends on the order of a set.
            known = self._masses[found] = sum(sorted(map(self.weight, found)))
        return known

    def jaccard(self, a: frozenset[str], b: frozenset[str]) -> float:
        """Return the weighted share of what either has that both have; 1 where neither has anything."""
        union = self.mass(a | b)
        return self.mass(a & b) / union if union else 1.0

    def overlap(self, a: frozenset[str], b: frozenset[str]) -> float:
        """Return the weighted share of the poorer one that the richer one has too."""
        least = min(self.mass(a), self.mass(b))
        return min(1.0, self.mass(a & b) / least) if least else 1.0
