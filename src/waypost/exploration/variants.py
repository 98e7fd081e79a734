"""Controls of a page that shows others each time it is come to in; which step brings one back out.

One page stands for all items of one kind: a list of menus, an opened mail. Its controls are those of all its
items, and what leads to an item is a tap on the page itself, which no way between pages tells of.
"""

from collections.abc import Iterable

from waypost.model import NodeId

__all__ = ["LAUNCH", "Variants"]

LAUNCH = ""
"""Stands for a fresh start, among the keys of controls."""


class Variants:
    """By page and control: the tap on the same page that brought the control into view first.

    >>> v, page = Variants(), NodeId("n1")
    >>> v.launched(page, ["food", "drink"])
    >>> v.tapped(page, "food", ["food", "drink"], ["bread"])
    >>> v.seen(page, ["bread", "cheese"])  # Scrolled to, on the same list.
    >>> v.toward(page, "cheese", {"food", "drink"}), v.toward(page, "cheese", {"tea"}) == LAUNCH
    ('food', True)
    >>> v.toward(page, "unheard", {"food"}) is None
    True
    """

    def __init__(self) -> None:
        self._by: dict[tuple[NodeId, str], str] = {}

    def launched(self, page: NodeId, keys: Iterable[str]) -> None:
        """Note what a fresh start showed."""
        self._note(page, LAUNCH, keys)

    def tapped(self, page: NodeId, key: str, before: Iterable[str], after: Iterable[str]) -> None:
        """Note what a tap that stayed on its page brought into view."""
        had = set(before)
        self._note(page, key, (k for k in after if k not in had))

    def seen(self, page: NodeId, keys: Iterable[str]) -> None:
        """Note a look: what is new on it came the way of what is known of it."""
        listed = list(keys)
        known = next((by for k in listed if (by := self._by.get((page, k))) is not None), None)
        if known is not None:
            self._note(page, known, listed)

    def toward(self, page: NodeId, key: str, shown: set[str]) -> str | None:
        """Return what to tap on the page next, LAUNCH to start afresh; None where nothing is known."""
        asked = {key}
        while (by := self._by.get((page, key))) is not None:
            if by == LAUNCH or by in shown:
                return by
            if by in asked:
                return None
            asked.add(by)
            key = by
        return None

    def _note(self, page: NodeId, by: str, keys: Iterable[str]) -> None:
        for key in keys:
            if key != by:
                self._by.setdefault((page, key), by)
