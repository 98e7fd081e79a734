"""GraphPilot (Yu et al. 2026): the whole sequence of actions in one shot, and a validator that watches it."""

from waypost.guidance.formats.knowledge import Knowledge, head
from waypost.guidance.text import STOP, hop, page, tellable
from waypost.mapping import regrounded
from waypost.model import NodeId, Observation, Transition
from waypost.model.wording import describe, quoted

__all__ = ["GraphPilotSequence"]


class GraphPilotSequence:
    """Says one sequence from the app's start, and keeps to it as long as it holds.

    It holds where the look is a page on it whose action can be found on the screen. Where it does not, a
    sequence from this page is said instead; `rewritten` counts how often.
    """

    def __init__(self, known: Knowledge, instruction: str) -> None:
        if known.aim is None:
            raise ValueError("a sequence of actions wants a destination")
        self._known, self._goal = known, known.aim.node
        self._head = [
            *head("A sequence of actions for the task, in one shot.", instruction),
            f"Destination: {quoted(known.aim.name)}",
        ]
        root = known.locator.graph.root
        self._steps = self._sequence(root) if root is not None else ()
        self.rewritten = 0

    def __call__(self, observation: Observation) -> str:
        here = self._known.here(observation)
        if here is not None and here == self._known.locator.resolve(self._goal):
            return "\n".join([*self._head, f"Validator: this is the destination. {STOP}"])
        return "\n".join([*self._head, *self._validated(here, observation)])

    def _validated(self, here: NodeId | None, observation: Observation) -> list[str]:
        """Word the steps that are left, and what the validator has to say of them."""
        if here is None:
            return [
                *self._worded(self._steps),
                "Validator: this page is not on the map; go back to a known one.",
            ]
        left = self._from(here)
        fault = self._fault(left, observation)
        if fault:
            self._steps, self.rewritten = self._sequence(here), self.rewritten + 1
            left = self._steps
        if not left:
            return [
                f"Validator: {fault}; the map has no way on from {page(self._known.locator.graph, here)}."
            ]
        said = f"{fault}; the sequence was written anew" if fault else "the sequence holds"
        return [*self._worded(left), f"Validator: {said}. {STOP}"]

    def _fault(self, left: tuple[Transition, ...], observation: Observation) -> str:
        if not left:
            return "this page is not on the sequence"
        if regrounded(left[0].action, observation.screen) is None:
            return f"what to {describe(left[0].action)} on is not on this screen"
        return ""

    def _from(self, here: NodeId) -> tuple[Transition, ...]:
        """Return the steps from a page on; of a page that comes twice, from the last time."""
        at = [i for i, s in enumerate(self._steps) if self._known.locator.resolve(s.source) == here]
        return self._steps[at[-1] :] if at else ()

    def _sequence(self, start: NodeId) -> tuple[Transition, ...]:
        steps = self._known.plan(start, self._goal).steps
        return steps if all(tellable(s) for s in steps) else ()

    def _worded(self, steps: tuple[Transition, ...]) -> list[str]:
        told = [f"- {hop(step, self._known.locator.graph)}" for step in steps]
        return ["Do all of these, one after the other:", *told] if told else []
