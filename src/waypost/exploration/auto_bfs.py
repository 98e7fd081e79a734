"""Auto-BFS (TAG-Nav, Algorithm 1 and App. B.2): a seed in, moves out."""

import random

from waypost.exploration.config import ExploreConfig
from waypost.exploration.ledger import Ledger
from waypost.exploration.moves import BACK, Do, Here, Moves, Relaunch
from waypost.exploration.random_walk import steps_of
from waypost.mapping.controls import Control, ControlKind
from waypost.model import ExploreStop

__all__ = ["AutoBfs"]

_ORDER = {ControlKind.IMAGE: 0, ControlKind.SCROLL: 1, ControlKind.CARD: 1, ControlKind.OTHER: 2}


class AutoBfs:
    """Walks from the start page, at most `depth` forward steps each (TAG-Nav, Algorithm 1).

    With probability `local` a step is a local probe: an action untried on this page, which is undone and
    the return verified; up to `undo_cycles` verified returns make one local round. A probe that cannot be
    undone counts as a forward step from wherever it led. Otherwise the step is a random action. Untried
    means on the whole hypernode: what a matched sibling look has tried is skipped. Probes go in the order
    images, then scroll, swipe and card actions, then the rest, ties at random (App. B.2). The recovery
    attempts of UndoAndCheck, which the paper leaves open, are one press of Back.
    """

    def __init__(self, config: ExploreConfig, ledger: Ledger) -> None:
        self._config, self._ledger = config, ledger
        self._random = random.Random(config.seed)

    def moves(self, here: Here) -> Moves:
        for walk in range(self._config.walks):
            if walk:
                here = yield Relaunch()
            depth = cycles = 0
            while depth < self._config.depth:
                control, probe = self._select(here, cycles)
                if control is None:
                    break
                source = here.node
                here = yield Do(control.action, control.key)
                if probe and here.direct and here.node != source:
                    here = yield BACK
                if probe and here.node == source:
                    cycles += 1
                else:
                    depth, cycles = depth + 1, 0
        return ExploreStop.OUT_OF_WALKS

    def _select(self, here: Here, cycles: int) -> tuple[Control | None, bool]:
        """Return an action, and whether it is a local probe (SelectAction)."""
        steps = steps_of(here)
        if not steps:
            return None, False
        untried = [c for c in steps if (here.node, c.key) not in self._ledger.outcomes]
        if untried and cycles < self._config.undo_cycles and self._random.random() < self._config.local:
            return min(untried, key=lambda c: (_ORDER[c.kind], self._random.random())), True
        return self._random.choice(steps), False
