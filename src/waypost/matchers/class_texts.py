"""mcp-devices' identity: the list of what is visible, by class and beginning of its text."""

from collections.abc import Hashable

from waypost.matchers.grouping import KeyMatcher
from waypost.matchers.reading import short_class
from waypost.model import Screen

__all__ = ["ClassTextMatcher"]

_LETTERS = 30


class ClassTextMatcher(KeyMatcher):
    """Sorted list of `Class:text` over the visible elements, texts cut to 30 letters.

    Counts how often each occurs, so that scrolling by a row makes another page. Source: FIELD.md, 3.5.
    """

    name = "class and text list"

    def key(self, screen: Screen) -> Hashable:
        return tuple(sorted(f"{short_class(e)}:{e.text[:_LETTERS]}" for e in screen.visible()))
