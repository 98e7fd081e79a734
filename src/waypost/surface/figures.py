"""How far a map goes: a map in, its counts out."""

from typing import Any

from waypost.model import PageKind, TransitionKind
from waypost.parts.face import Map

__all__ = ["figures"]


def figures(known: Map) -> dict[str, Any]:
    """Count what is on a map; `coverage` is the share of the known elements that were tried, 0 to 1."""
    graph = known.graph
    pages = list(graph.pages())
    tried = {(t.source, t.key) for t in graph.transitions.values() if t.kind is not TransitionKind.SYSTEM}
    untried = sum(map(len, graph.untried.values()))
    kept_out: dict[str, int] = {}
    for skipped in graph.skipped.values():
        kept_out[skipped.reason] = kept_out.get(skipped.reason, 0) + 1
    return {
        "app": graph.app,
        "version": graph.version,
        "met_version": graph.met,
        "profile": graph.profile,
        "pages": len(pages),
        "side_states": sum(n.kind is not PageKind.PAGE for n in graph.nodes.values()),
        "transitions": len(graph.transitions),
        "deepest": max((n.depth for n in pages), default=0),
        "no_way_known": sum(n.depth < 0 for n in pages),
        "untried": untried,
        "coverage": round(len(tried) / (len(tried) + untried), 4) if tried or untried else 1.0,
        "left_alone": dict(sorted(kept_out.items(), key=lambda row: (-row[1], row[0]))),
        "steps": graph.steps,
        "stop_reason": graph.stop.value,
    }
