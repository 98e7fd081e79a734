"""All of a map at a glance: a graph in, pages in their places and the ways between, as JSON values, out."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from waypost.guidance import describe
from waypost.model import AppGraph, Hypernode, NodeId, PageKind, Transition
from waypost.surface.view.layout import CELL, laid_out

__all__ = ["overview", "picture_of", "ways_between"]

_LABELS = 3


def overview(graph: AppGraph) -> dict[str, Any]:
    """Return what the picture is drawn from."""
    ways = ways_between(graph)
    groups = _groups(graph)
    layout = laid_out([(title, [n.id for n in nodes]) for title, nodes in groups], ways)
    best: dict[str, float] = defaultdict(float)
    for (_, target), steps in ways.items():
        best[target] = max(best[target], *(t.reliability for t in steps))
    nodes = [_node(graph, n, layout.places[n.id], best[n.id]) for _, group in groups for n in group]
    return {
        "root": graph.root,
        "steps": graph.steps,
        "stop_reason": graph.stop.value,
        "cell": list(CELL),
        "size": [layout.width, layout.height],
        "bands": [[b.title, b.left, b.width, b.count] for b in layout.bands],
        "nodes": nodes,
        "ways": [_way(ends, steps) for ends, steps in ways.items()],
    }


def ways_between(graph: AppGraph) -> dict[tuple[NodeId, NodeId], list[Transition]]:
    """Gather the steps from one page to another, the surest first; what stays on its page is left out."""
    ways: dict[tuple[NodeId, NodeId], list[Transition]] = defaultdict(list)
    for t in graph.transitions.values():
        if t.source != t.target and t.source in graph.nodes and t.target in graph.nodes:
            ways[t.source, t.target].append(t)
    return {ends: sorted(steps, key=lambda t: -t.reliability) for ends, steps in ways.items()}


def picture_of(node: Hypernode) -> str:
    """Return the hash of a page's picture, the first that was taken; empty where none was."""
    return next((look.image_hash for look in node.looks if look.image_hash), "")


def _groups(graph: AppGraph) -> list[tuple[str, Sequence[Hypernode]]]:
    depths: dict[int, list[Hypernode]] = defaultdict(list)
    side: list[Hypernode] = []
    for node in graph.nodes.values():
        if node.kind is PageKind.PAGE:
            depths[node.depth].append(node)
        else:
            side.append(node)
    stray = depths.pop(-1, [])
    groups: list[tuple[str, Sequence[Hypernode]]] = [(_title(d), depths[d]) for d in sorted(depths)]
    if stray:
        groups.append(("no way known", stray))
    if side:
        groups.append(("side states", side))
    return groups


def _title(depth: int) -> str:
    return "start" if depth == 0 else "1 step" if depth == 1 else f"{depth} steps"


def _node(graph: AppGraph, node: Hypernode, at: tuple[int, int], reliability: float) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": node.id,
        "name": node.name or node.id,
        "depth": node.depth,
        "at": list(at),
        "reliability": round(reliability, 2),
        "untried": len(graph.untried.get(node.id, ())),
        "picture": picture_of(node),
    }
    if node.kind is not PageKind.PAGE:
        row["kind"] = node.overlay or node.kind.value
    return row


def _way(ends: tuple[NodeId, NodeId], steps: list[Transition]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "from": ends[0],
        "to": ends[1],
        "reliability": round(steps[0].reliability, 2),
        "does": [describe(t.action) for t in steps[:_LABELS]],
    }
    if all(t.hazard for t in steps):
        row["hazard"] = steps[0].hazard
    if all(t.kind.value == "system" for t in steps):
        row["system"] = True
    return row
