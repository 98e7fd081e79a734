"""Which elements repeat one another: siblings in, the rows and the cells among them out."""

from collections import Counter
from collections.abc import Iterable

from waypost.mapping.words import name_key
from waypost.model import Bounds, Element, Role

__all__ = ["bars", "grid", "panes", "repeated", "scrolls", "shape"]

_ENTRIES = (Role.TABLIST, Role.TOOLBAR, Role.NAVIGATION, Role.MENU)
_SCROLLERS = ("ScrollView", "RecyclerView", "ListView", "GridView")
_CELLS = 3
"""Things of one size, side by side or in lines, from which they are the cells of a grid."""
_LOW, _FILLED = 0.25, 0.8
"""Height of a bar by its width, and the share of it that its parts fill."""
_ICONS = 5
"""Parts of a bar that need not be low by its width: a few icons at the end of one."""
_ACROSS = 0.8
"""Share of the width from which a button may be a row."""
_TOUCH = 8
"""Pixels by which two things side by side may overlap, or two columns be out of line."""
_LARGER = 3.0
"""How much larger one row may be than another."""
LEAST = 3
"""Siblings of one shape from which they are rows of one template."""


def scrolls(element: Element) -> bool:
    """Whether what an element holds may be scrolled up and down, be it long enough for that now or not."""
    if element.role in _ENTRIES or "Horizontal" in element.class_name:
        return False
    return element.scrollable or element.role is Role.LIST or element.class_name.endswith(_SCROLLERS)


def shape(element: Element) -> tuple[str, str]:
    """Return what makes two siblings look alike, content aside."""
    return element.role.value, name_key(element.resource_id) or element.class_name.rsplit(".", 1)[-1]


def repeated(parent: Element) -> frozenset[int]:
    """Return the positions of the children that are rows of one repeated template.

    Entries of a bar, of tabs, of a menu are not: each of them is a thing of its own.

    >>> rows = tuple(Element(Role.ITEM, text=t) for t in ("Ann", "Bob", "Cid"))
    >>> sorted(repeated(Element(Role.LIST, children=rows)))
    [0, 1, 2]
    """
    if (
        parent.role in _ENTRIES
        or len(parent.children) < 2
        or (parent.role is not Role.LIST and _is_bar(parent))
    ):
        return frozenset()
    inside_list = parent.role is Role.LIST
    counted = Counter(shape(c) for c in parent.children)
    least = 2 if inside_list else LEAST
    beside = frozenset() if inside_list else {i for line in bars(parent) for i in line}
    found = set()
    for i, child in enumerate(parent.children):
        if i in beside:
            continue
        alone = child.role is Role.ITEM and inside_list
        if alone or (
            counted[shape(child)] >= least
            and (_is_row(child) or _is_wide(parent, child))
            and (inside_list or (_holds(child) and _alike(parent, child) and _even(parent, child)))
        ):
            found.add(i)
    return frozenset(found)


def grid(layer: Element, size: tuple[int, int]) -> tuple[int, int]:
    """Return how many of the cells that are most go across and down the screen.

    >>> from waypost.model import Bounds
    >>> days = tuple(Element(clickable=True, bounds=Bounds(x, 0, x + 150, 300)) for x in range(0, 1050, 150))
    >>> grid(Element(children=days, bounds=Bounds(0, 0, 1080, 2400)), (1080, 2400))
    (7, 8)
    """
    best: tuple[int, tuple[int, int]] = (_CELLS - 1, (0, 0))
    for parent in layer.walk():
        if len(parent.children) <= best[0] or not parent.visible:
            continue
        boxes = [c.bounds for c in parent.children if c.visible and c.clickable and c.bounds.area]
        shapes = Counter(
            (round(size[0] / b.width), round(size[1] / b.height)) for b in boxes if 2 * b.width < size[0]
        )
        shape, count = max(shapes.items(), key=lambda s: (s[1], s[0]), default=((0, 0), 0))
        if count > best[0] and min(shape):
            best = (count, shape)
    return best[1]


def _is_bar(parent: Element) -> bool:
    """Whether it is a low bar whose parts stand side by side and fill it: what it offers, it always offers.

    >>> from waypost.model import Bounds
    >>> tabs = tuple(Element(clickable=True, text=t, bounds=Bounds(x, 0, x + 360, 190)) for x, t in
    ...              ((0, "Home"), (360, "Chats"), (720, "Me")))
    >>> _is_bar(Element(bounds=Bounds(0, 0, 1080, 190), children=tabs))
    True
    """
    box = parent.bounds
    if parent.scrollable or not box.area:
        return False
    parts = [c.bounds for c in parent.children if c.visible and c.bounds.area]
    low = box.height <= _LOW * box.width or (len(parts) <= _ICONS and box.height <= box.width)
    return (
        low
        and len(parts) > 1
        and all(b.top < parts[0].center[1] < b.bottom for b in parts)
        and sum(b.width for b in parts) >= _FILLED * box.width
    )


def bars(parent: Element) -> list[list[int]]:
    """Return the positions of children that share a low line with others, where no other line is like it.

    Where a tree is flat, as Flutter's, these are the parts of bars: a title between its icons, tabs.
    """
    lines: list[list[int]] = []
    boxes = [c.bounds for c in parent.children]
    for i, box in sorted(enumerate(boxes), key=lambda p: (p[1].top, p[1].left)):
        if not box.area or not parent.children[i].visible:
            continue
        line = lines[-1] if lines else []
        last = boxes[line[-1]] if line else None
        if last and last.right <= box.left + _TOUCH and last.top < box.center[1] < last.bottom:
            line.append(i)
        else:
            lines.append([i])
    kinds = Counter(_columns(boxes, line) for line in lines)
    low = _LOW * (parent.bounds.width or 1)
    several = (k for k in lines if len(k) > 1 and kinds[_columns(boxes, k)] == 1)
    return [line for line in several if max(boxes[i].height for i in line) <= low]


def _columns(boxes: list[Bounds], line: list[int]) -> tuple[int, ...]:
    return tuple(boxes[i].left // _TOUCH for i in line)


def _even(parent: Element, child: Element) -> bool:
    """Whether it is one of several of its shape on end that are about as large.

    Bars at the top and at the bottom are not, whatever lies between them.
    """
    if name_key(child.resource_id) or not child.bounds.area:
        return True
    run: list[Bounds] = []
    mine = False
    for other in (c for c in parent.children if c.bounds.area and shape(c) == shape(child)):
        box = other.bounds
        like = _like(box.height, child.bounds.height) and _like(box.width, child.bounds.width)
        if like and (not run or _in_line(run[-1], box)):
            run.append(box)
        elif mine:
            break
        else:
            run = [box] if like else []
            mine = False
        mine = mine or other is child
    return len(run) >= LEAST


def _in_line(one: Bounds, other: Bounds) -> bool:
    """Whether two parts lie beside or below one another, and not over: layers and corners are no rows."""
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return (across > _TOUCH) is not (down > _TOUCH)


def _like(one: int, other: int) -> bool:
    return max(one, other) <= _LARGER * min(one, other)


def panes(element: Element, least: float) -> tuple[frozenset[str], bool]:
    """Return the ids of the innermost large parts that scroll, and whether there are any."""
    if not element.visible or element.bounds.area < least:
        return frozenset(), False
    if (
        element.role is Role.WEB and "WebView" in element.class_name
    ):  # The document of a web app is all of it.
        return frozenset((name_key(element.resource_id) or element.role.value,)), True
    inside = [panes(c, least) for c in element.children]
    if any(found for _, found in inside) or not scrolls(element):
        return frozenset[str]().union(*(names for names, _ in inside)), any(found for _, found in inside)
    key = name_key(element.resource_id)
    return frozenset((key,)) if key else frozenset(), True


def _holds(element: Element) -> bool:
    """Whether it is more than a paragraph: texts one below the other are no rows."""
    return bool(element.children) or element.clickable or element.role is not Role.TEXT


def _is_row(element: Element) -> bool:
    """Whether it carries a label of its own, anywhere inside; a bare button is a control, not a row."""
    said = any(e.label for c in element.children for e in c.walk())
    if element.role in (Role.TAB, Role.FIELD, Role.HEADING, *_ENTRIES) or (
        element.role is Role.BUTTON and not said
    ):
        return False
    return said or bool(element.label)


def _is_wide(parent: Element, child: Element) -> bool:
    """Whether it is a button that says something across the whole list, as toolkits tell rows to tap."""
    wide = child.bounds.width >= _ACROSS * parent.bounds.width > 0
    return wide and child.role is Role.BUTTON and bool(child.label)


def _alike(parent: Element, child: Element) -> bool:
    """Whether most siblings of the shape hold the same kinds of parts."""
    mine = _parts(child)
    same = [c for c in parent.children if shape(c) == shape(child)]
    agree = sum(1 for c in same if _jaccard(mine, _parts(c)) >= 0.5)
    return agree * 2 > len(same) and len(same) >= LEAST


def _parts(element: Element) -> frozenset[str]:
    return frozenset(f"{e.role}{name_key(e.resource_id)}" for e in _near(element.children, 3))


def _near(children: Iterable[Element], depth: int) -> Iterable[Element]:
    for child in children:
        yield child
        if depth > 1:
            yield from _near(child.children, depth - 1)


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 1.0
