"""What changed between two maps of one app: two maps in, pages and routes that differ out."""

from dataclasses import dataclass, field

from waypost.mapping.grounding import ground
from waypost.mapping.mapper import Mapper
from waypost.mapping.signature import Signature
from waypost.model import AppGraph, ExploreStop, NodeId, Transition
from waypost.versions.align import Alignment, align
from waypost.versions.edges import forward, is_item, parents
from waypost.versions.entries import Offer, Offers

__all__ = ["Broken", "Changed", "Diff", "Moved", "PageRef", "Renamed", "diff"]


@dataclass(frozen=True, slots=True)
class PageRef:
    """A page of one of the two maps."""

    id: NodeId
    name: str


@dataclass(frozen=True, slots=True)
class Moved:
    """One page that other pages lead to than before."""

    old: PageRef
    new: PageRef
    was: tuple[str, ...]
    """Names of the pages on the way there, the start and the page itself included."""
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Renamed:
    old: PageRef
    new: PageRef
    was: str
    """What it was headed by."""
    now: str


@dataclass(frozen=True, slots=True)
class Changed:
    """One page that offers other things than before; what lists hold is no change."""

    old: PageRef
    new: PageRef
    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A step of the old map between two pages that are both still there."""

    source: PageRef
    target: PageRef
    key: str
    label: str
    why: str


@dataclass(frozen=True, slots=True)
class Diff:
    alignment: Alignment
    added: tuple[PageRef, ...] = ()
    gone: tuple[PageRef, ...] = ()
    moved: tuple[Moved, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    changed: tuple[Changed, ...] = ()
    broken: tuple[Broken, ...] = ()
    unsure: tuple[str, ...] = field(default=())
    """Why what is told as new or gone may merely not have been seen."""

    def __bool__(self) -> bool:
        return bool(self.added or self.gone or self.moved or self.renamed or self.changed or self.broken)


def diff(old: Mapper, new: Mapper, alignment: Alignment | None = None) -> Diff:
    """Hold two maps of one app against each other. Between two languages, words are no difference."""
    found = alignment or align(old, new)
    pairs = sorted(found.pairs.items(), key=lambda p: _order(old.graph, p[0]))
    words = not found.languages
    before, after = Offers(old.graph), Offers(new.graph)
    changes = [
        _changed(old.graph, new.graph, (a, before.offered(a)), (b, after.offered(b))) for a, b in pairs
    ]
    return Diff(
        found,
        added=tuple(_ref(new.graph, n.id) for n in _pages(new.graph) if n.id not in found.back),
        gone=tuple(_ref(old.graph, n.id) for n in _pages(old.graph) if n.id not in found.pairs),
        moved=tuple(_moved(old.graph, new.graph, found)),
        renamed=tuple(r for a, b in pairs if words and (r := _renamed(old, new, a, b))),
        changed=tuple(c for c in changes if words and c),
        broken=tuple(_broken(old.graph, new.graph, found, before)) if words else (),
        unsure=tuple(
            f"the {which} map is not complete ({m.graph.stop.value})"
            for which, m in (("old", old), ("new", new))
            if m.graph.stop is not ExploreStop.COMPLETE
        ),
    )


def _order(graph: AppGraph, node: NodeId) -> tuple[bool, int, str]:
    n = graph.nodes[node]
    return n.depth < 0, n.depth, n.name


def _pages(graph: AppGraph) -> list[PageRef]:
    return [_ref(graph, i) for i in sorted((n.id for n in graph.pages()), key=lambda i: _order(graph, i))]


def _ref(graph: AppGraph, node: NodeId) -> PageRef:
    return PageRef(node, graph.nodes[node].name)


def _moved(old: AppGraph, new: AppGraph, found: Alignment) -> list[Moved]:
    above, over = parents(old), parents(new)
    moved = []
    for a, b in found.pairs.items():
        was, now = above.get(a, set()), over.get(b, set())
        if was and now and not {found.pairs.get(p) for p in was} & now:
            moved.append(Moved(_ref(old, a), _ref(new, b), _way(old, above, a), _way(new, over, b)))
    return sorted(moved, key=lambda m: (len(m.was), m.old.name))


def _way(graph: AppGraph, above: dict[NodeId, set[NodeId]], node: NodeId) -> tuple[str, ...]:
    """Name the pages from the start down to a page, by the nearest parents."""
    way = [node]
    while way[-1] != graph.root and above.get(way[-1]):
        way.append(min(above[way[-1]], key=lambda n: _order(graph, n)))
    return tuple(graph.nodes[n].name for n in reversed(way))


def _renamed(old: Mapper, new: Mapper, a: NodeId, b: NodeId) -> Renamed | None:
    """Return the change of a page's title; where the title is an item's name, it is content."""
    if is_item(old.graph, a) or is_item(new.graph, b):
        return None
    was, now = _titles(old, a), _titles(new, b)
    if not was or not now or set(was) & set(now):
        return None
    return Renamed(_ref(old.graph, a), _ref(new.graph, b), was[0], now[0])


def _titles(mapper: Mapper, node: NodeId) -> list[str]:
    looks: list[Signature] = [mapper.read(k.observation.screen) for k in mapper.graph.nodes[node].looks]
    return list(dict.fromkeys(s.title for s in looks if s.title and s.titled))


def _changed(
    old: AppGraph, new: AppGraph, one: tuple[NodeId, Offer], other: tuple[NodeId, Offer]
) -> Changed | None:
    (a, before), (b, after) = one, other
    # What was not scrolled to is not gone, and what could not be compared is not new.
    added = after.lasting - before.seen if _whole(old, a) else frozenset()
    removed = before.lasting - after.seen if _whole(new, b) else frozenset()
    if not added and not removed:
        return None
    return Changed(_ref(old, a), _ref(new, b), tuple(sorted(added)), tuple(sorted(removed)))


def _whole(graph: AppGraph, node: NodeId) -> bool:
    """Whether all of a page was seen: nothing on it is left to be scrolled."""
    return not any(key.startswith("swipe:") for key in graph.untried.get(node, ()))


def _broken(old: AppGraph, new: AppGraph, found: Alignment, offers: Offers) -> list[Broken]:
    ahead = {(t.source, t.target) for t in forward(old)}
    broken = []
    for t in forward(old):
        source, target = found.pairs.get(t.source), found.pairs.get(t.target)
        if source is None or target is None or not offers.lasts(t):
            continue
        why = _why_broken(t, new, source, target, closes=(t.target, t.source) in ahead)
        if why:
            evidence = getattr(t.action, "target", None)
            label = (evidence.label or evidence.resource_id) if evidence else t.key
            broken.append(Broken(_ref(old, t.source), _ref(old, t.target), t.key, label, why))
    return sorted(broken, key=lambda x: (x.source.name, x.label, x.key))


def _why_broken(t: Transition, new: AppGraph, source: NodeId, target: NodeId, *, closes: bool) -> str:
    """Say why a step is no longer to be had; empty where it is, or where nothing speaks against it."""
    led = new.outcomes(source, t.key)
    if any(o.target == target for o in led):
        return ""
    if led and not closes and len(led) == 1:
        return f"leads to {new.nodes[led[0].target].name!r} now"
    evidence = getattr(t.action, "target", None)
    if led or evidence is None or not _whole(new, source):
        return ""
    there = any(ground(evidence, k.observation.screen) for k in new.nodes[source].looks)
    return "" if there else f"{evidence.label or evidence.resource_id!r} is not on {new.nodes[source].name!r}"
