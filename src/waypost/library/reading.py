"""What a page says, in reading order: a screen in, its title, sections, controls and rows out.

Only the active layer, and of it only what can be seen. Texts come out cleaned (`words.clean`).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from waypost.library.words import clean
from waypost.mapping import LayerKind, active_layer
from waypost.model import Bounds, Element, Role, Screen

__all__ = ["Item", "Reading", "read"]

_TOGGLES = (Role.SWITCH, Role.CHECKBOX, Role.RADIO)
_CONTROLS = (
    *_TOGGLES,
    Role.BUTTON,
    Role.LINK,
    Role.FIELD,
    Role.SLIDER,
    Role.PICKER,
    Role.TAB,
    Role.ITEM,
    Role.MENUITEM,
)
_ENTRIES = (Role.TABLIST, Role.TOOLBAR, Role.NAVIGATION, Role.MENU)
_AROUND = ("toolbar", "bottom bar", "tabs", "navigation")
_PROSE = 90
"""Letters from which a text is prose, of which only the beginning is worth keeping."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to do or to read on a page."""

    label: str
    role: Role
    where: str = ""
    """`toolbar`, `tabs`, `bottom bar`, `navigation`, `list`, the kind of the layer, or empty."""
    detail: str = ""
    """What else stands in the same row: a subtitle, a value."""
    section: str = ""
    """Heading that it stands under."""
    row: str = ""
    """Names the list of like rows that it belongs to; empty outside of lists."""
    active: bool = True
    """Whether it can be used, as opposed to only read."""
    selected: bool = False
    bounds: Bounds = Bounds(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Reading:
    title: str
    layer: LayerKind
    items: tuple[Item, ...]
    headings: tuple[str, ...]
    tab: str = ""
    """Label of the selected tab or entry of a bar."""


def read(screen: Screen) -> Reading:
    """Read the active layer of a screen from top to bottom, as a person would.

    >>> bar = Element(Role.TOOLBAR, bounds=Bounds(0, 0, 1080, 160), children=(
    ...     Element(Role.HEADING, text="Sound", bounds=Bounds(0, 0, 500, 160)),))
    >>> row = Element(Role.SWITCH, text="Vibrate", bounds=Bounds(0, 200, 1080, 360), clickable=True)
    >>> page = read(Screen(Element(bounds=Bounds(0, 0, 1080, 2400), children=(bar, row))))
    >>> page.title, [i.label for i in page.items]
    ('Sound', ['Vibrate'])
    """
    layer = active_layer(screen)
    reader = _Reader(screen, layer.kind)
    reader.visit(layer.root, _Context())
    return reader.result()


@dataclass(frozen=True, slots=True)
class _Context:
    where: str = ""
    row: str = ""
    depth: int = 0


class _Reader:
    def __init__(self, screen: Screen, layer: LayerKind) -> None:
        self.screen, self.layer = screen, layer
        self.items: list[Item] = []
        self.headings: list[str] = []
        self.bar_heading = ""
        self.bar_texts: list[str] = []
        self.section = ""
        self.tab = ""
        self._lists = 0

    def visit(self, element: Element, context: _Context) -> None:
        if not element.visible or (element.bounds.area == 0 and not element.children):
            return
        where = _where(element, self.screen, self.layer) or context.where
        inside = _Context(where, context.row, context.depth + 1)
        if _is_control(element):
            self._control(element, inside)
            return
        self._text(element, inside)
        rows = _rows(element)
        name = ""
        if rows:
            self._lists += 1
            name = f"list{self._lists}"
        for i, child in enumerate(element.children):
            self.visit(child, _Context(where, name if i in rows else context.row, context.depth + 1))

    def _control(self, element: Element, context: _Context) -> None:
        parts = [] if element.role is Role.FIELD else list(_texts(element))
        label = _own(element) or (parts[0] if parts else "")
        if not label:
            return
        detail = " · ".join(p for p in parts if p != label)
        role = _role(element)
        selected = element.selected or (role in (Role.TAB, Role.RADIO) and element.checked)
        if selected and context.where in ("tabs", "bottom bar", "navigation") and not self.tab:
            self.tab = label
        section = "" if context.where in _AROUND else self.section
        self.items.append(
            Item(
                label,
                role,
                context.where,
                clean(detail, 100),
                section,
                context.row,
                True,
                selected,
                element.bounds,
            )
        )
        # A row may hold buttons of its own.
        for inner in element.children:
            self._inner(inner, context)

    def _inner(self, element: Element, context: _Context) -> None:
        for e in element.walk():
            own = clean(e.label)
            if e.visible and e.bounds.area and own and e.role in _CONTROLS and (e.clickable or e.checkable):
                known = self.items[-1]
                if own not in (known.label, *known.detail.split(" · ")):
                    self.items.append(Item(own, e.role, context.where, "", self.section, context.row, True))

    def _text(self, element: Element, context: _Context) -> None:
        text = clean(element.text or element.description, _PROSE)
        if not text or element.role in (Role.PROGRESS,):
            return
        if context.where == "toolbar":
            self.bar_texts.append(text)
            if element.role is Role.HEADING and not self.bar_heading:
                self.bar_heading = text
            return
        if element.role is Role.HEADING:
            self.headings.append(text)
            self.section = text
            return
        if element.role in (Role.LIST, Role.TABLIST, Role.NAVIGATION, Role.MENU, Role.TOOLBAR, Role.WEB):
            return
        if element.role is Role.DIALOG:
            self.headings.append(text)
            return
        item = Item(
            text, element.role, context.where, "", self.section, context.row, False, bounds=element.bounds
        )
        self.items.append(item)

    def result(self) -> Reading:
        headings = list(dict.fromkeys(self.headings))
        title = self.bar_heading or next(iter(self.bar_texts), "")
        if not title or (self.layer is not LayerKind.PAGE and headings):
            title = next(iter(headings), title)
        return Reading(
            title, self.layer, tuple(self.items), tuple(h for h in headings if h != title), self.tab
        )

    def _topmost(self) -> str:
        """Return the first short text that is only read, where it stands above everything else."""
        high = 0.15 * self.screen.size[1]
        for item in self.items:
            if not item.active and len(item.label) <= 40:
                return item.label if self.layer is not LayerKind.PAGE or item.bounds.top < high else ""
        return ""


def _rows(parent: Element) -> frozenset[int]:
    """Return the positions of the children that repeat one another: three or more of one shape."""
    if parent.role in _ENTRIES:
        return frozenset()
    shapes = [(c.role, c.class_name, tuple(g.role for g in c.children)) for c in parent.children]
    counted = Counter(shapes)
    least = 2 if parent.role is Role.LIST else 3
    return frozenset(
        i
        for i, child in enumerate(parent.children)
        if counted[shapes[i]] >= least and child.role not in (Role.BUTTON, Role.TAB, Role.FIELD, Role.HEADING)
    )


def _own(element: Element) -> str:
    """Return an element's own label; of a field what it asks for, never what was typed into it."""
    if element.role is not Role.FIELD:
        return clean(element.label)
    asked = element.description or element.hint
    return clean(asked or ("" if element.password else element.text))


def _is_control(element: Element) -> bool:
    if element.role in _TOGGLES or element.role in (Role.FIELD, Role.SLIDER, Role.PICKER, Role.TAB):
        return True
    if not (element.clickable or element.long_clickable or element.checkable or element.role in _CONTROLS):
        return False
    # A clickable frame around a whole page is no control.
    return sum(1 for e in element.walk() if e.clickable or e.checkable) <= 6 and element.role is not Role.LIST


def _role(element: Element) -> Role:
    if element.role in _CONTROLS and element.role not in (Role.ITEM, Role.BUTTON):
        return element.role
    for inner in element.walk():
        if inner.visible and inner.role in _TOGGLES:
            return inner.role
    return element.role if element.role in _CONTROLS else Role.BUTTON


def _texts(element: Element) -> Iterator[str]:
    seen = set()
    for e in element.walk():
        if not (e.visible and e.bounds.area):
            continue
        text = clean(e.label)
        if text and text not in seen:
            seen.add(text)
            yield text


def _where(element: Element, screen: Screen, layer: LayerKind) -> str:
    if layer is not LayerKind.PAGE:
        return layer.value
    if element.role is Role.TOOLBAR:
        return "toolbar"
    if element.role is Role.TABLIST:
        return _bar(element, screen) or "tabs"
    if element.role is Role.NAVIGATION:
        return _bar(element, screen) or "navigation"
    if element.role is Role.MENU:
        return "menu"
    return "list" if element.role is Role.LIST else ""


def _bar(element: Element, screen: Screen) -> str:
    height = screen.size[1]
    low = element.bounds.top > 0.8 * height and element.bounds.height < 0.2 * height
    return "bottom bar" if low else ""
