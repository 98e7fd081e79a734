"""An actor with unsteady hands: another actor and a seed in, decisions that go wrong now and then out."""

import random
from dataclasses import dataclass

from waypost.actors.wrapping import Wrapper
from waypost.mapping import controls
from waypost.model import Decision, Finish, LongPress, Observation, Swipe, Tap, TypeText
from waypost.protocols import Actor

__all__ = ["Noisy", "NoisyConfig"]


@dataclass(frozen=True, slots=True)
class NoisyConfig:
    slip: float = 0.15
    """How often a gesture meets something else than was meant."""
    early: float = 0.03
    """How often it says after a first step that it is there, wherever it is."""


class Noisy(Wrapper):
    """Stands for a model that errs, with errors that are drawn and known: what helps it may help a model.

    A slip taps something harmless of the same screen. The actor inside is not told: it has to see by the
    next look that it is not where it meant to be.
    """

    def __init__(self, actor: Actor, *, seed: int = 0, config: NoisyConfig | None = None) -> None:
        super().__init__(actor)
        self._dice = random.Random(seed)
        self._config = config or NoisyConfig()
        self._acted = False

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        meant = self._actor.act(instruction, observation, guidance)
        # Drawn at every step, so that two runs that part do not draw apart from there on.
        slips, ends, which = self._dice.random(), self._dice.random(), self._dice.random()
        if isinstance(meant.action, Finish):
            return meant
        if self._acted and ends < self._config.early:
            return Decision(Finish(True, "it looks right"), "ends too early")
        self._acted = True
        if slips < self._config.slip and isinstance(meant.action, (Tap, Swipe)):
            others = [
                c.action
                for c in controls(observation.screen)
                if not isinstance(c.action, (TypeText, LongPress))
                and not getattr(getattr(c.action, "target", None), "hazard", "")
            ]
            if others:
                return Decision(others[int(which * len(others))], "slips", meant.expected)
        return meant
