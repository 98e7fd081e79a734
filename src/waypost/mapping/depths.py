"""How far pages are from the start: a graph and a page in, lower depths in the graph out."""

from dataclasses import replace

from waypost.mapping.changes import Changes
from waypost.model import AppGraph, NodeId, PageKind, TransitionKind

__all__ = ["lower", "nearest"]


def lower(graph: AppGraph, node: NodeId, depth: int, changes: Changes) -> None:
    """Lower a page's depth, and that of whatever it leads to; a negative depth is none."""
    waiting = [(node, depth)] if depth >= 0 else []
    while waiting:
        at, steps = waiting.pop(0)
        known = graph.nodes[at]
        if known.kind is not PageKind.PAGE or 0 <= known.depth <= steps:
            continue
        graph.nodes[at] = replace(known, depth=steps)
        changes.nodes.add(at)
        onward = (t for t in graph.leaving(at) if t.kind is not TransitionKind.OVERLAY)
        waiting.extend((t.target, steps + 1) for t in onward)


def nearest(graph: AppGraph, node: NodeId) -> int:
    """Return the fewest known steps to a page by the depths of those that lead to it; -1 for none."""
    before = [graph.nodes[t.source].depth for t in graph.entering(node) if t.source != node]
    return min((d + 1 for d in before if d >= 0), default=-1)
