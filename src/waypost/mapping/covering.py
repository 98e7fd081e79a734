"""What lies in front, where a tree does not say so: a tree in, its uncovered part and front branch out.

Native trees list what is behind a drawer or a sheet as if it could be touched. Branches are drawn in tree
order, so a later one whose solid parts lie over the controls of an earlier one is in front of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from waypost.model import Bounds, Element

__all__ = ["Front", "uncovered"]

_PAGE_LIKE = 0.3
"""Share of the screen from which what a branch says and offers may be a page that is covered."""
_COVERED = 0.3
"""Share of its controls that must be hidden for a branch to be behind."""
_SURELY = 0.6
"""The same where the branch is as large as a page, but says little."""
_FEWEST = 3
_SCRIM = 0.5
"""Share of all that takes touches from which a part without a name may be there to catch them."""


@dataclass(frozen=True, slots=True)
class Front:
    """A branch that lies over others."""

    element: Element
    box: Bounds
    """Around what it says and offers."""
    scrim: bool
    """Whether it also takes the touches around that."""


def uncovered(root: Element, screen: Bounds) -> tuple[Element, Front | None]:
    """Return the tree without the branches that are hidden behind others, and the last branch in front.

    >>> def button(x): return Element(text="b", clickable=True, bounds=Bounds(x, 0, x + 90, 900))
    >>> page = Element(children=tuple(map(button, (0, 200, 400))), bounds=Bounds(0, 0, 1000, 1000))
    >>> scrim = Element(clickable=True, bounds=Bounds(0, 0, 1000, 1000), children=(button(600),))
    >>> rest, front = uncovered(Element(children=(page, scrim)), Bounds(0, 0, 1000, 1000))
    >>> len(rest.children), front.element is scrim, front.scrim
    (1, True, True)
    """
    return _uncovered(root, screen, _extents(root))


def _uncovered(root: Element, screen: Bounds, around: dict[int, Bounds]) -> tuple[Element, Front | None]:
    front: Front | None = None
    children = root.children
    large = [c for c in children if around[id(c)].area >= 0.04 * screen.area]
    behind: set[int] = set()
    if len(large) > 1:
        for i, later in enumerate(large):
            hidden = [a for a in large[:i] if id(a) not in behind and _covers(later, a, screen, around)]
            if hidden:
                behind.update(map(id, hidden))
                front = _front(later)
    kept = []
    for child in children:
        if id(child) in behind:
            continue
        rest, inner = _uncovered(child, screen, around) if child.children else (child, None)
        front = inner or (replace(front, element=rest) if front and front.element is child else front)
        kept.append(rest)
    if len(kept) == len(children) and all(a is b for a, b in zip(kept, children, strict=True)):
        return root, front
    return replace(root, children=tuple(kept)), front


def _extents(root: Element) -> dict[int, Bounds]:
    """Return the box around what each branch says and offers, by the identity of its top element."""
    found: dict[int, Bounds] = {}

    def around(element: Element) -> Bounds:
        boxes = [b for c in element.children if (b := around(c)).area]
        if element.visible and element.bounds.area and (element.clickable or element.label):
            boxes.append(element.bounds)
        found[id(element)] = boxes[0] if len(boxes) == 1 else _around(boxes)
        return found[id(element)]

    around(root)
    return found


def _parts(element: Element) -> Iterator[Element]:
    """Yield what of a branch can be seen and says or offers something."""
    return (e for e in element.walk() if e.visible and e.bounds.area and (e.label or e.clickable))


def _around(boxes: list[Bounds]) -> Bounds:
    if not boxes:
        return Bounds(0, 0, 0, 0)
    return Bounds(
        min(b.left for b in boxes),
        min(b.top for b in boxes),
        max(b.right for b in boxes),
        max(b.bottom for b in boxes),
    )


def _front(element: Element) -> Front:
    parts = [e for e in element.walk() if e.visible and e.bounds.area]
    taken = _around([e.bounds for e in parts if e.clickable])
    # A nameless way back at the top is part of what it shows; a scrim is not.
    own = [e.bounds for e in parts if e.label or (e.clickable and e.bounds.area < _SCRIM * taken.area)]
    box = _around(own) if any(e.label for e in parts) else taken
    return Front(element, box, taken.area > 1.6 * box.area)


def _covers(later: Element, earlier: Element, screen: Bounds, around: dict[int, Bounds]) -> bool:
    """Whether solid parts of the later branch hide enough of the earlier one's controls."""
    told = around[id(earlier)]
    if max(told.area, earlier.bounds.area) < _PAGE_LIKE * screen.area:
        return False
    if around[id(later)].clip(told).area < 0.2 * told.area:
        return False
    points = [e.bounds.center for e in _parts(earlier) if not any(c.label or c.clickable for c in e.children)]
    if len(points) < _FEWEST:
        return False
    share = _COVERED if told.area >= _PAGE_LIKE * screen.area else _SURELY
    over = list(_parts(later))
    if not any(e.label for e in over):
        return (
            False  # A picture behind a bar, or a wheel that turns: who says nothing is no page, and no layer.
        )
    solid = [e.bounds for e in over]
    hidden = sum(1 for x, y in points if any(b.contains(x, y) for b in solid))
    return hidden >= _FEWEST and hidden >= share * len(points)
