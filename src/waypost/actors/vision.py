"""An actor that asks a model at every step: a look in, its answer, checked, out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from waypost.actors.changes import same_look
from waypost.actors.dialects import Dialect, filled
from waypost.actors.numbering import Numbered, listing, numbered
from waypost.actors.placing import Aimed, Scale, Sight, aimed, resized
from waypost.actors.replies import Unreadable
from waypost.errors import ReplyError
from waypost.model import Bounds, Decision, Finish, Observation, Screen, TreeQuality, Wait
from waypost.model.private import private_parts
from waypost.model.wording import describe, one_line
from waypost.protocols import LLM

__all__ = ["Draw", "Vision", "VisionConfig"]

Draw: TypeAlias = Callable[[bytes, tuple[int, int], Sequence[tuple[int, Bounds]], Sequence[Bounds]], bytes]
"""Screenshot, size of the screen, numbers with their frames, and what to black out: a picture to send."""


_REFUSED = "not allowed is"


@dataclass(frozen=True, slots=True)
class VisionConfig:
    tries: int = 3
    """Questions in one step, before an actor whose model cannot be understood stops."""
    history: int = 8
    """Last actions that the model is told of."""
    waits: int = 5
    """Looks in a row at a screen that shows nothing."""
    allowed: frozenset[str] = frozenset()
    """Hazards that it may do all the same: `pay`, `send`, `delete`, `save` and the others of the map."""


class Vision:
    """Asks, reads, holds the answer against the screen, and asks again with what was wrong.

    A reply that cannot be read is never an action and never a claim: after `tries` of them it raises
    ReplyError. A point with nothing under it is questioned once. What may not be undone is refused.
    """

    def __init__(
        self, llm: LLM, dialect: Dialect, *, draw: Draw | None = None, config: VisionConfig | None = None
    ) -> None:
        if dialect.eyes and draw is None:
            raise ValueError(f"the dialect {dialect.name!r} needs something that makes pictures to send")
        self._llm, self._dialect, self._draw = llm, dialect, draw
        self._config = config or VisionConfig()
        self._done: list[str] = []
        self._last: tuple[str, Screen] | None = None
        self._waits = 0
        self._seen_at: float | None = None
        self._questioned = False
        self.model_calls = 0

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        """Return the model's next action. Raises ReplyError, and ModelError where there is no reply."""
        screen = observation.screen
        if observation.seen_at == self._seen_at:
            # Asked again about one look: what was decided before has not been done.
            self._last = None
        self._seen_at = observation.seen_at
        self._note(screen)
        if not self._sees(observation):
            return self._wait()
        self._waits = 0
        things = numbered(screen)
        sight = Sight(screen, things, self._dialect.scale)
        images = self._pictures(observation, things)
        trouble = refused = ""
        self._questioned = False
        for _ in range(self._config.tries):
            prompt = self._prompt(instruction, guidance, sight, trouble)
            reply = self._llm.ask(prompt, images, returns=str)
            self.model_calls += 1
            found = self._checked(reply, sight)
            if isinstance(found, Decision):
                self._last = (describe(found.action), screen)
                return found
            trouble = found.fault
            refused = trouble if trouble.startswith(_REFUSED) else ""
        if refused:
            return Decision(Finish(False, f"the model wants nothing but what is not allowed: {refused}"))
        raise ReplyError(f"{self._llm.id} could not be understood {self._config.tries} times: {trouble}")

    def _sees(self, observation: Observation) -> bool:
        if self._dialect.eyes and observation.image:
            return True
        # Without a picture only those who are told the elements in words can go on.
        return self._dialect.marks and observation.screen.quality is not TreeQuality.NONE

    def _wait(self) -> Decision:
        self._waits += 1
        if self._waits > self._config.waits:
            return Decision(Finish(False, "the screen shows nothing that could be sent to the model"))
        return Decision(Wait(1.0), "the screen shows nothing yet")

    def _pictures(self, observation: Observation, things: Sequence[Numbered]) -> tuple[bytes, ...]:
        if not (self._dialect.eyes and observation.image and self._draw):
            return ()
        screen = observation.screen
        marks = [(t.number, t.target.bounds) for t in things] if self._dialect.marks else []
        return (self._draw(observation.image, screen.size, marks, private_parts(screen)),)

    def _prompt(self, instruction: str, guidance: str, sight: Sight, trouble: str) -> str:
        across, down = (1000, 1000) if sight.scale is Scale.THOUSAND else resized(sight.screen.size)
        texts = not self._dialect.eyes
        elements = listing(sight.screen, sight.numbered, texts=texts) if self._dialect.marks else ""
        return filled(
            self._dialect.prompt,
            instruction=one_line(instruction, 2_000),
            guidance=guidance.strip(),
            history="\n".join(f"- {h}" for h in self._done[-self._config.history :]) or "(nothing yet)",
            elements=elements,
            trouble=f"Your last answer could not be used: {trouble}. Answer again, in the form above."
            if trouble
            else "",
            units=f"x goes from 0 to {across}, y from 0 to {down}",
        )

    def _checked(self, reply: str, sight: Sight) -> Decision | Unreadable:
        said = self._dialect.read(reply)
        if isinstance(said, Unreadable):
            return said
        found = aimed(said.move, sight)
        if isinstance(found, Unreadable):
            return found
        refusal = self._refusal(found)
        if refusal:
            return Unreadable(refusal)
        if found.doubt and not self._questioned:
            # Once a step: the tree may be missing something that the model sees.
            self._questioned = True
            return Unreadable(found.doubt)
        return Decision(found.action, said.thought)

    def _refusal(self, found: Aimed) -> str:
        if not found.hazard or found.hazard in self._config.allowed:
            return ""
        return f"{_REFUSED} {describe(found.action)}: it may not be undone ({found.hazard})"

    def _note(self, screen: Screen) -> None:
        """Add what came of the last action to the history: models that are not told repeat themselves."""
        if self._last is not None:
            told, before = self._last
            self._done.append(
                f"{told}: {'nothing changed' if same_look(before, screen) else 'the screen changed'}"
            )
            self._last = None
