"""Corrections at work: what a user said of pages in, what that means for a look or for two pages out."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from waypost.mapping.corrections import (
    Correction,
    Corrections,
    Ignore,
    Merge,
    Pin,
    Rename,
    Split,
    handles,
    static,
)
from waypost.mapping.knowledge import Knowledge, tokens
from waypost.mapping.levels import apart, listed
from waypost.mapping.match import compare
from waypost.mapping.recognise import Recogniser
from waypost.mapping.regions import Region, pruned
from waypost.mapping.signature import Signature, signature
from waypost.mapping.stored import signed
from waypost.model import Look, NodeId, Screen
from waypost.protocols import Reason

__all__ = ["Placed", "Teacher"]

C = TypeVar("C", bound=Correction)

_SAME = 0.4
_SURE = 0.8
"""Likeness from which a second page is a double of a pinned one."""
SAID = 12.0
"""Weight of what the user said: nothing outweighs it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a look belongs."""

    node: NodeId | None
    page: str = ""
    """The corrected page that it belongs to though this map does not have it yet."""


class Teacher:
    """Knows which pages of one map the corrections mean, by what the pages look like."""

    def __init__(self, corrections: Corrections) -> None:
        self.corrections = corrections
        self._bound: dict[str, NodeId] = {}
        self._regions: dict[str, tuple[Region, ...]] = {}
        for c in corrections.made:
            if isinstance(c, Ignore):
                self._regions[c.page] = (*self._regions.get(c.page, ()), c.region)

    def __bool__(self) -> bool:
        return bool(self.corrections.made)

    # What is evidence.

    def seen(self, look: Look) -> Signature:
        """Read a stored look; what it was recognised by does where nothing is to be left out."""
        return self.read(look.observation.screen) if self._regions else signed(look)

    def read(self, screen: Screen) -> Signature:
        """Read a look; what lies in an ignored region of its page is left out."""
        return self._cut(screen)[1]

    def _cut(self, screen: Screen) -> tuple[str, Signature]:
        """Return the page whose regions were left out of a look, and what was read."""
        for page, regions in self._regions.items():
            rest = pruned(screen, regions)
            if rest is not screen:
                s = signature(rest)
                # By itself, without what else is known of the app: the same look is always read the same.
                if _likeness(self.corrections.pages[page], s, Knowledge()) >= _SAME:
                    return page, s
        return "", signature(screen)

    def shown(self, screens: Iterable[Screen], page: str) -> bool:
        """Whether one of the screens shows a page with an ignored region."""
        return any(self._cut(screen)[0] == page for screen in screens)

    # Which pages are meant.

    def bind(self, page: str, eye: Recogniser) -> list[NodeId]:
        """Find what a corrected page is here: the node that most cited looks show, then its doubles."""
        counts: Counter[NodeId] = Counter()
        sure: dict[NodeId, None] = {}
        for cited in self.corrections.pages.get(page, ()):
            likely = eye.likely(cited)
            exact = [f.node for f in likely if any(static(k) == static(cited) for k in eye.looks(f.node))]
            node = exact[0] if exact else likely[0].node if likely and likely[0].score >= _SAME else None
            if node is not None:
                counts[node] += 1
                if exact or likely[0].score >= _SURE:
                    sure[node] = None
        if not counts:
            self._bound.pop(page, None)
            return []
        best = max(counts, key=lambda n: counts[n])
        self._bound[page] = best
        return [best, *(n for n in sure if n != best)]

    def bound(self, page: str) -> NodeId | None:
        """Return what a corrected page is on this map; None where it was not seen yet."""
        return self._bound.get(page)

    def take(self, page: str, node: NodeId) -> None:
        """Note that a page of the map is the corrected one."""
        self._bound[page] = node

    def moved(self, gone: NodeId, keep: NodeId) -> None:
        """Note that two pages of the map became one."""
        for page, node in self._bound.items():
            if node == gone:
                self._bound[page] = keep

    # What the corrections say.

    def place(self, s: Signature, found: NodeId | None, known: Knowledge) -> Placed:
        """Say where a recognised look belongs: on a page that was split, the nearest cited look decides."""
        for c in self._made(Split):
            sides = self._bound.get(c.page), self._bound.get(c.off)
            if found is not None and found in sides:
                side = self.nearest(s, c, known)
                return Placed(self._bound.get(side), side)
        return Placed(found)

    def nearest(self, s: Signature, split: Split, known: Knowledge) -> str:
        """Return which of the two pages of a split a look is nearer to."""
        mine, other = (
            max((_nearness(k, s, known) for k in self.corrections.pages.get(p, ())), default=-math.inf)
            for p in (split.page, split.off)
        )
        return split.off if other > mine else split.page

    def meant(self, s: Signature, known: Knowledge, *, level: bool = False) -> str:
        """Return the corrected page that a look of an unknown page shows; empty for none."""
        best = (0.0, "")
        for page, looks in self.corrections.pages.items():
            fit = [k for k in looks if not (level and apart(listed(k), listed(s)))]
            best = max(best, (_likeness(fit, s, known), page))
        return best[1] if best[0] >= _SAME else ""

    def twin(self, page: str, node: NodeId) -> NodeId | None:
        """Return the page that a newly founded one, which is `page`, has to be one with."""
        now = self._bound.setdefault(page, node)
        if now != node and (self.is_pinned(now) or any(page in handles(c) for c in self._made(Merge))):
            return now
        for c in self._made(Merge):
            if page in (c.page, c.other):
                twin = self._bound.get(c.other if page == c.page else c.page)
                if twin is not None and twin != node:
                    return twin
        return None

    def allows(self, one: NodeId, other: NodeId) -> bool:
        """Whether two pages may be joined by what they look like alone."""
        if self.is_pinned(one) or self.is_pinned(other):
            return False
        return not any({one, other} == self._ends(c.page, c.off) for c in self._made(Split))

    def is_pinned(self, node: NodeId) -> bool:
        return any(self._bound.get(c.page) == node for c in self._made(Pin))

    def name(self, node: NodeId) -> str:
        """Return the name that the user gave a page; empty for none."""
        named = [c.name for c in self._made(Rename) if self._bound.get(c.page) == node]
        return named[-1] if named else self.corrections.names.get(node, "")

    def reasons(self, one: NodeId, other: NodeId) -> Iterator[Reason]:
        """Yield what the user said of two pages being one, or of one page."""
        for c in self.corrections.made:
            ends = self._ends(*handles(c))
            match c:
                case Merge() if ends <= {one, other}:
                    yield Reason("correction", SAID, f"you merged {c.page!r} and {c.other!r}")
                case Split() if ends == {one, other}:
                    yield Reason("correction", -SAID, f"you split {c.off!r} off {c.page!r}")
                case Split() if one == other and one in ends:
                    yield Reason("correction", SAID, f"you split {c.off!r} off {c.page!r}; it is the nearer")
                case Pin() if ends & {one, other}:
                    yield Reason("correction", SAID if one == other else -SAID, f"you pinned {c.page!r}")
                case Rename() if one == other and ends == {one}:
                    yield Reason("correction", 0.1, f"you called it {c.name!r}")
                case Ignore() if ends & {one, other}:
                    yield Reason("correction", 0.1, f"you ignore {str(c.region)!r} on {c.page!r}")

    def _ends(self, *pages: str) -> set[NodeId]:
        return {node for page in pages if (node := self._bound.get(page)) is not None}

    def _made(self, kind: type[C]) -> Iterator[C]:
        return (c for c in self.corrections.made if isinstance(c, kind))


def _likeness(cited: Iterable[Signature], s: Signature, known: Knowledge) -> float:
    looks = list(cited)
    if any(static(s) == static(k) for k in looks):
        return 1.0
    return max((compare(k, s, known).score for k in looks), default=0.0)


def _nearness(a: Signature, b: Signature, known: Knowledge) -> float:
    """Return how near two looks are, where both may be the same page by all other evidence."""
    if static(a) == static(b):
        return math.inf
    mine, other = (tokens(s) | {f"s:{c}" for c in s.selected} for s in (a, b))
    shared = len(mine & other) / max(1, len(mine | other))
    return math.fsum(r.weight for r in compare(a, b, known).reasons) + _PLAIN * shared


_PLAIN = 4.0
"""What plain likeness counts: where the user corrected, the weights of evidence were wrong."""
