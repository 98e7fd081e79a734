"""A map in formats that other tools read: `AppGraph` and `Record`s in, text out."""

import json
from collections.abc import Callable, Iterable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from waypost.guidance import describe
from waypost.model import AppGraph, NodeId, PageKind, Record, Transition
from waypost.model.codec import encode
from waypost.parts.flows import to_app_card, to_maestro

__all__ = ["FOLDERS", "FORMATS", "to_dot", "to_graphml", "to_jsonl", "to_mermaid"]


def _nodes(graph: AppGraph) -> list[tuple[NodeId, str, PageKind, int]]:
    return [(n.id, n.name or str(n.id), n.kind, n.depth) for n in graph.nodes.values()]


def _edges(graph: AppGraph) -> list[Transition]:
    return sorted(graph.transitions.values(), key=lambda t: (t.source, t.key, t.target))


def to_jsonl(graph: AppGraph, records: Iterable[Record]) -> str:
    """Write one JSON object a line: the map, then its pages, transitions and records."""
    head = {
        "type": "map",
        "app": graph.app,
        "version": graph.version,
        "profile": graph.profile,
        "root": graph.root,
        "stop": graph.stop.value,
        "steps": graph.steps,
    }
    rows: list[dict[str, Any]] = [head]
    for node in graph.nodes.values():
        row = {"id": node.id, "name": node.name, "kind": node.kind.value, "depth": node.depth}
        screens = [encode(look.observation.screen) for look in node.looks]
        rows.append(
            {"type": "page", **row, "visits": node.visits, "looks": len(node.looks), "screens": screens}
        )
    rows += [{"type": "transition", **encode(t)} for t in _edges(graph)]
    rows += [{"type": "record", **encode(r)} for r in records]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_graphml(graph: AppGraph, records: Iterable[Record]) -> str:
    """Write GraphML: every transition an edge of its own, parallel ones kept."""
    summaries = {r.node: r.summary for r in records}
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        '<key id="name" for="node" attr.name="name" attr.type="string"/>',
        '<key id="kind" for="node" attr.name="kind" attr.type="string"/>',
        '<key id="depth" for="node" attr.name="depth" attr.type="int"/>',
        '<key id="summary" for="node" attr.name="summary" attr.type="string"/>',
        '<key id="action" for="edge" attr.name="action" attr.type="string"/>',
        '<key id="tries" for="edge" attr.name="tries" attr.type="int"/>',
        '<key id="successes" for="edge" attr.name="successes" attr.type="int"/>',
        f'<graph id={quoteattr(graph.app or "map")} edgedefault="directed">',
    ]
    for node, name, kind, depth in _nodes(graph):
        lines.append(f"<node id={quoteattr(node)}>{_datum('name', name)}{_datum('kind', kind)}")
        lines.append(f"{_datum('depth', depth)}{_datum('summary', summaries.get(node, ''))}</node>")
    for number, edge in enumerate(_edges(graph)):
        lines.append(f'<edge id="e{number}" source={quoteattr(edge.source)} target={quoteattr(edge.target)}>')
        lines.append(f"{_datum('action', describe(edge.action))}{_datum('tries', edge.tries)}")
        lines.append(f"{_datum('successes', edge.successes)}</edge>")
    return "\n".join([*lines, "</graph>", "</graphml>", ""])


def _datum(key: str, value: object) -> str:
    # XML 1.0 has no way to write most control characters.
    text = "".join(c for c in str(value) if c >= " " or c in "\t\n")
    return f'<data key="{key}">{escape(text)}</data>'


def to_dot(graph: AppGraph, records: Iterable[Record]) -> str:
    """Write Graphviz DOT."""

    def quoted(text: str) -> str:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
        return f'"{escaped}"'

    lines = [f"digraph {quoted(graph.app or 'map')} {{", "  rankdir=LR; node [shape=box, style=rounded];"]
    for node, name, kind, _ in _nodes(graph):
        dashed = "" if kind is PageKind.PAGE else ", style=dashed"
        lines.append(f"  {quoted(node)} [label={quoted(name)}{dashed}];")
    for edge in _edges(graph):
        lines.append(
            f"  {quoted(edge.source)} -> {quoted(edge.target)} [label={quoted(describe(edge.action))}];"
        )
    return "\n".join([*lines, "}", ""])


def to_mermaid(graph: AppGraph, records: Iterable[Record]) -> str:
    """Write a Mermaid flowchart; labels are entity-coded, so that no text can end one early."""

    def quoted(text: str) -> str:
        kept = "".join(
            c if c.isalnum() or c in " .,:/-_()" else f"#{ord(c)};" for c in " ".join(text.split())
        )
        return f'"{kept}"'

    names = {node: f"n{i}" for i, (node, *_) in enumerate(_nodes(graph))}
    lines = ["flowchart LR"]
    lines += [f"  {names[node]}[{quoted(name)}]" for node, name, _, _ in _nodes(graph)]
    lines += [
        f"  {names[e.source]} -->|{quoted(describe(e.action))}| {names[e.target]}"
        for e in _edges(graph)
        if e.source in names and e.target in names
    ]
    return "\n".join([*lines, ""])


FOLDERS: dict[str, Callable[[AppGraph, Iterable[Record]], dict[str, str]]] = {"maestro": to_maestro}
"""Writers of several files, by the name that `--format` takes; `--out` names their folder."""
FORMATS: dict[str, Callable[[AppGraph, Iterable[Record]], str]] = {
    "jsonl": to_jsonl,
    "graphml": to_graphml,
    "dot": to_dot,
    "mermaid": to_mermaid,
    "app-card": to_app_card,
}
"""Writers by the name that `waypost export --format` takes."""
