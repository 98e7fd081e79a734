"""What each thing on a screen is called: a screen in, its visible foreground elements, named, out."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from waypost.mapping.layers import beside, foreground
from waypost.mapping.memo import per_screen
from waypost.model import Element, Role, Screen

__all__ = ["Named", "actionable", "identifier", "named", "plain", "spoken"]

_ACTING = frozenset({
    Role.BUTTON, Role.LINK, Role.CHECKBOX, Role.SWITCH, Role.RADIO, Role.PICKER, Role.TAB, Role.MENUITEM,
    Role.FIELD, Role.SLIDER,
})  # fmt: skip
_BARS = frozenset({Role.TABLIST, Role.NAVIGATION, Role.MENU, Role.TOOLBAR})
_ON_OFF = frozenset(
    {"on", "off", "an", "aus", "ein", "oui", "non", "开", "关", "开启", "关闭", "オン", "オフ"}
)
_CLOCK = re.compile(r"\b\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\b\.?)?|[上下]午", re.I)
_COUNT = re.compile(r"[(\[（]?\d[\d.,\s/:+%-]*\+?[)\]）]?")
_MADE_UP = re.compile(r"\d{3,}|[:«»]|^(?=.*\d)[0-9a-f-]{6,}$", re.I)
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff]")
_ROW_PARTS = 40
_CONTENT = 10
"""Choices of one menu from which they are content, such as the names of customers or the months of years."""


@dataclass(frozen=True, slots=True)
class Named:
    """An element, and what tells it apart from the others on its screen."""

    element: Element
    ancestors: tuple[Element, ...]
    """Nearest first, up to the root of the screen."""
    label: str
    names: tuple[str, ...]
    """Names of the named ancestors, nearest first, at most three."""
    index: int
    """Position among those of the same role, label, id and names, in tree order."""
    of: int
    template: str
    """Key of the repeated row that it is or belongs to; empty outside of lists."""


@lru_cache(maxsize=16384)
def plain(label: str) -> str:
    """Reduce a label to what stays the same from look to look: no clock, no count, no extra space.

    >>> plain("Inbox (12)"), plain("  Alarm   07:30 am"), plain("42")
    ('Inbox', 'Alarm', '42')
    """
    text = " ".join(unicodedata.normalize("NFKC", label).split())
    if text.isdigit() and len(text) <= 2:
        return text  # A key of a keypad or a day of a calendar: the number is the name.
    text = _COUNT.sub(" ", _CLOCK.sub(" ", text))
    return " ".join(text.split())[:60].strip(" ·•|,;:-–")


@lru_cache(maxsize=16384)
def identifier(resource_id: str) -> str:
    """Reduce a resource id to its own name; empty where a framework made it up.

    >>> identifier("com.example:id/save"), identifier("radix-:r1:"), identifier("item-48213")
    ('save', '', '')
    """
    tail = resource_id.rsplit("/", 1)[-1]
    return "" if _MADE_UP.search(tail) else tail


def actionable(element: Element) -> bool:
    """Whether the element itself takes a tap, a long press or text."""
    return (
        element.clickable
        or element.long_clickable
        or element.checkable
        or (element.role is Role.FIELD or (element.role in _ACTING and bool(element.href)))
    )


def spoken(element: Element) -> str:
    """Return what a person would call the element: its own label, else its most prominent text.

    >>> from waypost.model import Bounds
    >>> texts = [Element(Role.TEXT, text=t, bounds=Bounds(0, 0, 9, 9)) for t in ("7", "Ann")]
    >>> spoken(Element(clickable=True, children=tuple(texts)))
    'Ann'
    """
    if element.role is Role.FIELD:
        return element.hint or element.description  # What was typed is no name, and nobody's business.
    own = element.label
    if element.checkable and own.strip().casefold() in _ON_OFF:
        own = element.description if element.description != own else ""
    if not element.children or (own and len(own) <= 40):
        return own
    inner = _prominent(element)
    return inner if not own or inner in own else own


def _prominent(element: Element) -> str:
    """Pick the heading, else the first text in reading order that is more than a number or a letter."""
    texts: list[Element] = []
    name = weak = ""
    for part in _parts(element):
        if part.role is Role.HEADING and part.text:
            return part.text
        words = plain(part.text)
        if len(words) > 1 and not words.isdigit():
            texts.append(part)
        weak = weak or part.text
        name = name or part.description or part.hint
    return _first_read(texts).text if texts else name or weak


def _first_read(texts: list[Element]) -> Element:
    """Pick what stands first in the top line, from the side that its script starts at."""
    top = min(texts, key=lambda e: e.bounds.center[1])
    line = [t for t in texts if abs(t.bounds.center[1] - top.bounds.center[1]) * 2 < top.bounds.height]
    leftward = any(_RIGHT_TO_LEFT.search(t.text) for t in line)
    return min(line or [top], key=lambda e: -e.bounds.right if leftward else e.bounds.left)


def _parts(element: Element) -> Iterator[Element]:
    """Yield what the element holds and what does not act by itself, bounded."""
    stack = list(reversed(element.children))
    for _ in range(_ROW_PARTS):
        if not stack:
            return
        part = stack.pop()
        if not part.visible or not part.bounds.area:
            continue
        yield part
        if not actionable(part):
            stack.extend(reversed(part.children))


@per_screen
def named(screen: Screen) -> tuple[Named, ...]:
    """Name the visible elements of the active layer, in tree order."""
    found: list[tuple[Element, tuple[Element, ...], str, tuple[str, ...], str]] = []
    top = foreground(screen)
    for element, ancestors in _walk(screen.root, top, {id(e) for e in beside(screen)}):
        label = spoken(element) if actionable(element) or not element.children else element.label
        found.append((element, ancestors, label, _names(ancestors), ""))
    rows = _rows([f[0] for f in found])
    counts = Counter(_same(e, label, names) for e, _, label, names, _ in found)
    seen: Counter[tuple[object, ...]] = Counter()
    out = []
    for element, ancestors, label, names, _ in found:
        same = _same(element, label, names)
        template = _template(element, ancestors, rows)
        out.append(Named(element, ancestors, label, names, seen[same], counts[same], template))
        seen[same] += 1
    return tuple(out)


def _same(element: Element, label: str, names: tuple[str, ...]) -> tuple[object, ...]:
    return element.role, plain(label), identifier(element.resource_id), names


def _walk(root: Element, top: Element, also: set[int]) -> Iterator[tuple[Element, tuple[Element, ...]]]:
    """Yield what is visible under `top`, or is in `also`, with the ancestors up to `root`."""
    stack: list[tuple[Element, tuple[Element, ...], bool]] = [(root, (), False)]
    while stack:
        element, ancestors, inside = stack.pop()
        inside = inside or element is top
        if (inside or id(element) in also) and element.visible and element.bounds.area:
            yield element, ancestors
        below = (element, *ancestors)
        stack.extend((child, below, inside) for child in reversed(element.children))


def _names(ancestors: tuple[Element, ...]) -> tuple[str, ...]:
    names: list[str] = []
    for element in ancestors[:-1] or ancestors:
        name = identifier(element.resource_id)
        if not name and element.role not in (Role.GROUP, Role.WEB, Role.ITEM):
            label = "" if element.scrollable else plain(element.description or element.text)[:30]
            name = f"{element.role.value} {label}".strip()
        if name and name not in names:
            names.append(name)
            if len(names) == 3:
                break
    return tuple(names)


def _rows(elements: list[Element]) -> dict[int, str]:
    """Find repeated rows: the identity of each row's element -> shape of the row."""
    rows: dict[int, str] = {}
    for parent in elements:
        if (parent.role in _BARS and not _many(parent)) or len(parent.children) < 2:
            continue
        shown = [c for c in parent.children if c.visible and c.bounds.area]
        ids = Counter(identifier(c.resource_id) for c in shown)
        shapes = [(c, _shape(c, _row_id(c, parent, ids))) for c in shown]
        counts = Counter(s for _, s in shapes if s)
        enough = 2 if parent.role is Role.LIST else 3
        section = ""
        for child, shape in shapes:
            if not shape:
                section = _heading(child) or section
            elif counts[shape] >= enough:
                rows[id(child)] = f"{shape}|{section}" if section else shape
    return rows


def _many(parent: Element) -> bool:
    """Whether a menu is so long that it offers content rather than commands."""
    return parent.role is Role.MENU and sum(c.role is Role.ITEM for c in parent.children) >= _CONTENT


def _heading(element: Element) -> str:
    """Return what a line between rows says: rows under another heading are of another kind."""
    if element.role is Role.LIST or element.scrollable:
        return ""
    texts = [e.text for e in element.walk() if e.text and e.role in (Role.HEADING, Role.TEXT)][:2]
    return plain(texts[0])[:24] if len(texts) == 1 else ""


def _row_id(row: Element, parent: Element, ids: Counter[str]) -> str:
    """Return the id of a row; empty where each row of a list bears one of its own, made from its content."""
    name = identifier(row.resource_id)
    own = ids[name] == 1 and len(ids) > 2 and (parent.role is Role.LIST or row.role is Role.ITEM)
    return "" if own else name


def _shape(row: Element, name: str) -> str:
    """Describe a row by what can be done with it; empty where nothing can, or where it is a command."""
    if row.role in (Role.TAB, Role.MENUITEM):
        return ""
    parts = []
    for n, element in enumerate(row.walk()):
        if n > _ROW_PARTS:
            break
        if element is row or (element.visible and actionable(element)):
            mark = "!" if actionable(element) else ""
            shown = name if element is row else identifier(element.resource_id)
            parts.append(f"{element.role.value}#{shown}{mark}")
    return "+".join(parts) if any(p.endswith("!") for p in parts) else ""


def _template(element: Element, ancestors: tuple[Element, ...], rows: dict[int, str]) -> str:
    if not actionable(element) or element.role in (Role.TAB, Role.MENUITEM):
        return ""
    chain = (element, *ancestors)
    bar = next((i for i, a in enumerate(chain[1:]) if a.role in _BARS), None)
    if bar is not None and not (_many(chain[bar + 1]) and id(chain[bar]) in rows):
        return ""  # The entries of a bar or a menu are commands, however alike they look.
    for depth, link in enumerate(chain):
        shape = rows.get(id(link))
        if shape is not None:
            place = ">".join(_names(chain[depth + 1 :]))
            return f"{place}|{shape}{_column(element, link) if depth else ''}"
    return ""


def _column(element: Element, row: Element) -> str:
    """Tell the buttons of one row apart: by role and id, and by their order where these are the same."""
    name = identifier(element.resource_id)
    twins = [
        e
        for e in row.walk()
        if e is not row and e.role is element.role and identifier(e.resource_id) == name and actionable(e)
    ]
    place = next((i for i, e in enumerate(twins) if e is element), 0)
    return f"/{element.role.value}#{name}{f'.{place}' if place else ''}"
