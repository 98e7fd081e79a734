"""auto-mobile's identity where the app names no screens: the tree with what scrolls collapsed."""

from collections.abc import Hashable, Iterator

from waypost.matchers.grouping import KeyMatcher
from waypost.matchers.reading import short_class, timeless
from waypost.model import Element, Role, Screen

__all__ = ["CollapsedScrollMatcher"]

_KEYS = frozenset(("delete", "enter", "shift", "space", "backspace", "return", "tab", "symbols", "emoji"))
"""English words by which it takes something for a key of the keyboard; so are buttons of these names."""


class CollapsedScrollMatcher(KeyMatcher):
    """The tree of classes, ids and texts; a scrolling container is a marker that keeps its selection.

    Keyboards, typed text, times, numbers and percentages are left out. The top of a tree is never a marker: a
    web page as a whole scrolls. It is the third of four tiers; the
    first two need names that the app's own developers supply. Source: FIELD.md, 3.3.
    """

    name = "collapsed tree"

    def key(self, screen: Screen) -> Hashable:
        return screen.app, tuple(_parts(screen.root))


def _parts(root: Element) -> Iterator[Hashable]:
    """Yield the elements that count in tree order, each with its depth."""
    stack = [(0, root)]
    while stack:
        depth, e = stack.pop()
        if not e.visible or e.label.strip().lower() in _KEYS:
            continue
        if e.scrollable and depth:
            chosen = [timeless(c.label) for c in e.walk() if c.selected and c.visible]
            yield depth, "scrolls", e.resource_id, *chosen
            continue
        said = "" if e.role is Role.FIELD else timeless(e.text)
        yield depth, short_class(e), e.resource_id, said, timeless(e.description)
        stack.extend((depth + 1, child) for child in reversed(e.children))
