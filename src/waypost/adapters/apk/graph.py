"""What a package claims as a map: a `StaticApp` in, pages and steps marked `static` out.

A page an activity, one a menu, and, where an app lists its own activities by their labels, one a folder of
that list. Nothing of it was seen: every step is unverified, and believed no more than an untried Back.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from waypost.adapters.apk.app import Activity, Control, Leads, StaticApp
from waypost.model import (
    AppGraph,
    Bounds,
    Element,
    Evidence,
    Hypernode,
    Look,
    NodeId,
    Observation,
    Role,
    Screen,
    Tap,
    Transition,
)

__all__ = ["STATIC", "static_graph"]

STATIC = "static"
_WIDTH, _HEIGHT, _ROW = 1080, 2400, 100
_ROLES = {
    "Button": Role.BUTTON,
    "ImageButton": Role.BUTTON,
    "CheckBox": Role.CHECKBOX,
    "EditText": Role.FIELD,
    "TextView": Role.TEXT,
    "ImageView": Role.IMAGE,
    "item": Role.ITEM,
}


def static_graph(app: StaticApp) -> AppGraph:
    """Draw the map of what an app claims; its depth counts from the launcher's activity."""
    graph = AppGraph(app.package, version=app.version)
    stand_for = {a.name: a.target for a in app.activities if a.target}
    for activity in app.activities:
        if not activity.target:
            _page(graph, app, NodeId(activity.name), activity.label, _controls(app, activity))
    for lead in app.leads:
        target = NodeId(stand_for.get(lead.target, lead.target))
        _step(graph, NodeId(lead.source), target, _evidence(app, lead), f"{lead.method}:{lead.view}")
    for owner, menus in app.opened.items():
        for menu in menus:
            titles = app.menus.get(menu, ())
            page = NodeId(f"{owner}#{menu}")
            rows = [Control(0, "", title, "item") for title in titles]
            _page(graph, app, page, f"{graph.nodes[NodeId(owner)].name} menu", rows, owner)
            _step(graph, NodeId(owner), page, Evidence(Role.BUTTON, "More options"), f"menu:{menu}")
    for lister, categories in app.asks.items():
        if categories and NodeId(lister) in graph.nodes:
            _listed(graph, app, NodeId(lister), categories)
    launcher = stand_for.get(app.launcher, app.launcher)
    graph.root = NodeId(launcher) if NodeId(launcher) in graph.nodes else None
    _sink(graph)
    return graph


def _controls(app: StaticApp, activity: Activity) -> list[Control]:
    return [c for layout in app.shown.get(activity.name, ()) for c in app.layouts.get(layout, ())]


def _page(
    graph: AppGraph, app: StaticApp, page: NodeId, title: str, controls: list[Control], activity: str = ""
) -> None:
    """Add a page with a look made of what its layouts hold, so that it can be found by its words."""
    name = title.rpartition("/")[2] or str(page).rpartition(".")[2]
    told = [c for c in controls if c.label or (c.name and c.kind in _ROLES)]
    rows = [Control(0, "", name, "TextView"), *told]
    elements = tuple(_element(row, i) for i, row in enumerate(rows))
    size = (_WIDTH, max(_HEIGHT, _ROW * len(rows)))
    root = Element(bounds=Bounds(0, 0, *size), children=elements)
    screen = Screen(root, app=app.package, activity=activity or str(page).partition("#")[0], size=size)
    graph.nodes[page] = Hypernode(page, name, looks=(Look(Observation(screen), visits=0),))


def _element(row: Control, place: int) -> Element:
    role = _ROLES.get(row.kind, Role.GROUP)
    return Element(
        role,
        text=row.label,
        resource_id=row.name,
        bounds=Bounds(0, _ROW * place, _WIDTH, _ROW * (place + 1)),
        clickable=role not in (Role.TEXT, Role.GROUP, Role.IMAGE),
    )


def _evidence(app: StaticApp, lead: Leads) -> Evidence:
    """Tell the view that code hangs on; by the name of a method where a layout names it; else by nothing."""
    known = (c for layout in app.shown.get(lead.source, ()) for c in app.layouts.get(layout, ()))
    for control in known:
        if (lead.view and control.id == lead.view) or (lead.method and control.on_click == lead.method):
            return Evidence(_ROLES.get(control.kind, Role.GROUP), control.label, control.name)
    return Evidence()


def _step(graph: AppGraph, source: NodeId, target: NodeId, evidence: Evidence, why: str) -> None:
    if source == target or source not in graph.nodes or target not in graph.nodes:
        return
    key = f"{STATIC}:{why}"
    step = Transition(source, Tap((0, 0), evidence), target, key, tries=0, successes=0, unverified=STATIC)
    graph.transitions[source, key, target] = step


def _listed(graph: AppGraph, app: StaticApp, lister: NodeId, categories: frozenset[str]) -> None:
    """Hang the activities that a menu lists under it, a page for each folder that their labels name."""
    rows: dict[str, dict[str, NodeId]] = {}
    for activity in app.activities:
        if categories & set(activity.listed) and activity.label and NodeId(activity.name) != lister:
            *folders, _ = activity.label.split("/")
            path = ""
            for folder in folders:
                onward = f"{path}/{folder}" if path else folder
                rows.setdefault(path, {})[folder] = NodeId(f"{lister}#{onward}")
                path = onward
            leaf = activity.label.rpartition("/")[2]
            rows.setdefault(path, {})[leaf] = NodeId(activity.target or activity.name)
    for path, entries in rows.items():
        page = NodeId(f"{lister}#{path}") if path else lister
        told = [Control(0, "", label, "item") for label in entries]
        _page(graph, app, page, path or graph.nodes[lister].name, told, str(lister))
    for path, entries in rows.items():
        page = NodeId(f"{lister}#{path}") if path else lister
        for label, target in entries.items():
            _step(graph, page, target, Evidence(Role.ITEM, label), f"row:{label}")


def _sink(graph: AppGraph) -> None:
    """Set the depth of what the root leads to."""
    for page, depth in _depths(graph):
        graph.nodes[page] = replace(graph.nodes[page], depth=depth)


def _depths(graph: AppGraph) -> Iterator[tuple[NodeId, int]]:
    if graph.root is None:
        return
    onward: dict[NodeId, list[NodeId]] = {}
    for t in graph.transitions.values():
        onward.setdefault(t.source, []).append(t.target)
    waiting, seen = deque([(graph.root, 0)]), {graph.root}
    while waiting:
        page, depth = waiting.popleft()
        yield page, depth
        for target in onward.get(page, ()):
            if target not in seen:
                seen.add(target)
                waiting.append((target, depth + 1))
