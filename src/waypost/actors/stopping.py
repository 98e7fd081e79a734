"""A gate before every claim to be done (VLAA-GUI): an actor in, an actor whose claims were verified out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from waypost.actors.budget import StepBudget, with_advice
from waypost.actors.criteria import Criteria, Criterion, missing, worded
from waypost.actors.dialects import filled, shown
from waypost.actors.vision import Draw
from waypost.actors.wrapping import Wrapper
from waypost.errors import ReplyError
from waypost.model import Decision, Finish, Observation
from waypost.model.private import private_parts
from waypost.model.wording import one_line, quoted
from waypost.protocols import LLM, Actor, Verifier

__all__ = ["MakeCriteria", "StopGate", "StopGateConfig", "Verification", "criteria_of", "verification_of"]

_HEDGES = (
    "might",
    "may have",
    "probably",
    "appears to",
    "seems",
    "likely",
    "assum",
    "not sure",
    "cannot confirm",
    "should be",
)
_MOST = 3

MakeCriteria: TypeAlias = Callable[[str, Observation], Sequence[Criterion]]
"""Says at the first look what must be seen in the end."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verifier says of a claim."""

    complete: bool
    reason: str
    missing_steps: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether it says so without a doubt: with nothing missing, and no word that hedges.

        >>> Verification(True, "the page is shown").holds, Verification(True, "it seems to be shown").holds
        (True, False)
        """
        hedged = any(hedge in self.reason.casefold() for hedge in _HEDGES)
        return self.complete and not any(s.strip() for s in self.missing_steps) and not hedged


Verify: TypeAlias = Callable[[str, Sequence[str], Observation], Verification]
"""Judges a claim by the task, the actions so far and the look."""


@dataclass(frozen=True, slots=True)
class StopGateConfig:
    rejections: int = 3
    """Claims that are sent back; the next one that fails ends the run as not reached."""
    reserve: int = 1
    """Actions that must be left for a rejection to be of use; with fewer, a claim passes as it is."""


class StopGate(Wrapper):
    """Lets a claim pass only where criteria, map and verifier bear it out, as far as each is given.

    The claim that passes unchecked, for want of steps, is still only a claim: the loop looks for itself.
    """

    def __init__(
        self,
        actor: Actor,
        budget: StepBudget,
        *,
        criteria: MakeCriteria | None = None,
        verify: Verify | None = None,
        arrived: Verifier | None = None,
        config: StopGateConfig | None = None,
    ) -> None:
        super().__init__(actor)
        self._budget = budget
        self._make, self._verify, self._arrived = criteria, verify, arrived
        self._config = config or StopGateConfig()
        self._criteria: tuple[Criterion, ...] | None = None
        self._trail: list[str] = []
        self._rejected = ""
        self.rejections = 0

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        self._budget.seen(observation)
        self._fix(instruction, observation)
        told = with_advice(guidance, self._done_means(), self._last_word())
        while True:
            decision = self._actor.act(instruction, observation, with_advice(told, self._rejected))
            action = decision.action
            if not (isinstance(action, Finish) and action.arrived):
                self._trail.append(one_line(f"{decision.thought} -> {type(action).__name__}"))
                return decision
            if self._budget.left <= self._config.reserve:
                return decision
            fault = self._fault(instruction, observation)
            if not fault:
                return decision
            self.rejections += 1
            self._rejected = (
                f"You said that the task is done. It is not: {fault}. Go on with what is missing."
            )
            self._trail.append("claimed to be done; not so")
            if self.rejections > self._config.rejections:
                words = f"claimed {self.rejections} times to be done, and it never showed: {fault}"
                return Decision(Finish(False, words), decision.thought)

    def _fix(self, instruction: str, observation: Observation) -> None:
        if self._criteria is None:
            self._own_calls += self._make is not None
            self._criteria = tuple(self._make(instruction, observation))[:_MOST] if self._make else ()

    def _done_means(self) -> str:
        if not self._criteria:
            return ""
        return "The task is done only when all of this shows: " + "; ".join(map(worded, self._criteria)) + "."

    def _last_word(self) -> str:
        return (
            "No action is left: say now whether the task is done, or that it is not."
            if self._budget.left <= 0
            else ""
        )

    def _fault(self, instruction: str, observation: Observation) -> str:
        """Say what speaks against a claim; empty for nothing. What costs nothing is asked first."""
        if self._arrived is not None and self._arrived(observation) is False:
            return "this is not the page that was asked for"
        open_ = missing(self._criteria or (), observation.screen)
        if open_:
            return "it does not show that " + " and that ".join(map(worded, open_))
        if self._verify is None:
            return ""
        self._own_calls += 1
        found = self._verify(instruction, self._trail[-8:], observation)
        if found.holds:
            return ""
        return (
            "; ".join(quoted(s, 120) for s in (found.reason, *found.missing_steps) if s.strip()) or "no proof"
        )


def criteria_of(llm: LLM) -> MakeCriteria:
    """Have a model say at the first step what must be seen in the end; nothing, where it cannot."""

    def make(instruction: str, observation: Observation) -> Sequence[Criterion]:
        said = shown(observation.screen)
        prompt = filled("criteria", instruction=one_line(instruction, 2_000), shown=said)
        try:
            return llm.ask(prompt, returns=Criteria).criteria
        except ReplyError:
            return ()

    return make


def verification_of(llm: LLM, draw: Draw | None = None) -> Verify:
    """Have a model judge a claim; a reply that cannot be read is a claim not borne out.

    With `draw` it sees the screen, without what is private.
    """

    def verify(instruction: str, trail: Sequence[str], observation: Observation) -> Verification:
        prompt = filled(
            "verify",
            instruction=one_line(instruction, 2_000),
            trail="\n".join(f"- {t}" for t in trail) or "(nothing)",
            shown=shown(observation.screen),
        )
        image, screen = observation.image, observation.screen
        images = [draw(image, screen.size, (), private_parts(screen))] if image and draw else []
        try:
            return llm.ask(prompt, images, returns=Verification)
        except ReplyError as e:
            return Verification(False, f"the verifier could not be understood: {one_line(str(e), 120)}")

    return verify
