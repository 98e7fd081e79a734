"""See the whole of a page: a look and a list of it in, moves that bring the rest into view out."""

from collections.abc import Generator

from waypost.exploration.ledger import Ledger
from waypost.exploration.moves import Do, Here, Move
from waypost.mapping.controls import Control, action_key
from waypost.mapping.grounding import drag
from waypost.model import Direction, NodeId, Swipe

__all__ = ["Scroller", "pulls"]

_MOST = 10
"""Drags of one list that are made in search of new controls: feeds have no end."""
_TOLD = 2
"""Rows of a list that led to one page: more rows of the kind are no reason to drag on."""
_COVERED = 2
"""Drags that may show nothing but rows whose like are known before a list is left."""


class Scroller:
    """Drags lists, remembers how far down each control was first seen, and finds it there again."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._depth: dict[tuple[NodeId, str], int] = {}
        self._by: dict[tuple[NodeId, str], str] = {}
        """By page and control, the key of the drag that first brought it into view."""

    def onward(self, here: Here, node: NodeId, key: str) -> Generator[Move, Here, Here]:
        """After a first drag, drag on for as long as something new comes into view."""
        before = self._known(node)
        stale = 0
        for depth in range(1, _MOST):
            fresh = [c for c in here.controls if (node, c.key) not in self._depth]
            for control in fresh:
                self._depth[node, control.key] = depth
                if control.key not in before:
                    self._by[node, control.key] = key
            news = [c for c in fresh if c.key not in before and not self._stale(node, c)]
            stale = 0 if news else stale + 1
            again = next((c for c in here.controls if c.key == key), None)
            if again is not None and pulls(again) and not fresh and depth == 1:
                here = yield Do(again.action, again.key)  # It may have been caught on its way back.
                continue
            if again is None or stale >= _COVERED or not fresh:
                break
            before = self._known(node)
            here = yield Do(again.action, again.key)
            if here.node != node:
                break
        return here

    def _stale(self, node: NodeId, control: Control) -> bool:
        """Whether its likes have told what it does, or are about to."""
        rows, targets = self._ledger.rows_tried(node, control) if control.template else (0, 0)
        return self._ledger.covered(node, control) or (rows >= _TOLD and targets == 1)

    def reveal(self, here: Here, key: str) -> Generator[Move, Here, Here]:
        """Drag the lists of the page, down and then up, until a control is in view."""
        node = here.node
        deep = self._depth.get((node, key), 0)
        shown_by = self._by.get((node, key), "")
        ways = (Direction.UP, Direction.DOWN) if deep else (Direction.DOWN, Direction.UP)
        for direction in ways:
            for control in _lists(here, shown_by):
                shown = {c.key: c for c in here.controls}
                if control.key not in shown or (direction is Direction.DOWN and pulls(control)):
                    continue  # An earlier drag took the bar away, or up.
                control = shown[control.key]
                here = yield from self._drag_until(here, control, direction, key, min(_MOST, deep + 3))
                if here.node != node or any(c.key == key for c in here.controls):
                    return here
        return here

    def _drag_until(
        self, here: Here, control: Control, direction: Direction, key: str, most: int
    ) -> Generator[Move, Here, Here]:
        node = here.node
        for _ in range(most):
            shown = tuple(c.key for c in here.controls)
            action = _towards(control, direction)
            here = yield Do(action, action_key(action))
            again = tuple(c.key for c in here.controls)
            if here.node != node or key in again or again == shown:
                break
        return here

    def _known(self, node: NodeId) -> set[str]:
        return set(self._ledger.controls.get(node, ()))


def _lists(here: Here, first: str) -> list[Control]:
    """Pick the two largest lists that scroll up and down, before them the one that helped the last time."""
    lists = [c for c in here.controls if isinstance(c.action, Swipe) and c.action.direction is Direction.UP]
    lists.sort(key=lambda c: (c.key != first, -_area(c)))
    return lists[: 3 if first else 2]


def pulls(control: Control) -> bool:
    """Whether the drag takes a bar up from below the screen: it goes beyond its own box."""
    action = control.action
    return isinstance(action, Swipe) and bool(action.end) and not _holds(action)


def _holds(action: Swipe) -> bool:
    return action.target is None or action.end is None or action.target.bounds.contains(*action.end)


def _area(control: Control) -> int:
    target = getattr(control.action, "target", None)
    return target.bounds.area if target else 0


def _towards(control: Control, direction: Direction) -> Swipe:
    action = control.action
    assert isinstance(action, Swipe)
    if direction is action.direction:
        return action
    if action.target is None:
        return Swipe(direction)
    start, end = drag(action.target.bounds, direction.value)
    return Swipe(direction, start, end, action.target)
