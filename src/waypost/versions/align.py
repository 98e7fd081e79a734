"""Which page of one map is which page of another: two maps in, pairs of pages out."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from waypost.mapping.index import PageIndex
from waypost.mapping.knowledge import Knowledge
from waypost.mapping.levels import apart, listed
from waypost.mapping.mapper import Mapper
from waypost.mapping.match import compare
from waypost.mapping.signature import Signature
from waypost.model import AppGraph, NodeId, Observation, PageKind, Transition
from waypost.versions.edges import forward, place

__all__ = ["Alignment", "align", "retitled"]

_LOOKS = 4
"""Looks of an old page that are held against all looks of a new one."""
_NEAR = 8
"""Pages that are compared with each."""
_WAY, _PARENT, _CHILD = 4.0, 1.0, 1.0
"""Log-odds for pages of different titles: the same control of the same page leads there; another control of
it does; the same control leads on to the same page."""
_CHILDREN = 3.0
_SURELY = 0.9
_FOREIGN = 0.3
"""Share of words in common below which two maps are held to be in two languages."""
_BUILT = 0.6
"""Share of the parts that two pages in two languages must have in common."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Pages of an old map and their counterparts on a new one; what is in neither stands alone."""

    pairs: dict[NodeId, NodeId] = field(default_factory=dict)
    """By old page, its new one."""
    languages: bool = False
    """Whether the maps are in two languages, so that words tell nothing."""

    @property
    def back(self) -> dict[NodeId, NodeId]:
        """By new page, its old one."""
        return {new: old for old, new in self.pairs.items()}


def align(old: Mapper, new: Mapper) -> Alignment:
    """Pair the pages of two maps: by their looks; then, where a title changed, by what they hold and by
    what leads to them; and between two languages by how they are built and where they lie.
    """
    sides = _Side(old), _Side(new)
    known = Knowledge()
    for name, side in zip("on", sides, strict=True):
        for node, looks in side.looks.items():
            for s in looks:
                known.learn(f"{name}:{node}", s)
    pairs: dict[NodeId, NodeId] = {}
    _take(pairs, _alike(*sides, known), 0.5)
    foreign = _words_shared(*sides) < _FOREIGN
    if foreign:
        _by_place(pairs, *sides)
    while True:
        before = len(pairs)
        _take(pairs, _retitled(pairs, *sides, known), 0.0)
        if len(pairs) == before:
            return Alignment(pairs, foreign)


class _Side:
    """One map, as far as it matters here: looks read once, edges by their ends."""

    def __init__(self, mapper: Mapper) -> None:
        self.graph: AppGraph = mapper.graph
        self.looks: dict[NodeId, list[Signature]] = {
            n.id: [mapper.read(k.observation.screen) for k in n.looks]
            for n in mapper.graph.nodes.values()
            if n.kind is PageKind.PAGE and n.looks
        }
        self._listed = {n: listed(*looks) for n, looks in self.looks.items()}
        self.into: dict[NodeId, list[Transition]] = {}
        self.out: dict[NodeId, list[Transition]] = {}
        for t in forward(mapper.graph):
            self.into.setdefault(t.target, []).append(t)
            self.out.setdefault(t.source, []).append(t)

    def other_level(self, mine: NodeId, side: "_Side", other: NodeId) -> bool:
        """Whether two pages, one of each map, are levels that list other things."""
        level = self.graph.nodes[mine].level or side.graph.nodes[other].level
        return level and apart(self._listed[mine], side._listed[other])


_Scored = Iterable[tuple[float, NodeId, NodeId]]


def _take(pairs: dict[NodeId, NodeId], scored: _Scored, least: float) -> None:
    """Take the best pairs first, each page once."""
    taken = set(pairs.values())
    for score, a, b in sorted(scored, key=lambda p: (-p[0], p[1], p[2])):
        if score >= least and a not in pairs and b not in taken:
            pairs[a] = b
            taken.add(b)


def _alike(old: _Side, new: _Side, known: Knowledge) -> _Scored:
    index = PageIndex()
    for node, looks in new.looks.items():
        for s in looks:
            index.add(node, s)
    for a, looks in old.looks.items():
        near = dict.fromkeys(n for s in looks[:_LOOKS] for n in index.candidates(s, known, _NEAR))
        for b in near:
            if old.other_level(a, new, b):
                continue
            # Of pages that look the same, the one is meant that the same controls lead to.
            ways = {t.key for t in old.into.get(a, ())}, {t.key for t in new.into.get(b, ())}
            both = len(ways[0] & ways[1]) / max(1, len(ways[0] | ways[1]))
            yield _best(looks[:_LOOKS], new.looks[b], known) + (0.1 * both), a, b


def _best(mine: Iterable[Signature], other: Iterable[Signature], known: Knowledge) -> float:
    other = list(other)
    found = (1.0 if a.digest == b.digest else compare(a, b, known).score for a in mine for b in other)
    return max(found, default=0.0) - 0.1


def _retitled(pairs: dict[NodeId, NodeId], old: _Side, new: _Side, known: Knowledge) -> _Scored:
    """Weigh the pages that are left without their titles, and with what leads to them and on from them."""
    taken = set(pairs.values())
    for a, looks in old.looks.items():
        if a in pairs:
            continue
        for b, others in new.looks.items():
            if b in taken or looks[0].layer is not others[0].layer or old.other_level(a, new, b):
                continue
            content = _best(map(_untitled, looks[:_LOOKS]), map(_untitled, others), known) + 0.1
            odds = math.log(max(content, 1e-9) / max(1.0 - content, 1e-9))
            told = _by_ways(pairs, old.into.get(a, []), new.into.get(b, [])) + _onward(pairs, old, new, a, b)
            # Neither alone will do: many pages are built alike, and many ways lead on from one page.
            if odds > -3.0 and told > 0.0:
                yield min(odds, 3.0) + told - _WAY, a, b


def _untitled(s: Signature) -> Signature:
    gone = {s.title}
    return replace(
        s, title="", labels=s.labels - gone, scrolled=s.scrolled - gone, said=s.said - gone, digest=""
    )


def _by_ways(pairs: dict[NodeId, NodeId], into: list[Transition], others: list[Transition]) -> float:
    there = {(t.source, t.key) for t in others}
    parents = {t.source for t in others}
    best = 0.0
    for t in into:
        source = pairs.get(t.source)
        if source is None:
            continue
        if (source, t.key) in there:
            return _WAY
        if source in parents:
            best = _PARENT
    return best


def _onward(pairs: dict[NodeId, NodeId], old: _Side, new: _Side, a: NodeId, b: NodeId) -> float:
    onward = {(t.key, t.target) for t in new.out.get(b, ())}
    kept = sum(1 for t in old.out.get(a, ()) if (t.key, pairs.get(t.target)) in onward)
    return min(_CHILDREN, _CHILD * kept)


def retitled(mapper: Mapper, node: NodeId, look: Observation) -> bool:
    """Whether a look that no page explains is surely a page whose title changed."""
    known = Knowledge()
    looks = [mapper.read(k.observation.screen) for k in mapper.graph.nodes[node].looks]
    for s in looks:
        known.learn(node, s)
    s = mapper.read(look.screen)
    alike = [k for k in looks if k.layer is s.layer and k.app == s.app]
    return _best([_untitled(s)], map(_untitled, alike), known) + 0.1 >= _SURELY


# Two languages


def _words_shared(old: _Side, new: _Side) -> float:
    """Return the share of the poorer map's names that the richer one has too."""
    mine, other = (
        {w for looks in side.looks.values() for s in looks for w in s.labels | s.scrolled | {s.title} if w}
        for side in (old, new)
    )
    return len(mine & other) / max(1, min(len(mine), len(other)))


def _by_place(pairs: dict[NodeId, NodeId], old: _Side, new: _Side) -> None:
    """Walk both maps from their starts and pair what the same control, by kind and order, leads to."""
    root, other = old.graph.root, new.graph.root
    if root is None or other is None:
        return
    if root not in pairs and other not in pairs.values():
        pairs[root] = other
    waiting, done = [root], set[NodeId]()
    while waiting:
        at = waiting.pop(0)
        if at in done or at not in pairs:
            continue
        done.add(at)
        theirs = place(new.out.get(pairs[at], []), new.graph)
        for where, t in place(old.out.get(at, []), old.graph).items():
            twin = theirs.get(where)
            if twin is None:
                continue
            free = t.target not in pairs and twin.target not in pairs.values()
            if free and _built_alike(old.looks.get(t.target, []), new.looks.get(twin.target, [])):
                pairs[t.target] = twin.target
            waiting.append(t.target)


def _built_alike(mine: list[Signature], other: list[Signature]) -> bool:
    return any(
        a.layer is b.layer
        and len((a.frame | a.body) & (b.frame | b.body))
        >= _BUILT * max(1, min(len(a.frame | a.body), len(b.frame | b.body)))
        for a in mine
        for b in other
    )
