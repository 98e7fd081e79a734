"""Turn a map into destination records: `AppGraph` and `Planner` in, `Record`s out. No model is asked.

TAG-Nav, sections 3.2 and C.1: summary of the foreground layer, direct intents, waypoints without
detours, hints that tell look-alikes apart. Here all of it is extracted from what was seen.
"""

import math
from collections import Counter

from waypost.library import wording
from waypost.library.survey import Page, survey, target_of
from waypost.library.words import clean, fold
from waypost.mapping import LayerKind, loading
from waypost.mapping.addresses import lies_over
from waypost.mapping.match import asks_other
from waypost.mapping.signature import Signature, layer_mark, signature
from waypost.model import AppGraph, NodeId, Plan, PlanStatus, Record
from waypost.protocols import Planner

__all__ = ["distil"]


def distil(graph: AppGraph, planner: Planner) -> tuple[Record, ...]:
    """Describe every page that the root can reach, nearest first; what cannot be reached gets no record."""
    if graph.root is None:
        return ()
    pages = survey(graph)
    plans = {node: planner.plan(graph, graph.root, node) for node in pages}
    plans = {node: plan for node, plan in plans.items() if plan.found}
    depth = {node: len(plan.steps) for node, plan in plans.items()}
    order = _once(graph, sorted(plans, key=lambda n: (depth[n], n)))
    entries = {node: wording.entry_labels(pages[node], depth) for node in order}
    names = _names(graph, pages, plans, order, entries)
    return tuple(_record(graph, pages, plans[node], names, entries[node], depth) for node in order)


def _once(graph: AppGraph, order: list[NodeId]) -> list[NodeId]:
    """Leave out a layer of a web app that opens nearer the start too, over another page."""
    kept: dict[str, list[Signature]] = {}
    found = []
    for node in order:
        s = signature(graph.nodes[node].looks[0].observation.screen)
        if s.path and s.layer is not LayerKind.PAGE:
            same = kept.setdefault(layer_mark(s), [])
            if any(lies_over(k.route) != lies_over(s.route) and not asks_other(k, s) for k in same):
                continue
            same.append(s)
        found.append(node)
    return found


def _names(
    graph: AppGraph,
    pages: dict[NodeId, Page],
    plans: dict[NodeId, Plan],
    order: list[NodeId],
    entries: dict[NodeId, list[str]],
) -> dict[NodeId, str]:
    """Name every page once: the map's own name where it has one, else by what is seen."""
    own = {n: clean(graph.nodes[n].name, 60) for n in order}
    # The map names what it sees first; where that is an arrow or a cross, the way in says more.
    own = {n: "" if wording.says_nothing(wording.bare(name)) else name for n, name in own.items()}
    wanted = {n: own[n] or clean(wording.called(pages[n], entries[n], graph.app), 60) for n in order}
    counted = Counter(w.casefold() for w in wanted.values())
    names: dict[NodeId, str] = {}
    taken: set[str] = set()
    for node in order:
        name = wanted[node]
        if counted[name.casefold()] > 1 and plans[node].steps:
            way_in = next((e for e in entries[node] if e.casefold() != name.casefold()), "")
            source = plans[node].steps[-1].source
            parent = "" if source == graph.root else wanted.get(source, "")
            if extra := way_in or parent or wording.heading(pages[node], name):
                name = f"{name} ({extra})"
        base, n = name, 2
        while name.casefold() in taken:
            name, n = f"{base} {n}", n + 1
        taken.add(name.casefold())
        names[node] = name
    return names


def _record(
    graph: AppGraph,
    pages: dict[NodeId, Page],
    plan: Plan,
    names: dict[NodeId, str],
    entries: list[str],
    depth: dict[NodeId, int],
) -> Record:
    node = plan.goal
    page, name = pages[node], names[node]
    title = clean(wording.called(page, entries, graph.app), 60)
    labels = [title, *entries] if fold(title) not in name.casefold() else entries
    return Record(
        node=node,
        member=page.member,
        name=name,
        summary=wording.summary(page, name, labels, wording.row_of(page, pages, names, depth)),
        intents=wording.intents(page, name, labels),
        waypoints=_waypoints(graph, plan, names),
        hints=wording.hints(plan, pages, names),
        depth=len(plan.steps),
        modal=page.reading.layer is not LayerKind.PAGE,
        loading=loading(graph.nodes[node].looks[page.member].observation.screen),
        hazards=_hazards(graph, node),
        confidence=round(math.prod(s.reliability for s in plan.steps), 2),
        version=graph.version,
    )


def _waypoints(graph: AppGraph, plan: Plan, names: dict[NodeId, str]) -> tuple[str, ...]:
    way = [graph.root or plan.goal, *(s.target for s in plan.steps)]
    cleaned: list[NodeId] = []
    for node in way:
        if node in cleaned:
            # Back where the way already was: what lies between was a loop.
            del cleaned[cleaned.index(node) + 1 :]
        elif node in names:
            cleaned.append(node)
    assert plan.status is not PlanStatus.UNREACHABLE
    return tuple(names[n] for n in cleaned)


def _hazards(graph: AppGraph, node: NodeId) -> tuple[str, ...]:
    actions = [t.action for t in graph.leaving(node)]
    actions += [s.action for s in graph.skipped.values() if s.node == node]
    targets = [target_of(action) for action in actions]
    labels = [t.label for t in targets if t and t.hazard and t.label]
    return tuple(sorted({clean(label, 60) for label in labels}))
