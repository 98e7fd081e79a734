"""Several apps as one map: graphs by app in, one graph out whose plans may pass from app to app."""

from collections.abc import Mapping
from dataclasses import replace

from waypost.model import AppGraph, Launch, NodeId, PageKind, Transition, TransitionKind

__all__ = ["joined", "within"]


def within(app: str, node: NodeId) -> NodeId:
    """Return the id that a page of `app` has in a joined graph."""
    return NodeId(f"{app}:{node}")


def joined(graphs: Mapping[str, AppGraph], front: str = "") -> AppGraph:
    """Join maps; every page can open every other app at its root. Facts go by one name in all of them.

    The root is that of `front`, the app on the screen at first. What an app forgets when it is
    relaunched it keeps while another app is used: it only goes to the back.
    """
    whole = AppGraph(app="")
    for app, graph in graphs.items():
        ids = {node: within(app, node) for node in graph.nodes}
        for node in graph.nodes.values():
            whole.nodes[ids[node.id]] = replace(node, id=ids[node.id])
        for t in graph.transitions.values():
            if t.source in ids and t.target in ids:
                # A step that starts the own app over stays what it was; its key is that of no other app's.
                moved = replace(t, source=ids[t.source], target=ids[t.target], key=f"{app}:{t.key}")
                whole.transitions[moved.source, moved.key, moved.target] = moved
        whole.facts |= graph.facts
    roots = {app: within(app, g.root) for app, g in graphs.items() if g.root is not None}
    if front in roots:
        whole.root = roots[front]
    for app, graph in graphs.items():
        for page in graph.pages():
            for other, root in roots.items():
                if other != app and whole.nodes[root].kind is PageKind.PAGE:
                    step = _opening(within(app, page.id), graphs[other].app or other, root)
                    whole.transitions[step.source, step.key, step.target] = step
    return whole


def _opening(source: NodeId, app: str, root: NodeId) -> Transition:
    return Transition(
        source, Launch(app, fresh=True), root, f"open:{app}", TransitionKind.SYSTEM, tries=0, successes=0
    )
