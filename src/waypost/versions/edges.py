"""What of a map's transitions leads on: a graph in, its forward edges, parents and rows of content out."""

from collections import Counter
from collections.abc import Iterable, Iterator

from waypost.model import AppGraph, NodeId, PageKind, Role, Tap, Transition, TransitionKind
from waypost.planning import returning

__all__ = ["content_rows", "forward", "is_item", "parents", "place", "template"]

_WAYS = frozenset({Role.SWITCH, Role.CHECKBOX, Role.RADIO, Role.TAB})
"""Rows that are settings or ways around, never content."""


def template(t: Transition) -> str:
    """Return the key of the repeated row that an action belongs to; empty outside of lists."""
    target = getattr(t.action, "target", None)
    return target.template if target is not None else ""


def forward(graph: AppGraph) -> Iterator[Transition]:
    """Yield what leads from one page to another by a control of the page: no Back, no way up."""
    back = returning(graph.transitions.values())
    for t in graph.transitions.values():
        ends = [graph.nodes.get(n) for n in (t.source, t.target)]
        pages = all(n is not None and n.kind is PageKind.PAGE for n in ends)
        if pages and t.source != t.target and t.kind is TransitionKind.NAVIGATION and t.key not in back:
            yield t


def parents(graph: AppGraph) -> dict[NodeId, set[NodeId]]:
    """Return by page the pages nearer to the start that lead to it."""
    found: dict[NodeId, set[NodeId]] = {}
    for t in forward(graph):
        depth, below = graph.nodes[t.source].depth, graph.nodes[t.target].depth
        if 0 <= depth < below:
            found.setdefault(t.target, set()).add(t.source)
    return found


def content_rows(graph: AppGraph, node: NodeId) -> dict[str, bool]:
    """Say of each row of a page that was tapped, by key, whether it is content: several of its list lead to
    one other page, and it is no setting.
    """
    rows = [t for t in graph.leaving(node) if isinstance(t.action, Tap) and template(t)]
    led = Counter((template(t), t.target) for t in {(t.key, t.target): t for t in rows}.values())
    found: dict[str, bool] = {}
    for t in rows:
        target = getattr(t.action, "target", None)
        leads = t.target != node and target is not None and target.role not in _WAYS
        found[t.key] = found.get(t.key, False) or (leads and led[template(t), t.target] > 1)
    return found


def is_item(graph: AppGraph, node: NodeId) -> bool:
    """Whether a page shows one item of a list: rows of content lead to it."""
    into = [t for t in graph.entering(node) if template(t) and t.source != node]
    return any(content_rows(graph, t.source).get(t.key) for t in into)


def place(edges: Iterable[Transition], graph: AppGraph) -> dict[tuple[str, str, int], Transition]:
    """Name edges of one page by what their controls are and by their order, without a word."""
    ordered = sorted(
        (t for t in edges if getattr(t.action, "target", None) is not None),
        key=lambda t: (t.action.target.bounds.top, t.action.target.bounds.left, t.key),  # type: ignore[union-attr]
    )
    counts: Counter[tuple[str, str]] = Counter()
    found: dict[tuple[str, str, int], Transition] = {}
    for t in ordered:
        target = t.action.target  # type: ignore[union-attr]
        assert target is not None
        what = (f"{type(t.action).__name__}:{target.role.value}", target.resource_id)
        found[(*what, counts[what])] = t
        counts[what] += 1
    return found
