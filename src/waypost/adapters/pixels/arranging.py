"""A page has a bar, lists and tabs: flat elements and the region they fill in, a tree out.

By where things stand and how large they are written, as people read a screen: no word of any app, no
threshold but in shares of the region or of the text's own height.
"""

from dataclasses import replace
from itertools import pairwise
from statistics import median

from waypost.model import Bounds, Element, Role

__all__ = ["arranged"]

_HEAD, _FOOT = 0.11, 0.87
"""Where a title's bar ends and a bar of tabs begins, as shares of the region's height."""
_TALLER = 1.0
"""A title is written at least as tall as most of what is below it."""
_EDGE = 0.015
"""Share of the width within which two lines begin at one edge."""
_NEAR = 0.75
"""Gap between a line and the one that belongs to it, in heights of the line."""
_ROWS, _TABS = 3, 3
"""Blocks that begin at one edge from which they are a list; things side by side from which they are tabs."""
_LINES = 3
"""Lines of a block that is a row: more of them are a paragraph."""
_SHORT = 40
"""Letters up to which a lone line may be a button."""


def arranged(found: tuple[Element, ...], region: Bounds) -> tuple[Element, ...]:
    """Arrange what a finder found: a bar with a title, a bar of tabs, lists of rows, and what stands alone.

    Text is taken for something that can be tapped where nothing says otherwise: a tap on what is none does
    no harm, and an element that is never tried is never known.

    >>> def line(text, left, top, height=40):
    ...     return Element(Role.TEXT, "ocr", text, bounds=Bounds(left, top, left + 200, top + height))
    >>> rows = [line(t, 100, 400 + 200 * i) for i, t in enumerate(("Ann", "Bob", "Cid"))]
    >>> bar, rows = arranged((line("Inbox", 100, 100, 60), *rows), Bounds(0, 0, 1080, 2400))
    >>> bar.children[0].text, [row.children[0].text for row in rows.children]
    ('Inbox', ['Ann', 'Bob', 'Cid'])
    """
    waits = tuple(e for e in found if e.role is Role.PROGRESS)
    things = sorted((e for e in found if e not in waits and e.bounds.area), key=_reading)
    head, things = _head(things, region)
    foot, things = _foot(things, region)
    body = _body(_blocks(things, region), region, foot)
    return (*head, *body, *foot, *waits)


def _reading(element: Element) -> tuple[int, int]:
    return element.bounds.top, element.bounds.left


def _head(things: list[Element], region: Bounds) -> tuple[list[Element], list[Element]]:
    """Take the title and what stands beside it; nothing where no line at the top is a title."""
    line = median([e.bounds.height for e in things if len(e.text) > 1] or [0])
    end = region.top + _HEAD * region.height
    titles = [
        e
        for e in things
        if e.role is Role.HEADING
        or (e.role is Role.TEXT and len(e.text) > 1 and e.bounds.height >= _TALLER * line)
    ]
    first = next((e for e in titles if e.bounds.center[1] < end), None)
    if first is None:
        return [], things
    title = min((e for e in titles if e is first or _level(e, first)), key=lambda e: e.bounds.left)
    beside = [e for e in things if e is title or _level(e, title)]
    parts = tuple(
        replace(e, role=Role.HEADING, clickable=False) if e is title else _button(e, region)
        for e in sorted(beside, key=lambda e: e.bounds.left)
    )
    box = replace(_around(parts), left=region.left, right=region.right)
    bar = Element(Role.TOOLBAR, title.class_name, bounds=box, children=parts)
    return [bar], [e for e in things if e not in beside]


def _foot(things: list[Element], region: Bounds) -> tuple[list[Element], list[Element]]:
    """Take a line of short labels, evenly spaced over the region's width: tabs, with the icons above them."""
    start = region.top + _FOOT * region.height
    low = [e for e in things if e.bounds.center[1] > start and e.text]
    for first in low:
        row = sorted((e for e in low if _level(e, first)), key=lambda e: e.bounds.left)
        if len(row) >= _TABS and _even(row, region):
            top = min(e.bounds.top - 2 * e.bounds.height for e in row)
            over = [e for e in things if e not in row and e.bounds.top >= top]
            tabs = tuple(
                replace(e, role=Role.TAB, clickable=True, bounds=replace(e.bounds, top=top)) for e in row
            )
            box = replace(_around(tabs), left=region.left, right=region.right)
            bar = Element(Role.NAVIGATION, row[0].class_name, bounds=box, children=tabs)
            return [bar], [e for e in things if e not in row and e not in over]
    return [], things


def _even(row: list[Element], region: Bounds) -> bool:
    middles = [e.bounds.center[0] for e in row]
    gaps = [b - a for a, b in pairwise(middles)]
    return min(gaps) > 0.75 * max(gaps) and middles[-1] - middles[0] > 0.5 * region.width


def _level(a: Element, b: Element) -> bool:
    """Whether two things stand side by side on one line."""
    return abs(a.bounds.center[1] - b.bounds.center[1]) < 0.4 * max(a.bounds.height, b.bounds.height)


Block = list[Element]


def _blocks(things: list[Element], region: Bounds) -> list[Block]:
    """Put each line below the one that it belongs to: a title with its summary, a paragraph."""
    blocks: list[Block] = []
    for thing in things:
        above = next((b for b in reversed(blocks) if _continues(b[-1], thing, region)), None)
        if above is None:
            blocks.append([thing])
        else:
            above.append(thing)
    return blocks


def _continues(above: Element, below: Element, region: Bounds) -> bool:
    if not (above.role is Role.TEXT is below.role and above.text and below.text):
        return False
    gap = below.bounds.top - above.bounds.bottom
    height = min(above.bounds.height, below.bounds.height)
    return -0.5 * height < gap < _NEAR * height and _flush(above, below, region)


def _flush(a: Element, b: Element, region: Bounds) -> bool:
    """Whether two lines begin at one edge."""
    return abs(a.bounds.left - b.bounds.left) <= _EDGE * region.width


def _body(blocks: list[Block], region: Bounds, foot: list[Element]) -> list[Element]:
    """Make lists of the blocks that begin at one edge, and let what stands beside a row belong to it."""
    short = [b for b in blocks if b[0].text and len(b) <= _LINES]
    runs = [[b for b in short if _flush(b[0], first[0], region)] for first in short]
    rows = max(runs, key=len, default=[])
    if len(rows) < _ROWS or not _one_column(rows, blocks, region):
        return [e for b in blocks for e in _alone(b, region)]
    boxes = [_around(tuple(r)) for r in rows]
    beside: list[Block] = [[] for _ in rows]
    others: list[Element] = []
    for block in blocks:
        if block in rows:
            continue
        middle = _around(tuple(block)).center[1]
        at = next((i for i, box in enumerate(boxes) if box.top <= middle < box.bottom), None)
        if at is None:
            others += _alone(block, region)
        else:
            beside[at] += block
    items = tuple(_item(row, besides) for row, besides in zip(rows, beside, strict=True))
    box = replace(_around(items), left=region.left, right=region.right)
    end = min((e.bounds.top for e in foot), default=region.bottom)
    goes_on = box.bottom > end - 0.12 * region.height
    ours = Element(Role.LIST, rows[0][0].class_name, bounds=box, scrollable=goes_on, children=items)
    return sorted([ours, *others], key=_reading)


def _one_column(rows: list[Block], blocks: list[Block], region: Bounds) -> bool:
    """Whether what stands beside the rows is theirs, as dates that end at one edge; else it is a column."""
    lines = [e for b in blocks if b not in rows for e in b if len(e.text) > 1]
    beside = [e for e in lines if any(_level(e, r[0]) for r in rows)]
    ends = [e.bounds.right for e in beside]
    return 2 * len(beside) < len(rows) or max(ends) - min(ends) <= 2 * _EDGE * region.width


def _item(row: Block, beside: Block) -> Element:
    parts = tuple(replace(e, clickable=False) for e in row)
    # What is named first names the row.
    rest = tuple(replace(e, clickable=False) for e in beside)
    return Element(Role.ITEM, row[0].class_name, bounds=_around(parts), clickable=True, children=parts + rest)


def _alone(block: Block, region: Bounds) -> list[Element]:
    """Let a short line be a button; what goes on over lines is to be read."""
    if len(block) == 1 and len(block[0].text) <= _SHORT:
        return [_button(block[0], region)]
    if len(block) <= _LINES and len(block[0].text) <= _SHORT:
        return [_item(block, [])]
    return block


def _button(element: Element, region: Bounds) -> Element:
    if element.role is not Role.TEXT and element.label:
        return element
    if not element.label:
        return replace(element, clickable=True, description=_whereabouts(element.bounds, region))
    return replace(element, role=Role.BUTTON, clickable=True)


def _whereabouts(box: Bounds, region: Bounds) -> str:
    """Call what has no words by its place: `icon at the top right`."""
    x, y = box.center
    across = ("left", "middle", "right")[min(2, 3 * (x - region.left) // max(1, region.width))]
    down = ("top", "middle", "bottom")[min(2, 3 * (y - region.top) // max(1, region.height))]
    place = down if across == down else f"{down} {across}"
    return f"icon at the {place}"


def _around(parts: tuple[Element, ...] | list[Element]) -> Bounds:
    boxes = [e.bounds for e in parts]
    return Bounds(
        min(b.left for b in boxes),
        min(b.top for b in boxes),
        max(b.right for b in boxes),
        max(b.bottom for b in boxes),
    )
