"""Which page of the map a look shows: a signature and the way it was reached in, a page with reasons out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from weakref import ref

from waypost.mapping.index import PageIndex
from waypost.mapping.kinds import one_kind
from waypost.mapping.knowledge import Knowledge
from waypost.mapping.layers import LayerKind
from waypost.mapping.levels import Listed, apart, listed
from waypost.mapping.match import APART, Leaning, asks_other, compare
from waypost.mapping.places import Way
from waypost.mapping.signature import Signature
from waypost.mapping.stored import signed
from waypost.model import (
    Action,
    AppGraph,
    Evidence,
    Hypernode,
    Look,
    NodeId,
    PageKind,
    Role,
    Swipe,
    TypeText,
    Wait,
)
from waypost.protocols import Reason

__all__ = ["Found", "Recogniser"]


@dataclass(frozen=True, slots=True)
class Found:
    node: NodeId
    score: float
    reasons: tuple[Reason, ...] = ()


class Recogniser:
    """Signatures of all pages, indexed; grown by `learn` alone, the same whatever way the looks came."""

    def __init__(self, graph: AppGraph, read: Callable[[Look], Signature] = signed) -> None:
        self._graph, self._read = graph, read
        self.known = Knowledge()
        self._index = PageIndex()
        self._looks: dict[NodeId, list[Signature]] = {}
        self._sides: dict[tuple[PageKind, str, str], NodeId] = {}
        self._placed: dict[int, tuple[ref[Signature], Found | None]] = {}
        """By identity, the looks at hand that were placed without a way since something was learnt last."""

    def learn(self, node: Hypernode, s: Signature) -> None:
        """Take in one stored look of a page, in the order of the page's looks."""
        self._placed.clear()
        if node.kind is not PageKind.PAGE:
            owner = s.app if node.kind is PageKind.EXTERNAL else ""
            self._sides.setdefault((node.kind, node.overlay, owner), node.id)
            self._looks.setdefault(node.id, []).append(s)
            return
        self._looks.setdefault(node.id, []).append(s)
        self.known.learn(node.id, s)
        self._index.add(node.id, s)

    def side(self, kind: PageKind, overlay: str, app: str) -> NodeId | None:
        """Return the known side state of that kind; for other apps, that app's."""
        return self._sides.get((kind, overlay, app if kind is PageKind.EXTERNAL else ""))

    def look(self, node: NodeId, s: Signature) -> int | None:
        """Return which stored look of a page the signature equals."""
        looks = self._looks.get(node, [])
        return next((i for i, known in enumerate(looks) if known.digest == s.digest), None)

    def find(self, s: Signature, way: Way) -> Found | None:
        """Return the page that explains the look best; None where none does."""
        if way.source is not None:
            return self._find(s, way)
        # A look that is acted on is placed by the actor, by its guide and by who checks.
        at = id(s)
        placed = self._placed.get(at)
        if placed is None:
            if len(self._placed) >= _PLACED:
                self._placed.clear()
            placed = self._placed[at] = ref(s, lambda _: self._placed.pop(at, None)), self._find(s, way)
        return placed[1]

    def _find(self, s: Signature, way: Way) -> Found | None:
        if not (s.frame or s.body) and s.empty:
            return None
        exact = self._index.exact(s)
        if exact is not None:
            return Found(exact, 0.99, (Reason("exact", 10.0, "seen just so before"),))
        if s.empty:
            return None  # Of boxes alone no more than the very same ones tell a page: a clock, a canvas.
        best = self.nearest(s, way)
        return best if best is not None and best.score >= 0.5 else None

    def nearest(self, s: Signature, way: Way) -> Found | None:
        """Return the page most like a look, be it like enough or not."""
        best: Found | None = None
        for node in self._candidates(s, way):
            found = self.score(node, s, way)
            if found is not None and (best is None or found.score > best.score):
                best = found
        return best

    def likely(self, s: Signature) -> list[Found]:
        """Weigh a look against each page that it may be, the best first."""
        found = [f for node in self._candidates(s, Way()) if (f := self.score(node, s, Way()))]
        return sorted(found, key=lambda f: -f.score)

    def looks(self, node: NodeId) -> list[Signature]:
        """Return what is known of a page's looks."""
        return self._looks.get(node, [])

    def score(self, node: NodeId, s: Signature, way: Way) -> Found | None:
        """Weigh a look against the looks of one page; None where it has none."""
        looks = self._looks.get(node, [])
        leaning = self._leaning(node, s, way)
        best: Found | None = None
        if s.asks and (asking := [k for k in looks if k.asks]) and all(asks_other(k, s) for k in asking):
            looks = asking  # A look whose fields are covered joins no other form to this one.
        for known in looks:
            judged = compare(known, s, self.known, leaning)
            if best is None or judged.score > best.score:
                best = Found(node, judged.score, judged.reasons)
        return best

    def expected(self, way: Way) -> Found | None:
        """Return the page that the way led to before, for a look that says too little by itself."""
        if way.source is None:
            return None
        pages = [t for t in self._graph.outcomes(way.source, way.key) if self._is_page(t.target)]
        if pages:
            return Found(pages[0].target, 0.6, (Reason("way", 0.5, "the same action led there before"),))
        if isinstance(way.action, Wait) and self._is_page(way.source):
            return Found(way.source, 0.6, (Reason("way", 0.5, "nothing was done but waiting"),))
        return None

    def _is_page(self, node: NodeId) -> bool:
        known = self._graph.nodes.get(node)
        return known is not None and known.kind is PageKind.PAGE

    def _candidates(self, s: Signature, way: Way) -> list[NodeId]:
        found = dict.fromkeys(self._index.candidates(s, self.known))
        if way.source is not None:
            if self._is_page(way.source):
                found[way.source] = None
            for t in self._graph.outcomes(way.source, way.key):
                if self._is_page(t.target):
                    found[t.target] = None
            found.update(dict.fromkeys(self._siblings(way)))
        return list(found)

    def _siblings(self, way: Way) -> list[NodeId]:
        """Return where the other rows of the same repeated list led."""
        template = _template(way.action)
        if way.source is None or not template:
            return []
        return [
            t.target
            for t in self._graph.leaving(way.source)
            if t.key != way.key and _template(t.action) == template and self._is_page(t.target)
        ]

    def _leaning(self, node: NodeId, s: Signature, way: Way) -> Leaning:
        """Return what the way and the page's past say of the look being this page."""
        looks = self._looks.get(node, [])
        stays = node == way.source and isinstance(way.action, (Swipe, Wait, TypeText))
        if self._is_level(node) and not stays and apart(listed(s), self._listed(node)):
            return Leaning(APART, reason=_LEVEL)
        varied = len({k.title for k in looks if k.title}) > 1 and self._same_kind(node, s)
        if way.source is None:
            return Leaning(one_kind=varied)
        if any(t.target == node for t in self._graph.outcomes(way.source, way.key)):
            return Leaning(1.5, varied, "the same action led there before")
        if node == way.source:
            return self._from_itself(looks, s, way, varied)
        if node in self._siblings(way) and self._content(way) and self._same_kind(node, s):
            return Leaning(2.0, True, "another row of the same list led there")
        return Leaning(one_kind=varied)

    def _from_itself(self, looks: list[Signature], s: Signature, way: Way, varied: bool) -> Leaning:
        """Return whether an action may have left the page as it was."""
        if isinstance(way.action, Swipe) and any(k.path == s.path != "" for k in looks):
            return Leaning(5.0, varied, "scrolling leaves the page where the address stays")
        if isinstance(way.action, (Swipe, Wait, TypeText)):
            return Leaning(1.5, varied, "scrolling, typing and waiting seldom leave a page")
        target: Evidence | None = getattr(way.action, "target", None)
        if target is None or not looks:
            return Leaning(one_kind=varied)
        setting = target.role is Role.ITEM and any(k.switches for k in looks)
        if setting and any(k.title and k.title == s.title for k in looks):
            return Leaning(3.0, varied, f"{target.label!r} is a setting, and the title stayed")
        if target.role in _STATES:
            return Leaning(3.0, varied, f"{target.label!r} was switched, which seldom leaves a page")
        pressed = target.role in (Role.BUTTON, Role.LINK) and not target.template
        if pressed and all(_says_other(k, s) for k in looks):
            return Leaning(-8.0, varied, f"pressing {target.label!r} changed what is said")
        return Leaning(one_kind=varied)

    # Levels of one page

    def told_apart(self, one: NodeId, other: NodeId) -> Reason | None:
        """Return what keeps two pages apart where one of them is a level; None for nothing."""
        level = self._is_level(one) or self._is_level(other)
        others = level and apart(self._listed(one), self._listed(other))
        return Reason("level", APART, _LEVEL) if others else None

    def beside_levels(self, s: Signature, way: Way) -> bool:
        """Whether a look that no page explains shows one more level of a page that has some."""
        for node in self._candidates(s, way):
            if self._is_level(node):
                leaning = Leaning(one_kind=self._same_kind(node, s))
                if any(compare(k, s, self.known, leaning).same for k in self._looks[node]):
                    return True
        return False

    def _is_level(self, node: NodeId) -> bool:
        known = self._graph.nodes.get(node)
        return known is not None and known.level

    def _listed(self, node: NodeId) -> Listed:
        return listed(*self._looks.get(node, ()))

    def _content(self, way: Way) -> bool:
        """Whether the list that was tapped holds content, rather than ways around the app or settings."""
        looks = self._looks.get(way.source, []) if way.source else []
        plain_page = any(k.layer is LayerKind.PAGE for k in looks)
        return plain_page and not any(k.switches for k in looks)

    def _same_kind(self, node: NodeId, s: Signature) -> bool:
        """Whether a look has the page's controls and structure, whatever it is headed by."""
        return any(one_kind(k, s, self.known) for k in self._looks.get(node, []))

    def joinable(self, way: Way, node: NodeId) -> list[NodeId]:
        """Return the pages that other rows of the tapped list led to and that prove to be one with `node`."""
        siblings = [n for n in dict.fromkeys(self._siblings(way)) if n != node]
        if not siblings or not self._content(way):
            return []
        least = _ONE if len(self._rows_done(way)) < _SEVERAL else _FEW
        mine = self._looks.get(node, [])
        return [
            n
            for n in siblings
            if self.told_apart(n, node) is None
            and any(one_kind(a, b, self.known, least) for a in self._looks[n] for b in mine)
        ]

    def _rows_done(self, way: Way) -> set[str]:
        template = _template(way.action)
        return {
            t.key for t in self._graph.leaving(way.source or NodeId("")) if _template(t.action) == template
        }

    def kindred(self) -> list[list[NodeId]]:
        """Return, once, the pages of each kind of address that was lately found to name items."""
        addresses = self.known.addresses
        if not addresses.turned:
            return []
        addresses.turned.clear()
        groups: dict[tuple[LayerKind, str], list[NodeId]] = {}
        for node, looks in self._looks.items():
            if looks and self._is_page(node):
                for pattern in addresses.patterns(looks[0].route):
                    groups.setdefault((looks[0].layer, pattern), []).append(node)
        return [g for g in groups.values() if len(g) > 1]

    def join(self, keep: Hypernode, gone: NodeId) -> None:
        """Take in that two pages became one."""
        self._relearn((keep.id, gone), (keep,))

    def part(self, stay: Hypernode, off: Hypernode) -> None:
        """Take in that a page became two."""
        self._relearn((stay.id,), (stay, off))

    def _relearn(self, old: Iterable[NodeId], new: Iterable[Hypernode]) -> None:
        self._placed.clear()
        for page in old:
            for s in self._looks.pop(page, []):
                self._index.remove(page, s)
            self.known.forget(page)
        for node in new:
            for look in node.looks:
                self.learn(node, self._read(look))


_ONE, _FEW, _SEVERAL = 1.0, 0.4, 3
"""What two items must share: after one row of a list, and after several rows led to the like."""
_LEVEL = "its rows tell it from other levels of its page, and these are others"
_PLACED = 1024
"""Looks whose place is remembered at most; one that is gone is forgotten."""
_STATES = (Role.SWITCH, Role.CHECKBOX, Role.RADIO, Role.SLIDER)


def _says_other(a: Signature, b: Signature) -> bool:
    """Whether each of two looks has something to read that the other lacks, in another arrangement."""
    arranged = a.frame | a.body == b.frame | b.body
    return bool(a.said - b.said) and bool(b.said - a.said) and not arranged


def _template(action: Action | None) -> str:
    evidence = getattr(action, "target", None)
    return evidence.template if evidence is not None else ""
