"""Which part of a screen receives the touches: a screen in, its active layer out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from waypost.mapping.covering import Front, uncovered
from waypost.mapping.memo import per_screen
from waypost.model import Bounds, Element, Role, Screen

__all__ = ["Layer", "LayerKind", "active_layer", "beside", "foreground"]


class LayerKind(StrEnum):
    PAGE = "page"
    DIALOG = "dialog"
    MENU = "menu"
    DRAWER = "drawer"
    SHEET = "sheet"


@dataclass(frozen=True, slots=True)
class Layer:
    """The top layer: what it is, and the element that holds it."""

    kind: LayerKind
    root: Element

    @property
    def modal(self) -> bool:
        return self.kind is not LayerKind.PAGE


# Names that the platform's own libraries give to the frames of their layers.
_DIALOG_IDS = re.compile(r":id/(parentPanel|alertTitle|select_dialog_listview|mtrl_picker_\w+|buttonPanel)$")
_SHEET_IDS = re.compile(r":id/(design_bottom_sheet|bottom_sheet_dialog|bottomsheet)$", re.I)
_DIALOG_CLASSES = re.compile(r"(AlertDialog|DialogTitle|BottomSheetDialog|ListPopupWindow|PopupDecorView)")


def foreground(screen: Screen) -> Element:
    """Return the element that holds the active layer; the root where the page itself is active."""
    return active_layer(screen).root


@per_screen
def active_layer(screen: Screen) -> Layer:
    """Find the top dialog, menu, drawer or sheet; else the page.

    >>> menu = Element(Role.MENU, bounds=Bounds(500, 0, 1080, 700), children=(
    ...     Element(Role.MENUITEM, text="Settings", bounds=Bounds(500, 0, 1080, 200), clickable=True),))
    >>> page = Element(bounds=Bounds(0, 0, 1080, 2400), children=(menu,))
    >>> active_layer(Screen(page)).kind.value
    'menu'
    """
    whole = Bounds(0, 0, *screen.size)
    root, front = uncovered(screen.root, whole)
    found = _layers(root, whole)
    if found:
        return found[-1]
    if front is not None:
        kind = _in_front(front, whole)
        if kind is not LayerKind.PAGE and not (kind is LayerKind.DIALOG and _reachable(root, front)):
            return Layer(kind, front.element)
    return _before_barrier(root, whole) or _window(screen, root, whole)


def _reachable(root: Element, front: Front) -> bool:
    """Whether controls beside what lies in front, and what it takes touches on, can still be tapped."""
    inside = {id(e) for e in front.element.walk()}
    held = [front.element.bounds, *(e.bounds for e in front.element.walk() if e.clickable)]
    others = (e.bounds for e in root.walk() if e.clickable and e.visible and id(e) not in inside)
    return any(o.area and not any(h.contains(*o.center) for h in held) for o in others)


_BARRIER = 0.9
"""Share of the screen from which a bare part that takes touches is there to close what lies before it."""
_BESIDE = 6
"""Things beside a drawer: where more can be touched, it is the page, and no way of closing the drawer."""


@per_screen
def beside(screen: Screen) -> tuple[Element, ...]:
    """Return the few things that a web app's drawer leaves within reach, such as what closes it."""
    layer = active_layer(screen)
    if layer.kind is not LayerKind.DRAWER or "://" not in screen.app:
        return ()
    inside = {id(e) for e in layer.root.walk()}
    found = [e for e in screen.visible() if id(e) not in inside and (e.clickable or e.checkable)]
    return tuple(found) if len(found) <= _BESIDE else ()


def _layers(root: Element, whole: Bounds) -> list[Layer]:
    """Return the layers in drawing order; what lies inside a layer belongs to it."""
    found: list[Layer] = []
    stack = [root]
    unfolded: set[int] = set()
    while stack:
        element = stack.pop()
        if element.role is Role.MENUITEM:
            unfolded.update(id(c) for c in element.children)
        kind = _kind(element, whole) if element.visible and element is not root else None
        if kind is None and element is root and element.role in (Role.DIALOG, Role.MENU):
            kind = _kind(element, whole)
        if kind is None and element.visible and element.role is Role.MENU and id(element) in unfolded:
            kind = LayerKind.MENU if _holds_something(element) else None  # Of one entry, it looks like a bar.
        if kind is not None:
            found.append(Layer(kind, element))
            found.extend(Layer(LayerKind.MENU, choices) for choices in _unfolded(element))
            found.extend(Layer(LayerKind.MENU, c) for inner in element.walk() for c in _hanging(inner))
        else:
            found.extend(Layer(LayerKind.MENU, choices) for choices in _hanging(element))
            stack.extend(reversed(element.children))
    return found


def _hanging(holder: Element) -> list[Element]:
    """Return the lists that hang from a field or a button, out of the box that holds both.

    >>> field = Element(Role.FIELD, hint="Time", bounds=Bounds(50, 100, 150, 140))
    >>> below = Bounds(50, 140, 150, 400)
    >>> rows = tuple(Element(Role.ITEM, text=t, clickable=True, bounds=below) for t in "ab")
    >>> hangs = Element(Role.LIST, bounds=below, children=rows)
    >>> len(_hanging(Element(bounds=field.bounds, children=(field, hangs))))
    1
    """
    if not holder.bounds.area:
        return []
    return [
        below
        for above, below in pairwise(holder.children)
        if below.role is Role.LIST
        and below.visible
        and above.visible
        and above.role in (Role.FIELD, Role.PICKER, Role.BUTTON)
        and not holder.bounds.contains(*below.bounds.center)
        and sum(1 for row in below.children if row.clickable and row.label) > 1
    ]


def _unfolded(layer: Element) -> list[Element]:
    """Return the choices inside of a layer that a field with the focus has unfolded over it."""
    return [
        choices
        for holder in layer.walk()
        if any(c.role is Role.FIELD and c.focused for c in holder.children)
        for choices in holder.children
        if choices.role is Role.MENU and choices.visible and _holds_something(choices)
    ]


def _kind(element: Element, whole: Bounds) -> LayerKind | None:
    box = element.bounds
    if not box.area or not whole.area:
        return None
    if element.role is Role.DIALOG or _SHEET_IDS.search(element.resource_id):
        if not _holds_something(element):
            return None
        return LayerKind.SHEET if _is_sheet(element, whole) else LayerKind.DIALOG
    if element.role is Role.MENU:
        return LayerKind.MENU if _holds_something(element) and not _is_bar(box, whole) else None
    if element.role is Role.NAVIGATION and _is_drawer(box, whole) and _holds_something(element):
        return LayerKind.DRAWER
    return None


def _holds_something(element: Element) -> bool:
    return any(e.visible and e.bounds.area and e.label for e in element.walk())


def _is_sheet(element: Element, whole: Bounds) -> bool:
    """Anchored to the bottom over the whole width, and not over the whole height."""
    box = element.bounds
    wide = box.width >= 0.9 * whole.width
    return wide and box.bottom >= 0.97 * whole.bottom and whole.height * 0.05 < box.top


def _is_bar(box: Bounds, whole: Bounds) -> bool:
    return box.height < 0.12 * whole.height and box.width > 0.8 * whole.width


def _is_drawer(box: Bounds, whole: Bounds) -> bool:
    """Tall, at one side, and too wide to be a rail that stays."""
    tall = box.height >= 0.6 * whole.height
    side = box.left <= 0.02 * whole.width or box.right >= 0.98 * whole.width
    return tall and side and 0.4 * whole.width <= box.width


def _before_barrier(root: Element, whole: Bounds) -> Layer | None:
    """Find what lies before a barrier: a bare part as large as the screen that does nothing but take touches.

    Flutter and Compose draw one behind each dialog, sheet, menu and drawer, and keep what is behind it out of
    the tree.
    """
    for holder in root.walk():
        shown = [c for c in holder.children if c.visible and c.bounds.area]
        barriers = [c for c in shown if _is_barrier(c, whole)]
        if not barriers:
            continue
        others = [c for c in shown if c not in barriers and _holds_something(c)]
        if shown[:1] != barriers or not others:
            return None
        box = _around(e.bounds for o in others for e in o.walk() if e.visible and (e.label or e.clickable))
        only = others[0] if len(others) == 1 else replace(holder, bounds=box, children=tuple(others))
        kind = _in_front(Front(only, box, scrim=True), whole)
        return None if kind is LayerKind.PAGE else Layer(kind, only)
    return None


def _around(boxes: Iterable[Bounds]) -> Bounds:
    found = list(boxes)
    return Bounds(
        min(b.left for b in found),
        min(b.top for b in found),
        max(b.right for b in found),
        max(b.bottom for b in found),
    )


def _is_barrier(element: Element, whole: Bounds) -> bool:
    bare = element.clickable and not element.children and element.role in (Role.GROUP, Role.BUTTON)
    return bare and element.bounds.clip(whole).area >= _BARRIER * whole.area


def _in_front(front: Front, whole: Bounds) -> LayerKind:
    """Tell by its place what lies over a page; another page where it takes the whole screen."""
    box = front.box
    if _is_drawer(box, whole) and box.width <= 0.92 * whole.width:
        return LayerKind.DRAWER
    if box.height >= 0.8 * whole.height and box.width >= 0.8 * whole.width:
        return LayerKind.PAGE
    if (
        box.bottom >= 0.85 * whole.bottom
        and box.width >= 0.7 * whole.width
        and box.top >= 0.12 * whole.bottom
    ):
        return LayerKind.SHEET
    return LayerKind.DIALOG if front.scrim else LayerKind.PAGE


def _window(screen: Screen, root: Element, whole: Bounds) -> Layer:
    """Tell a window that is itself a dialog or a menu from a page by its size and its parts."""
    box = _extent(root)
    if not box.area or screen.quality.value == "none":
        return Layer(LayerKind.PAGE, root)
    platform = any(
        e.visible and (_DIALOG_IDS.search(e.resource_id) or _DIALOG_CLASSES.search(e.class_name))
        for e in root.walk()
    )
    small = box.width < 0.97 * whole.width and box.height < 0.9 * whole.height
    low = box.top > 0.12 * whole.height and box.height < 0.85 * whole.height
    if not (platform or small or (low and box.bottom >= 0.97 * whole.bottom)):
        return Layer(LayerKind.PAGE, root)
    if low and not small and not platform:
        return Layer(LayerKind.SHEET, root)
    return Layer(LayerKind.MENU if _only_choices(root) else LayerKind.DIALOG, root)


def _extent(root: Element) -> Bounds:
    """Return the box of the window itself: its root's, since a window is only as large as it has to be."""
    return root.bounds


def _only_choices(root: Element) -> bool:
    """Whether everything labelled belongs to a row that can be tapped, and nothing is a button."""
    choices = 0
    stack = [(root, False)]
    while stack:
        element, inside = stack.pop()
        if not element.visible:
            continue
        inside = inside or element.clickable
        if element.role in (Role.BUTTON, Role.FIELD) or (element.label and not inside):
            return False
        choices += bool(element.label)
        stack.extend((c, inside) for c in element.children)
    return choices > 0
