"""Random walks from the start page: a seed in, moves out. The baseline."""

import random

from waypost.exploration.config import ExploreConfig
from waypost.exploration.moves import Do, Here, Moves, Relaunch
from waypost.mapping.controls import Control
from waypost.model import ExploreStop, TypeText

__all__ = ["RandomWalk", "steps_of"]


class RandomWalk:
    """At each step any control of the page with equal chance; each walk starts afresh."""

    def __init__(self, config: ExploreConfig) -> None:
        self._config = config
        self._random = random.Random(config.seed)

    def moves(self, here: Here) -> Moves:
        for walk in range(self._config.walks):
            if walk:
                here = yield Relaunch()
            for _ in range(self._config.depth):
                steps = steps_of(here)
                if not steps:
                    break
                control = self._random.choice(steps)
                here = yield Do(control.action, control.key)
        return ExploreStop.OUT_OF_WALKS


def steps_of(here: Here) -> list[Control]:
    """List what a walk may do: everything but typing, which is no step by itself."""
    return [c for c in here.controls if not isinstance(c.action, TypeText)]
