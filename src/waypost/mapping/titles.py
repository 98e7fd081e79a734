"""What a page calls itself: a layer in, its title out."""

import re
from collections.abc import Callable
from dataclasses import replace

from waypost.mapping.hazards import refuses
from waypost.mapping.rows import repeated, scrolls
from waypost.mapping.words import LONG, name_key, plain
from waypost.model import Bounds, Element, Role, Screen

__all__ = ["heading", "is_bar", "page_title", "title_control"]

_WIDE = 1.5
"""How much wider than high, or higher than wide, what an icon takes touches on is."""
_ACTS = (Role.BUTTON, Role.LINK, Role.TAB, Role.FIELD, Role.CHECKBOX, Role.SWITCH, Role.MENUITEM, Role.RADIO)


def heading(root: Element) -> str:
    """Return what a dialog, menu or sheet is headed by: a title id, a heading, else its first plain text."""
    named = _first(root, lambda e: "title" in name_key(e.resource_id).casefold() or e.role is Role.HEADING)
    return named or title_control(root) or _first(root, lambda e: e.role is Role.TEXT) or _begins(root)


def _begins(root: Element) -> str:
    """Return how the first text begins that is too long for a name: what a box says that has no title."""
    said = (e.label for e in root.walk() if e.role is Role.TEXT and e.visible and e.bounds.area and e.label)
    first = next((text for text in said if len(text) > LONG), "")
    return first[:LONG].rpartition(" ")[0] or first[:LONG]


def title_control(root: Element) -> str:
    """Return the text of the control that stands as a heading; an icon beside it, "Close", is none.

    >>> from waypost.model import Bounds
    >>> box = Bounds(0, 0, 100, 50)
    >>> name = Element(Role.BUTTON, text="Savings", clickable=True, bounds=box)
    >>> close = Element(Role.BUTTON, description="Close", clickable=True, bounds=box)
    >>> title_control(Element(Role.HEADING, bounds=box, children=(close, name)))
    'Savings'
    """
    for element in root.walk():
        if element.role is not Role.HEADING or not element.visible:
            continue
        texts = [e.text for e in element.walk() if e.visible and e.bounds.area and plain(e.text)]
        named = [t for t in texts if len(t) <= LONG and not refuses(t)]
        if named:
            return named[0]
    return ""


def page_title(root: Element, screen: Screen) -> tuple[str, bool]:
    """Return the title that stands at a page's top, empty where there is none, and whether it surely is one.

    >>> from waypost.model import Bounds
    >>> title = Element(Role.TEXT, text="Inbox", bounds=Bounds(200, 100, 500, 180))
    >>> bar = Element(Role.TOOLBAR, bounds=Bounds(0, 80, 1080, 200), children=(title,))
    >>> page_title(Element(bounds=Bounds(0, 0, 1080, 2400), children=(bar,)), Screen())
    ('Inbox', True)
    """
    top = 0.25 * screen.size[1]
    asked = _asked(root, screen)
    if asked is not None:
        return asked, True
    for bar in root.walk():
        if is_bar(bar) and bar.visible and bar.bounds.area > 0 and bar.bounds.top < top:
            found = _first(bar, lambda e: e.role is Role.HEADING) or _first(
                bar, lambda e: e.role is Role.TEXT
            )
            if not found and len(bar.description) <= LONG and plain(bar.description):
                found = bar.description  # One that collapses draws its title, and only tells it.
            if found:
                return found, True
    fixed = _outside(root)
    sure = _first(fixed, lambda e: e.role is Role.HEADING and e.bounds.top < top) or _first(
        fixed, lambda e: _titled(e) and e.bounds.top < top
    )
    if sure:
        # Where all of the page scrolls, a heading may be that of a part.
        return sure, not (root.scrollable and root.role is Role.WEB)
    high = 0.12 * screen.size[1]
    icons = [e.bounds for e in fixed.walk() if e.clickable and e.bounds.top < high and _square(e.bounds)]
    beside = _first(
        fixed, lambda e: e.role is Role.TEXT and e.bounds.top < high and _stands_beside(e.bounds, icons)
    )
    if beside:
        return beside, True
    likely = _first(fixed, lambda e: e.role is Role.TEXT and e.bounds.top < high)
    headed = likely or _first(root, lambda e: e.role is Role.HEADING and e.bounds.top < top)
    return headed or _document(root, screen), False


def _document(root: Element, screen: Screen) -> str:
    """Return the title of the document that a web view inside of an app shows over most of the screen."""
    half = 0.5 * screen.size[0] * screen.size[1]
    shown = (e for e in root.walk() if e.role is Role.WEB and e.visible and e.bounds.area >= half)
    found = next((e.label for e in shown if e.label), "")
    return found if len(found) <= LONG and plain(found) else ""


def _square(box: Bounds) -> bool:
    return bool(box.area) and _WIDE * min(box.width, box.height) >= max(box.width, box.height)


def _stands_beside(box: Bounds, icons: list[Bounds]) -> bool:
    """Whether a text shares its line with an icon to tap: toolkits that name no bars draw them."""
    return any(
        i.top <= box.center[1] < i.bottom and (i.right <= box.left or i.left >= box.right) for i in icons
    )


def _asked(root: Element, screen: Screen) -> str | None:
    """Return what a field in place of the title asks for; None where there is no such field."""
    for element in root.walk():
        if element.role is Role.FIELD and element.visible and element.bounds.area > 0:
            high = element.bounds.bottom <= 0.13 * screen.size[1]
            if high and element.bounds.width >= 0.5 * screen.size[0]:
                return element.hint or element.description
    return None


def is_bar(element: Element) -> bool:
    """Whether an element is the bar that holds a page's title, by its role or by the usual names."""
    if element.role is Role.TOOLBAR:
        return True
    return bool(
        re.search(
            r"(^|_)(toolbar|action_?bar|app_?bar|title_?bar|top_?bar)$",
            name_key(element.resource_id).casefold(),
        )
    )


def _outside(root: Element) -> Element:
    """Return the tree without what scrolls."""
    kept = tuple(_outside(c) for c in root.children if not scrolls(c))
    return replace(root, children=kept)


def _titled(element: Element) -> bool:
    key = name_key(element.resource_id).casefold()
    return key in (
        "title",
        "action_bar_title",
        "toolbar_title",
        "page_title",
        "title_text",
        "tv_title",
        "header_title",
    )


def _inside(element: Element) -> str:
    """Return the first label inside that is no control's."""
    for child in element.children:
        # A logo beside a title is none.
        if child.clickable or child.role in _ACTS or child.role is Role.IMAGE or not child.visible:
            continue
        label = child.label or _inside(child)
        if label:
            return label
    return ""


def _first(root: Element, wanted: Callable[[Element], bool]) -> str:
    """Return the first fitting label in tree order that can be seen, outside of controls and rows."""
    stack = [root]
    while stack:
        element = stack.pop()
        if not element.visible and not element.children:
            continue
        if element is not root and (element.role in _ACTS or element.clickable):
            continue
        if element.visible and element.bounds.area and wanted(element):
            label = element.label or _inside(element)
            if label and len(label) <= LONG and plain(label):
                return label
        rows = repeated(element)
        stack.extend(c for i, c in reversed(list(enumerate(element.children))) if i not in rows)
    return ""
