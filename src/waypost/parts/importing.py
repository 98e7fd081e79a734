"""Somebody else's map in, a map of ours out: nothing that is imported counts as tried or verified."""

import hashlib
import io
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from waypost.adapters.bounded import check_source, opened_picture
from waypost.adapters.foreign import IMPORTERS, Fault, Imported
from waypost.errors import MapError, UsageError
from waypost.library.words import clean
from waypost.mapping import Mapper, action_key
from waypost.mapping.changes import everything
from waypost.mapping.pagenames import unique
from waypost.model import (
    Action,
    AppGraph,
    ExploreStop,
    Hypernode,
    Look,
    NodeId,
    Observation,
    PageKind,
    Record,
    Screen,
    Source,
    Transition,
    TransitionKind,
)
from waypost.parts.face import Map
from waypost.parts.folders import map_folder
from waypost.parts.stores import made_store, stored

__all__ = ["FORMATS", "ImportedMap", "imported"]

FORMATS = tuple(IMPORTERS)


@dataclass(frozen=True, slots=True)
class ImportedMap:
    """What came of an import."""

    map: str
    format: str
    app: str
    pages: int
    looks: int
    transitions: int
    records: int
    faults: tuple[Fault, ...]
    """What was left out, by file and line."""

    def as_json(self) -> dict[str, Any]:
        names = ("map", "format", "app", "pages", "looks", "transitions", "records")
        return {n: getattr(self, n) for n in names} | {"faults": [asdict(f) for f in self.faults]}


def imported(format: str, path: Path, map: str | Path) -> ImportedMap:
    """Make a map of what another tool recorded. Raises UsageError, MapError where there is a map already."""
    if format not in IMPORTERS:
        raise UsageError(f"{format!r} is no format to import; choose one of {', '.join(FORMATS)}")
    folder = map_folder(map)
    if stored(folder):
        raise MapError(f"There is a map {str(map)!r} already; import under another name")
    check_source(path)
    source = IMPORTERS[format](path)
    pictures: dict[str, bytes] = {}
    graph, ids = graph_of(source, pictures)
    if not graph.nodes:
        raise UsageError(f"{str(path)!r} holds no page that can be used")
    store = made_store(folder, graph.app, graph.version, graph.profile)
    with Map(folder, store) as known:
        changes = everything(graph)
        changes.pictures.update(pictures)
        store.save(graph, changes)
        known.mapper, known.graph = Mapper(graph, store=store), graph
        seen = {r.node: r for r in known.seen()} if graph.root is not None else {}
        described = _described(source, ids, seen)
        records = len(known.remember(described).records) if graph.root is not None else 0
    return ImportedMap(
        map=str(map),
        format=format,
        app=graph.app,
        pages=len(list(graph.pages())),
        looks=sum(len(n.looks) for n in graph.nodes.values()),
        transitions=len(graph.transitions),
        records=records,
        faults=source.faults,
    )


def graph_of(source: Imported, pictures: dict[str, bytes]) -> tuple[AppGraph, dict[str, NodeId]]:
    """Build the graph, and say which page became which; pictures are gathered by their hash."""
    graph = AppGraph(
        source.app,
        source.version,
        profile=f"imported:{source.format}",
        stop=ExploreStop.INTERRUPTED,
    )
    ids = _kept_pages(source, graph, pictures) if source.same_pages else _found_pages(source, graph, pictures)
    for way in source.ways:
        if way.source in ids and way.target in ids:
            _add(graph, ids[way.source], way.action, ids[way.target])
    graph.root = _root(graph, ids.get(source.root))
    _measure(graph)
    return graph, ids


def _kept_pages(source: Imported, graph: AppGraph, pictures: dict[str, bytes]) -> dict[str, NodeId]:
    """Take every page of the source for a page."""
    ids: dict[str, NodeId] = {}
    taken: set[str] = set()
    for number, page in enumerate(source.pages, 1):
        node = ids[page.id] = NodeId(f"n{number}")
        name = page.name if page.name.isprintable() and len(page.name) <= 60 else clean(page.name, 60)
        name = unique(name, taken) if name else ""
        taken.add(name)
        shots = page.pictures or (None,) * len(page.screens)
        looks = tuple(_look(s, p, pictures) for s, p in zip(page.screens, shots, strict=True))
        graph.nodes[node] = Hypernode(node, name, page.kind, looks=looks)
    return ids


def _found_pages(source: Imported, graph: AppGraph, pictures: dict[str, bytes]) -> dict[str, NodeId]:
    """Take the states of the source for looks, and recognise pages among them."""
    mapper = Mapper(graph)
    ids: dict[str, NodeId] = {}
    for page in sorted(source.pages, key=lambda p: p.id != source.root):
        for screen, shot in zip(page.screens, page.pictures or (None,) * len(page.screens), strict=True):
            png = _png(shot)
            if png:
                pictures[hashlib.sha256(png).hexdigest()] = png
            ids[page.id] = mapper.enter(Observation(screen, png))
    found = {name: mapper.resolve(node) for name, node in ids.items()}
    for node, known in list(graph.nodes.items()):
        graph.nodes[node] = replace(known, visits=0, depth=-1, looks=tuple(_fresh(k) for k in known.looks))
    return found


def _fresh(look: Look) -> Look:
    return replace(look, visits=0)


def _look(screen: Screen, shot: Path | None, pictures: dict[str, bytes]) -> Look:
    png = _png(shot)
    name = hashlib.sha256(png).hexdigest() if png else ""
    if png:
        pictures[name] = png
    return Look(Observation(screen), name, 0)


def _png(path: Path | None) -> bytes:
    """Return a screenshot as PNG; empty where it cannot be read: the page is worth having without."""
    if path is None or not path.is_file():
        return b""
    from PIL import UnidentifiedImageError

    try:
        with opened_picture(path) as picture:
            out = io.BytesIO()
            picture.convert("RGB").save(out, "PNG")
            return out.getvalue()
    except (OSError, UnidentifiedImageError, ValueError):
        return b""


def _add(graph: AppGraph, source: NodeId, action: Action, target: NodeId) -> None:
    key = action_key(action)
    ends = (graph.nodes[source].kind, graph.nodes[target].kind)
    overlay = any(k is not PageKind.PAGE for k in ends)
    system = type(action).__name__ in ("Press", "Launch", "Wait")
    kind = TransitionKind.SYSTEM if system else TransitionKind.NAVIGATION
    told = getattr(action, "target", None)
    graph.transitions[source, key, target] = Transition(
        source,
        action,
        target,
        key,
        TransitionKind.OVERLAY if overlay else kind,
        # Never tried by us: what others counted says nothing of the app that is at hand.
        tries=0,
        successes=0,
        hazard=told.hazard if told else "",
    )


def _root(graph: AppGraph, told: NodeId | None) -> NodeId | None:
    """Return the first page: the one that was told or, where it is none, the one that leads to most."""
    if told is not None and graph.nodes[told].kind is PageKind.PAGE:
        return told
    pages = [n.id for n in graph.pages()]
    onward = _onward(graph)

    def reached(node: NodeId) -> int:
        seen, waiting = {node}, [node]
        while waiting:
            more = onward.get(waiting.pop(), set()) - seen
            seen |= more
            waiting += more
        return len(seen)

    return max(pages, key=reached, default=None)


def _onward(graph: AppGraph) -> dict[NodeId, set[NodeId]]:
    onward: dict[NodeId, set[NodeId]] = {}
    for step in graph.transitions.values():
        if step.kind is not TransitionKind.OVERLAY:
            onward.setdefault(step.source, set()).add(step.target)
    return onward


def _measure(graph: AppGraph) -> None:
    """Give every page its depth from the root."""
    if graph.root is None:
        return
    ring, depth = {graph.root}, 0
    seen: set[NodeId] = set()
    onward = _onward(graph)
    while ring:
        for node in ring:
            graph.nodes[node] = replace(graph.nodes[node], depth=depth)
        seen |= ring
        ring = {t for n in ring for t in onward.get(n, ())} - seen
        depth += 1


def _described(source: Imported, ids: dict[str, NodeId], seen: dict[NodeId, Record]) -> dict[NodeId, Record]:
    """Put the words of the source into the records: somebody's, so they count as a model's."""
    found: dict[NodeId, Record] = {}
    for page in source.pages:
        record = seen.get(ids.get(page.id, NodeId("")))
        summary, intents = clean(page.summary, 480), tuple(c for i in page.intents if (c := clean(i, 100)))
        if record is None or record.node in found or not (summary or intents):
            continue
        by = record.provenance
        if summary:
            record, by = replace(record, summary=summary), replace(by, summary=Source.MODEL)
        if intents:
            both = (*record.intents[:1], *intents)
            record, by = replace(record, intents=both), replace(by, intents=Source.MODEL)
        found[record.node] = replace(record, provenance=by, model=f"imported from {source.format}")
    return found
