"""Tabs and entries of bars, of which one is chosen: an element in, which they are and their names out."""

import re
from collections import Counter
from collections.abc import Iterator

from waypost.mapping.rows import bars
from waypost.mapping.vocabulary import date_words
from waypost.mapping.words import name_key, plain
from waypost.model import Element, Role, Screen

__all__ = ["CHOICES", "called", "chosen", "chosen_among", "entries"]

_LETTERS = re.compile(r"[^\W\d_]+")
CHOICES = (Role.TAB, Role.TABLIST, Role.NAVIGATION)
"""Roles of what leads around an app."""


def chosen_among(element: Element, screen: Screen) -> frozenset[int]:
    """Return the positions of children that are entries of which one is chosen: all, or those of one line."""
    parts = element.children
    if not any(map(chosen, parts)):
        return frozenset()
    kinds = Counter(map(_make, parts))
    # A title between icons is marked as selected so that it rolls by: it is not one of several alike.
    if not any(chosen(c) and kinds[_make(c)] > 1 for c in parts):
        return frozenset()
    if _strip(element, screen):
        return frozenset(range(len(parts)))
    lines = (k for k in bars(element) if 0 < sum(chosen(parts[i]) for i in k) < len(k))
    return frozenset(i for line in lines for i in line)


def _make(entry: Element) -> tuple[str, bool]:
    """Return what entries of one strip have in common: their class, and whether they show a picture."""
    return entry.class_name, any(e.role is Role.IMAGE and e.visible for e in entry.walk())


def _strip(element: Element, screen: Screen) -> bool:
    """Whether its children are tabs, or entries of a bar, one of which is chosen."""
    children = [c for c in element.children if c.visible and c.bounds.area]
    if len(children) < 2 or not 0 < sum(1 for c in children if chosen(c)) < len(children):
        return False
    if element.role in CHOICES or all(c.role is Role.TAB for c in children):
        return True
    # Where the screen is narrow, a strip of buttons is set in a few lines.
    wraps = all(c.role is Role.BUTTON and c.clickable for c in children) and sum(map(chosen, children)) == 1
    lines = len({c.bounds.top // 8 for c in children})
    return lines <= (3 if wraps else 1) and element.bounds.height <= 0.15 * screen.size[1]


def chosen(element: Element) -> bool:
    return element.selected or any(c.selected for c in element.children)


def entries(strip: Element, positions: frozenset[int]) -> Iterator[tuple[int, str]]:
    """Yield the position of each entry and what it is called, told apart by its number where it has to be.

    >>> tabs = tuple(Element(Role.TAB, text=t) for t in ("Tab 1", "Tab 2", "Inbox (3)", "Mon 5", "Tue 6"))
    >>> [name for _, name in entries(Element(children=tabs), frozenset(range(5)))]
    ['tab 1', 'tab 2', 'inbox']
    """
    labels = {i: called(strip.children[i]) for i in sorted(positions)}
    common = Counter(map(plain, labels.values()))
    for i, label in labels.items():
        key = plain(label)
        named = label.casefold().strip() if common[key] > 1 and _numbered(label) else key
        if found := named or name_key(strip.children[i].resource_id):
            yield i, found


def _numbered(label: str) -> bool:
    """Whether it is a number of something: days of a strip are content, and so are amounts."""
    return any(len(w) > 2 and w not in date_words() for w in _LETTERS.findall(label.casefold()))


def called(element: Element) -> str:
    """Return an element's label, else the first inside of it that says more than a count."""
    if element.label:
        return element.label
    inside = [e.label for e in element.walk() if e.label and e.visible]
    return next((label for label in inside if plain(label)), inside[0] if inside else "")
