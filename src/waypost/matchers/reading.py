"""What several recipes read of a look: a screen in, class names, cleaned text and lines of layout out."""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from waypost.model import Element, Role, Screen

__all__ = ["Kept", "layout_lines", "short_class", "short_id", "timeless"]

T = TypeVar("T")
_CHANGES = re.compile(
    r"\b\d{1,2}:\d{2}(:\d{2})?(\s?[ap]\.?m\b\.?)?|[-+]?\d+([.,]\d+)*\s?%?|\b[ap]\.?m\b\.?", re.IGNORECASE
)


def short_class(element: Element) -> str:
    """Return the last part of the class name; the role where it has none."""
    return element.class_name.rpartition(".")[2] or element.role.value


def short_id(element: Element) -> str:
    """Return the resource id without its package.

    >>> short_id(Element(resource_id="org.app:id/title"))
    'title'
    """
    return element.resource_id.rpartition("/")[2]


def timeless(text: str) -> str:
    """Take out times, numbers and percentages.

    >>> timeless("Inbox (12)"), timeless("Today, 9:41 AM"), timeless("85 %")
    ('Inbox ()', 'Today,', '')
    """
    return " ".join(_CHANGES.sub("", text).split())


_TAGS = {Role.BUTTON: "button", Role.FIELD: "input", Role.CHECKBOX: "checker", Role.SWITCH: "checker",
         Role.RADIO: "checker", Role.IMAGE: "img", Role.LIST: "scroll", Role.LINK: "a"}  # fmt: skip


def layout_lines(screen: Screen) -> Iterator[str]:
    """Yield one line for each element that says, holds or does something, as models are given pages."""
    for e in screen.visible():
        if not (e.label or e.clickable or e.scrollable or e.checkable):
            continue
        tag = _TAGS.get(e.role, "scroll" if e.scrollable else "button" if e.clickable else "p")
        name = f' id="{short_id(e)}"' if e.resource_id else ""
        said = f' description="{e.description}"' if e.description else ""
        mark = " checked" if e.checked else ""
        yield f"<{tag}{name}{said}{mark}>{e.text[:200]}</{tag}>"


class Kept(Generic[T]):
    """Remembers what was worked out about the screens seen last, by identity."""

    def __init__(self, work: Callable[[Screen], T], most: int = 4096) -> None:
        self._work, self._most = work, most
        self._known: OrderedDict[int, tuple[Screen, T]] = OrderedDict()

    def __call__(self, screen: Screen) -> T:
        known = self._known.get(id(screen))
        if known is None:
            # The screen is kept with its value, so that no other takes its id.
            known = self._known[id(screen)] = (screen, self._work(screen))
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        return known[1]
