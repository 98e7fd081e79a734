"""Look back after every step (VLAA-GUI's third tier): an actor in, one that must switch when told to out."""

import re
from dataclasses import dataclass
from typing import Literal

from waypost.actors.budget import with_advice
from waypost.actors.changes import same_look
from waypost.actors.dialects import filled, shown
from waypost.actors.wrapping import Wrapper
from waypost.errors import ReplyError
from waypost.mapping.controls import action_key
from waypost.model import Decision, Finish, Observation, Press
from waypost.model.wording import describe, one_line
from waypost.protocols import LLM, Actor

__all__ = ["Reflecting", "Reflection", "plain_advice"]

_ORDERS = re.compile(
    r"\b(?:tap|click|press|swipe|scroll|type|enter|open|launch|select|long[- ]press)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Reflection:
    progress: str
    loop: bool
    feasible: bool
    strategy: Literal["KEEP", "SWITCH"]
    reason: str


def plain_advice(text: str) -> str:
    """Leave out the sentences that name an action: who looks back does not decide.

    >>> plain_advice("The page is the wrong one. Tap Settings. It has no such switch.")
    'The page is the wrong one. It has no such switch.'
    """
    sentences = re.split(r"(?<=[.!?。！？])\s*", one_line(text, 600))
    return " ".join(s for s in sentences if s and not _ORDERS.search(s))


class Reflecting(Wrapper):
    """Asks a second voice what came of the last action; SWITCH binds the next one to be another."""

    def __init__(self, actor: Actor, llm: LLM) -> None:
        super().__init__(actor)
        self._llm = llm
        self._last: tuple[Observation, Decision] | None = None

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        last = self._last
        if last is None or last[0].seen_at == observation.seen_at:
            return self._kept(observation, self._actor.act(instruction, observation, guidance))
        found = self._reflect(instruction, last, observation)
        if found is None:
            return self._kept(observation, self._actor.act(instruction, observation, guidance))
        told = with_advice(
            guidance, f"Looking back: {plain_advice(found.progress)} {plain_advice(found.reason)}"
        )
        if found.strategy == "KEEP":
            return self._kept(observation, self._actor.act(instruction, observation, told))
        told = with_advice(told, "What you did last does not lead there: do something else now.")
        before = action_key(last[1].action)
        for _ in range(2):
            decision = self._actor.act(instruction, observation, told)
            if isinstance(decision.action, Finish) or action_key(decision.action) != before:
                return self._kept(observation, decision)
        return self._kept(observation, Decision(Press("back"), "told to switch, and did not"))

    def _reflect(
        self, instruction: str, last: tuple[Observation, Decision], now: Observation
    ) -> Reflection | None:
        before, decision = last
        self._own_calls += 1
        prompt = filled(
            "reflect",
            instruction=one_line(instruction, 2_000),
            done=describe(decision.action),
            changed="nothing that can be seen" if same_look(before.screen, now.screen) else "the screen",
            shown=shown(now.screen),
        )
        try:
            return self._llm.ask(prompt, returns=Reflection)
        except ReplyError:
            return None

    def _kept(self, observation: Observation, decision: Decision) -> Decision:
        self._last = observation, decision
        return decision
