"""app-automating's identity: package, activity, and the set of resource ids."""

from collections.abc import Hashable, Iterator

from waypost.matchers.grouping import KeyMatcher
from waypost.matchers.reading import short_class
from waypost.model import Element, Screen

__all__ = ["IdSetMatcher"]


class IdSetMatcher(KeyMatcher):
    """Package, activity and the set of resource ids; depth and class in tree order where there are no ids.

    Text plays no part. `activity=False` is the rule as that project ships it: its recorder never passes
    the activity. Source: FIELD.md, 3.4.
    """

    name = "set of ids"

    def __init__(self, *, activity: bool = True) -> None:
        self._activity = activity

    def key(self, screen: Screen) -> Hashable:
        ids = frozenset(e.resource_id for e in screen.walk() if e.resource_id)
        place = screen.activity if self._activity else ""
        return screen.app, place, ids or tuple(_shape(screen.root))


def _shape(root: Element) -> Iterator[tuple[int, str]]:
    stack = [(0, root)]
    while stack:
        depth, element = stack.pop()
        yield depth, short_class(element)
        stack.extend((depth + 1, child) for child in reversed(element.children))
