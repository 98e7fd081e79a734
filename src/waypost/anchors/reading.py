"""What a screen states, read without a model: a screen in, facts (a name and its value) out.

A fact is a row of two texts, a switch with its state, a field with what it holds, or `Name: value`.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from waypost.model import Bounds, Element, Role, Screen

__all__ = ["Fact", "facts", "page_name", "texts"]

_STATED = re.compile(r"^([^:：]{2,40})[:：]\s+(\S.{0,80})$")
_CUT = re.compile(r"(?:…|\.\.\.)$")
_TOGGLES = (Role.SWITCH, Role.CHECKBOX, Role.RADIO)
_TALLEST = 0.3
"""Share of the screen's height above which what holds two texts is no row."""
_MOST_WORDS = 30
_BARS = (Role.TABLIST, Role.TAB, Role.TOOLBAR, Role.NAVIGATION)


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    value: str
    bounds: Bounds
    doubted: bool = False
    """Another thing of this name stands beside it, or the text was cut short."""

    @property
    def sentence(self) -> str:
        return f"{self.name}: {self.value}"


def facts(screen: Screen) -> tuple[Fact, ...]:
    """Read what a screen states, from top to bottom; secrets are never read.

    >>> row = Element(Role.ITEM, bounds=Bounds(0, 0, 900, 150), children=(
    ...     Element(Role.TEXT, text="Battery", bounds=Bounds(0, 0, 900, 70)),
    ...     Element(Role.TEXT, text="86 % left", bounds=Bounds(0, 70, 900, 150))))
    >>> [f.sentence for f in facts(Screen(Element(children=(row,), bounds=Bounds(0, 0, 900, 2000))))]
    ['Battery: 86 % left']
    """
    found = list(_facts(screen.root, screen))
    names = Counter(f.name for f in found)
    several = {name for name, n in names.items() if n > 1}
    told = (
        Fact(f.name, f.value, f.bounds, f.name in several or bool(_CUT.search(f.name + f.value)))
        for f in found
    )
    return tuple(dict.fromkeys(told))


def page_name(screen: Screen) -> str:
    """Return what a page calls itself: its topmost heading or text, if at the top; else its title."""
    # What stands further down parts the page; it is not what the page is called.
    heads = [
        e
        for e in screen.visible()
        if e.role in (Role.HEADING, Role.TEXT) and e.label.strip() and e.bounds.top < screen.size[1] // 8
    ]
    top = min(heads, key=lambda e: (e.role is not Role.HEADING, e.bounds.top, e.bounds.left), default=None)
    return " ".join(top.label.split()) if top else screen.title or screen.activity


def texts(screen: Screen) -> tuple[str, ...]:
    """Return the visible texts, from top to bottom, each once; secrets left out."""
    shown = (e for e in screen.visible() if e.label.strip() and not e.password)
    rows = sorted(shown, key=lambda e: (e.bounds.top, e.bounds.left))
    return tuple(dict.fromkeys(" ".join(e.label.split()) for e in rows))


def _facts(element: Element, screen: Screen) -> Iterator[Fact]:
    if not element.visible or not element.bounds.area:
        return
    if element.role in _BARS:
        return
    own = _own(element, screen)
    if own is not None:
        yield own
        return
    if not element.children:
        stated = _STATED.match(" ".join(element.label.split()))
        if stated and not element.password:
            yield Fact(stated.group(1).strip(), stated.group(2).strip(), element.bounds)
        return
    for child in element.children:
        yield from _facts(child, screen)


def _own(element: Element, screen: Screen) -> Fact | None:
    """Read an element that is a row, a switch or a field as a whole; None where it is none."""
    if element.role is Role.FIELD:
        name = element.hint or element.description
        told = bool(name and element.text and element.text != name and not element.password)
        return Fact(name, element.text, element.bounds) if told else None
    toggle = next((e for e in element.walk() if e.role in _TOGGLES and e.visible), None)
    small = element.bounds.height <= _TALLEST * screen.size[1] and len(_inner(element)) <= 1
    if not small:
        return None
    words = _words(element)
    if toggle is not None and words:
        return Fact(words[0], "on" if toggle.checked else "off", element.bounds)
    if 2 <= len(words) <= 3 and sum(len(w.split()) for w in words) <= _MOST_WORDS and element.children:
        return Fact(words[0], ", ".join(words[1:]), element.bounds)
    return None


def _inner(element: Element) -> list[Element]:
    """Return what can be touched inside of an element, itself included: a row is one thing to touch."""
    return [e for e in element.walk() if e.clickable and e.visible and e.role not in _TOGGLES]


def _words(element: Element) -> list[str]:
    leaves = [
        e for e in element.walk()
        if e.visible and e.bounds.area and e.label.strip() and e.role not in (Role.IMAGE, Role.BUTTON)
        and not e.password and (not e.children or e.role in _TOGGLES)
    ]  # fmt: skip
    leaves.sort(key=lambda e: (e.bounds.top, e.bounds.left))
    return list(dict.fromkeys(" ".join(e.label.split()) for e in leaves))
