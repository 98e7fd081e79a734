"""State-aware depth-first exploration (EAM): a page's likeliest controls are sub-goals; moves out.

EAM goes into sub-goals that a model words, each anchored in another element, and restores the state before
each next one. Here an anchor is a control, the ones that promise most first; where one stands is the page
that was recognised, so that a page is gone into once, whatever it is called; and a restored state is believed
only where the look shows it.
"""

from collections.abc import Generator

from waypost.exploration.config import ExploreConfig
from waypost.exploration.ledger import Ledger
from waypost.exploration.moves import BACK, Do, Here, Move, Moves, Relaunch
from waypost.exploration.promise import price
from waypost.exploration.random_walk import steps_of
from waypost.mapping.controls import Control
from waypost.model import ExploreStop, NodeId, PageKind

__all__ = ["StateDfs"]

_DEPTH = 10
_BRANCH = 3
"""Anchors of a page that are gone into before its neighbours have had their turn (EAM, branch 3)."""

_KNOWN = 30
"""Pages known to lie below one that are gone into again in a round, for their next anchors."""

_Walk = Generator[Move, Here, Here]


class StateDfs:
    """Goes down from the start page, three anchors a page; then again with the next ones, until none is left.

    `restored` counts states that were come back to, `lost` those that were not: their other anchors wait for
    the next round. What only shows far down a list is found as far as one swipe uncovers it.
    """

    def __init__(self, config: ExploreConfig, ledger: Ledger) -> None:
        self._ledger = ledger
        self._rounds = config.walks
        self._been: set[NodeId] = set()
        self.restored = self.lost = 0

    def moves(self, here: Here) -> Moves:
        for number in range(self._rounds):
            if number:
                here = yield Relaunch()
            tried = len(self._ledger.outcomes)
            self._been.clear()
            here = yield from self._visit(here, ())
            if len(self._ledger.outcomes) == tried:
                return ExploreStop.COMPLETE
        return ExploreStop.OUT_OF_WALKS

    def _visit(self, here: Here, way: tuple[str, ...]) -> _Walk:
        """Go into a page's anchors, deepest first; `way` is the keys that lead to it from the start."""
        node, gone = here.node, set[str]()
        self._been.add(node)
        for branch in range(_BRANCH + _KNOWN):
            here = yield from self._restore(here, node, way)
            if here.node != node:
                self.lost += 1
                return here
            anchor = self._anchor(here) if branch < _BRANCH else None
            control = anchor or self._known(here, gone)
            if control is None:
                return here
            gone.add(control.key)
            here = yield Do(control.action, control.key)
            if here.node not in self._been and len(way) < _DEPTH:
                here = yield from self._visit(here, (*way, control.key))
        return here

    def _anchor(self, here: Here) -> Control | None:
        """Return the untried control that promises most; None where all were tried."""
        untried = [c for c in steps_of(here) if (here.node, c.key) not in self._ledger.outcomes]
        return min(untried, key=lambda c: price(self._ledger, here.node, c.key, c), default=None)

    def _known(self, here: Here, gone: set[str]) -> Control | None:
        """Return a control to a page that is known and was not gone into in this round."""
        for control in steps_of(here):
            targets = map(
                self._ledger.mapper.resolve, self._ledger.outcomes.get((here.node, control.key), ())
            )
            if control.key not in gone and any(t not in self._been and self._is_page(t) for t in targets):
                return control
        return None

    def _is_page(self, node: NodeId) -> bool:
        return self._ledger.mapper.graph.nodes[node].kind is PageKind.PAGE

    def _restore(self, here: Here, node: NodeId, way: tuple[str, ...]) -> _Walk:
        """Come back to a page: by Back, at last by a fresh start and all that was done before."""
        if here.node == node:
            return here
        here = yield BACK
        if here.node != node:
            here = yield Relaunch()
            for key in way:
                control = next((c for c in here.controls if c.key == key), None)
                if control is None:
                    break
                here = yield Do(control.action, control.key)
        self.restored += here.node == node
        return here
