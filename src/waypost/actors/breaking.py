"""A breaker of loops with counters in code (VLAA-GUI): an actor in, one that does not go in circles out."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from waypost.actors.budget import StepBudget, with_advice
from waypost.actors.changes import look_key
from waypost.actors.wrapping import Wrapper
from waypost.mapping import loading
from waypost.mapping.controls import action_key
from waypost.model import Action, Decision, Finish, Observation, Press, Wait
from waypost.model.wording import describe
from waypost.protocols import Actor

__all__ = ["BreakerConfig", "Exits", "LoopBreaker"]

Exits: TypeAlias = Callable[[Observation], Sequence[Action]]
"""Other ways on from here, the best first, as a map knows them."""


@dataclass(frozen=True, slots=True)
class BreakerConfig:
    vain: int = 2
    """How often one action may change nothing, before it is barred on that screen."""
    same: int = 3
    """Actions in a row, of any kind, that leave the screen as it was, before the strategy must change."""
    returns: int = 3
    """Times that one action is done on one and the same screen, before the strategy must change."""
    strategies: int = 2
    """Changes of strategy; then it gives up, and says so."""
    reserve: int = 1
    """With fewer actions left nothing is broken off any more: there is no time for another way."""


class LoopBreaker(Wrapper):
    """Counts what the paper's prompts only ask to be counted, and bars what did nothing.

    An actor that insists on a barred action is overruled: another exit of the page, else back. Looks at a
    page that still loads are not counted, nor is waiting for it.
    """

    def __init__(
        self,
        actor: Actor,
        budget: StepBudget,
        *,
        exits: Exits | None = None,
        config: BreakerConfig | None = None,
    ) -> None:
        super().__init__(actor)
        self._budget, self._exits = budget, exits
        self._config = config or BreakerConfig()
        self._vain: Counter[tuple[int, str]] = Counter()
        self._done: Counter[tuple[int, str]] = Counter()
        self._trail: list[tuple[int, str]] = []
        self._pending: tuple[float, int, str] | None = None
        self._still = 0
        self._broken: set[tuple[int, str]] = set()
        self._overruled = ""
        self.strategies = 0
        self.modalities = 0

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        self._budget.seen(observation)
        here = look_key(observation.screen)
        self._count(observation, here)
        if self._budget.left <= self._config.reserve:
            return self._noted(observation, here, self._actor.act(instruction, observation, guidance))
        told = with_advice(guidance, self._overruled)
        self._overruled = ""
        if self._still >= self._config.same or self._ping_pong(here):
            return self._switch(instruction, observation, told, here)
        decision = self._actor.act(instruction, observation, with_advice(told, self._bars(here)))
        if self._barred(here, decision.action):
            self.modalities += 1
            words = f"Not again: {describe(decision.action)} did nothing here. Reach it another way."
            decision = self._actor.act(instruction, observation, with_advice(told, words))
            if self._barred(here, decision.action):
                return self._switch(instruction, observation, told, here)
        return self._noted(observation, here, decision)

    def _count(self, observation: Observation, here: int) -> None:
        """Enter what came of the last action, once a look."""
        if self._pending is None or self._pending[0] == observation.seen_at:
            self._pending = None
            return
        _, before, key = self._pending
        self._pending = None
        if key == "wait" and loading(observation.screen):
            return
        self._done[before, key] += 1
        self._trail.append((before, key))
        if before == here:
            self._vain[before, key] += 1
            self._still += 1
        else:
            self._still = 0

    def _ping_pong(self, here: int) -> bool:
        """Whether the last four steps went to and fro between two screens by the same two actions."""
        tail = self._trail[-4:]
        if len(tail) < 4 or tail[0] != tail[2] or tail[1] != tail[3] or tail[0][0] == tail[1][0]:
            return False
        return here == tail[0][0] and tail[0] not in self._broken

    def _barred(self, here: int, action: Action) -> bool:
        if isinstance(action, Finish):
            return False
        key = here, action_key(action)
        return self._vain[key] >= self._config.vain or self._done[key] >= self._config.returns

    def _bars(self, here: int) -> str:
        vain = [key for (at, key), n in self._vain.items() if at == here and n >= self._config.vain]
        return (
            f"What has done nothing here {self._config.vain} times is barred on this screen." if vain else ""
        )

    def _switch(self, instruction: str, observation: Observation, told: str, here: int) -> Decision:
        """Demand another strategy; overrule an actor that has none; give up after so many."""
        if self.strategies >= self._config.strategies:
            words = f"went in circles, and {self.strategies} other ways led nowhere"
            return Decision(Finish(False, words))
        self.strategies += 1
        self._still = 0
        self._broken.update(self._trail[-4:])
        ways = [a for a in (self._exits(observation) if self._exits else ()) if not self._stale(here, a)]
        words = "You are going in circles. Leave this way, and take another one to the goal."
        if ways:
            words += " These lead on from here: " + "; ".join(describe(a) for a in ways[:5]) + "."
        decision = self._actor.act(instruction, observation, with_advice(told, words))
        if not self._stale(here, decision.action):
            return self._noted(observation, here, decision)
        other = ways[0] if ways else Press("back")
        self._overruled = (
            f"In place of {describe(decision.action)}, {describe(other)} was done, to leave the circle."
        )
        return self._noted(observation, here, Decision(other, "another way out of a circle"))

    def _stale(self, here: int, action: Action) -> bool:
        """Whether an action is part of the circle: done here before, or just waiting on."""
        if isinstance(action, Finish):
            return False
        return isinstance(action, Wait) or self._done[here, action_key(action)] > 0

    def _noted(self, observation: Observation, here: int, decision: Decision) -> Decision:
        key = "" if isinstance(decision.action, Finish) else action_key(decision.action)
        self._pending = (observation.seen_at, here, key) if key else None
        return decision
