"""Everything that is known of one page: a map and a page in, its card as JSON values out."""

from dataclasses import asdict
from typing import Any

from waypost.guidance import describe
from waypost.mapping import explain_pages, page_called
from waypost.model import Evidence, Hypernode, NodeId, Transition
from waypost.parts.face import Map

__all__ = ["card", "said", "step_row"]

_WAYS = 60


def card(known: Map, page: str) -> dict[str, Any]:
    """Return a page's record, looks, evidence, ways, hazards and what is untried on it. Raises UsageError."""
    node = page_called(known.mapper, page)
    graph = known.graph
    leaving = [t for t in graph.leaving(node.id) if t.target != node.id]
    entering = [t for t in graph.entering(node.id) if t.source != node.id]
    return {
        "id": node.id,
        "name": node.name or node.id,
        "kind": node.overlay or node.kind.value,
        "depth": node.depth,
        "visits": node.visits,
        "record": _record(known, node.id),
        "looks": [
            {"picture": look.image_hash, "visits": look.visits, "size": list(look.observation.screen.size)}
            for look in node.looks
        ],
        "place": _place(node),
        "evidence": _evidence(known, node),
        "leads_to": _rows(known, leaving),
        "reached_from": _rows(known, entering),
        "left_alone": [
            {"does": describe(s.action), "reason": s.reason}
            for s in graph.skipped.values()
            if s.node == node.id
        ],
        "untried": [said(key) for key in graph.untried.get(node.id, ())],
        "pinned": known.mapper.teacher.is_pinned(node.id),
    }


def _record(known: Map, node: NodeId) -> dict[str, Any] | None:
    mine = known.record_of(node, fresh=False)
    return asdict(mine) if mine else None


def _place(node: Hypernode) -> str:
    """Return where the app itself says the page is: an activity, or an address."""
    screen = node.looks[0].observation.screen if node.looks else None
    return screen.activity if screen else ""


def _evidence(known: Map, node: Hypernode) -> dict[str, Any]:
    """Say what a page is recognised by: what all its looks share, and what joined those least alike."""
    read = [known.mapper.read(look.observation.screen) for look in node.looks]
    if not read:
        return {"title": "", "shares": [], "reasons": []}
    shown = [s.selected | s.labels | s.scrolled for s in read]
    found = explain_pages(known.mapper, node.id, node.id)
    return {
        "title": read[0].title,
        "shares": sorted(frozenset.intersection(*shown))[:24],
        "reasons": [asdict(r) for r in sorted(found.reasons, key=lambda r: -abs(r.weight))],
    }


def _rows(known: Map, steps: list[Transition]) -> list[dict[str, Any]]:
    ordered = sorted(steps, key=lambda t: (t.kind.value == "system", -t.successes, t.key))
    return [step_row(known, t) for t in ordered[:_WAYS]]


def step_row(known: Map, step: Transition) -> dict[str, Any]:
    """Return one step: what is done, where it leads, how sure, and where on the screen it is done."""
    names = known.graph.nodes
    row: dict[str, Any] = {
        "from": step.source,
        "from_name": names[step.source].name,
        "to": step.target,
        "to_name": names[step.target].name,
        "does": describe(step.action),
        "kind": step.kind.value,
        "successes": step.successes,
        "tries": step.tries + step.failures,
        "reliability": round(step.reliability, 2),
        "standing": step.standing.value,
        "hazard": step.hazard,
    }
    target: Evidence | None = getattr(step.action, "target", None)
    if target is not None and target.size[0] and target.size[1] and target.bounds.area:
        (width, height), box = target.size, target.bounds
        shares = (box.left / width, box.top / height, box.right / width, box.bottom / height)
        row["box"] = [round(share, 4) for share in shares]
    return row


def said(key: str) -> str:
    """Say an action's key so that a person can read it.

    >>> said("tap:button#save|Save|toolbar")
    'tap button Save'
    """
    verb, _, rest = key.partition(":")
    what, _, rest = rest.partition("|")
    role, _, ident = what.partition("#")
    label = rest.partition("|")[0] or ident
    return " ".join(part for part in (verb, role, label) if part)
