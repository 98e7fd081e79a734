"""What a chooser is for: the caption over the control that opened it; a map in, better names out."""

from waypost.mapping.layers import active_layer
from waypost.mapping.naming import named, spoken
from waypost.mapping.pagenames import unique
from waypost.mapping.titles import heading
from waypost.mapping.words import LONG, plain
from waypost.model import AppGraph, Element, Evidence, Hypernode, NodeId, Role, Screen, Tap, Transition

__all__ = ["caption", "captioned"]

_NEAR = 0.08
"""Share of the screen's height within which a caption stands over its control."""
_READ = (Role.TEXT, Role.HEADING)


def captioned(graph: AppGraph) -> dict[NodeId, str]:
    """Return names for the choosers of a map: layers that offer what their opener is called.

    They have no heading of their own. Such an opener shows the present value, so that the caption above it
    says what is chosen.
    """
    found: dict[NodeId, str] = {}
    taken = {n.name for n in graph.nodes.values()}
    for node in graph.pages():
        told = _told(graph, node)
        if told and not node.name.casefold().startswith(told.casefold()):
            name = unique(f"{told} ({active_layer(_first(node)).kind.value})", taken)
            taken.add(name)
            found[node.id] = name
    return found


def caption(target: Evidence, screen: Screen) -> str:
    """Return the text that stands closest over a control, or before it in its line; empty where none does."""
    things = [t for t in named(screen) if t.element.bounds == target.bounds and t.label == target.label]
    if not things:
        return ""
    box = things[0].element.bounds
    best: tuple[int, str] | None = None
    for thing in named(screen):
        e = thing.element
        if e.role not in _READ or e.clickable or not plain(e.text) or len(e.text) > LONG:
            continue
        above = box.top - e.bounds.bottom
        abreast = e.bounds.left < box.right and e.bounds.right > box.left
        if abreast and -4 <= above <= _NEAR * screen.size[1] and (best is None or above < best[0]):
            best = (above, e.text)
    return best[1] if best else ""


def _told(graph: AppGraph, node: Hypernode) -> str:
    layer = active_layer(_first(node)) if node.looks else None
    if layer is None or not layer.modal or heading(layer.root):
        return ""
    offered = _offers(layer.root)
    found = {
        text
        for t in graph.transitions.values()
        if t.target == node.id and t.source != node.id and isinstance(t.action, Tap)
        for text in [_over(graph, t, offered)]
        if text
    }
    return found.pop() if len(found) == 1 else ""


def _over(graph: AppGraph, step: Transition, offered: set[str]) -> str:
    target = getattr(step.action, "target", None)
    source = graph.nodes.get(step.source)
    if target is None or source is None or target.label not in offered:
        return ""
    texts = (caption(target, look.observation.screen) for look in source.looks)
    return next((t for t in texts if t), "")


def _first(node: Hypernode) -> Screen:
    return node.looks[0].observation.screen


def _offers(root: Element) -> set[str]:
    return {spoken(e) for e in root.walk() if e.visible and e.clickable}
