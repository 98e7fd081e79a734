"""Nodes of a reading in, elements of a screen out: clipped, cleaned, no deeper than can be followed."""

from dataclasses import dataclass, field

from waypost.adapters.trees.dumped import clean
from waypost.adapters.trees.node import Node
from waypost.adapters.trees.place import placed
from waypost.model import Element, Role

__all__ = ["DEEPEST", "Built", "built"]

DEEPEST = 100
"""Levels that are kept; what lies deeper is put beside its ancestor of that level, and nothing is lost."""


@dataclass(slots=True)
class Built:
    root: Element
    hoisted: int = 0
    """Nodes that lay too deep and were put higher."""
    keys: list[Node] = field(default_factory=list)
    """Keyboards that were found on the way, and are not below `root`."""


def built(top: Node, size: tuple[int, int]) -> Built:
    """Make an element of a node and all that it holds, without recursion."""
    order: list[Node] = []
    above: list[int] = []
    keys: list[Node] = []
    hoisted = 0
    stack: list[tuple[Node, int, int]] = [(top, -1, 0)]
    while stack:
        node, parent, depth = stack.pop()
        if node.keys and order:
            keys.append(node)
            continue
        number = len(order)
        order.append(node)
        above.append(parent)
        deep = depth >= DEEPEST
        hoisted += len(node.children) if deep else 0
        below = (parent, depth) if deep else (number, depth + 1)
        stack.extend((child, *below) for child in reversed(node.children))
    held: list[list[Element]] = [[] for _ in order]
    for number in range(len(order) - 1, 0, -1):
        element = _element(order[number], size, held[number])
        held[above[number]].append(element)
    return Built(_element(order[0], size, held[0]), hoisted, keys)


def _element(node: Node, size: tuple[int, int], backwards: list[Element]) -> Element:
    bounds = placed(node.box, size)
    return Element(
        role=Role.TEXT if _only_says(node, backwards) else node.role,
        class_name=clean(node.class_name),
        text=clean(node.text),
        description=clean(node.description),
        hint=clean(node.hint),
        resource_id=clean(node.resource_id),
        bounds=bounds,
        clickable=node.clickable,
        long_clickable=node.long_clickable,
        scrollable=node.scrollable,
        checkable=node.checkable,
        checked=node.checked,
        selected=node.selected,
        focused=node.focused,
        enabled=node.enabled,
        password=node.password,
        href=clean(node.href),
        # Each by itself: what an invisible container holds may well be seen.
        visible=node.shown and bounds.area > 0,
        children=tuple(reversed(backwards)),
    )


def _only_says(node: Node, held: list[Element]) -> bool:
    """Whether a view without a class of its own is a text, as Flutter, Compose and web views write them."""
    acts = node.clickable or node.long_clickable or node.checkable or node.scrollable
    bare = node.role is Role.GROUP and node.class_name == "android.view.View" and not held
    return bare and not acts and bool(node.text or node.description)
