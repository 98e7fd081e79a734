"""What a page calls itself: a layer in, its title out."""

from collections.abc import Callable

from waypost.mapping.rows import repeated
from waypost.mapping.words import LONG, name_key, plain
from waypost.model import Element, Role, Screen

__all__ = ["heading", "page_title"]

_ACTS = (Role.BUTTON, Role.LINK, Role.TAB, Role.FIELD, Role.CHECKBOX, Role.SWITCH, Role.MENUITEM, Role.RADIO)


def heading(root: Element) -> str:
    """Return what a dialog, menu or sheet is headed by: a title id, a heading, else its first plain text."""
    named = _first(root, lambda e: "title" in name_key(e.resource_id).casefold() or e.role is Role.HEADING)
    return named or _first(root, lambda e: e.role is Role.TEXT)


def page_title(root: Element, screen: Screen) -> str:
    """Return the title that stands at a page's top; empty where there is none.

    >>> from waypost.model import Bounds
    >>> title = Element(Role.TEXT, text="Inbox", bounds=Bounds(200, 100, 500, 180))
    >>> bar = Element(Role.TOOLBAR, bounds=Bounds(0, 80, 1080, 200), children=(title,))
    >>> page_title(Element(bounds=Bounds(0, 0, 1080, 2400), children=(bar,)), Screen())
    'Inbox'
    """
    top = 0.25 * screen.size[1]
    for bar in root.walk():
        if bar.role is Role.TOOLBAR and bar.visible and bar.bounds.area and bar.bounds.top < top:
            found = _first(bar, lambda e: e.role is Role.HEADING) or _first(
                bar, lambda e: e.role is Role.TEXT
            )
            if found:
                return found
    return (
        _first(root, lambda e: e.role is Role.HEADING and e.bounds.top < top)
        or _first(root, lambda e: _titled(e) and e.bounds.top < top)
        or _first(root, lambda e: e.role is Role.TEXT and e.bounds.top < 0.12 * screen.size[1])
    )


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
            label = element.label or next((e.label for e in element.walk() if e.label), "")
            if label and len(label) <= LONG and plain(label):
                return label
        rows = repeated(element)
        stack.extend(c for i, c in reversed(list(enumerate(element.children))) if i not in rows)
    return ""
