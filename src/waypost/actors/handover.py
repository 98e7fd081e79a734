"""Go by the map as long as it holds, by an actor where it does not (EAM): two actors in, one out."""

from collections.abc import Callable

from waypost.actors.budget import with_advice
from waypost.actors.locator import Locator
from waypost.actors.wrapping import Wrapper
from waypost.model import Decision, Finish, NodeId, Observation, Wait
from waypost.model.wording import describe, quoted
from waypost.protocols import Actor

__all__ = ["HandOver"]

_SURE = 0.5
_LONGEST = 6
"""Actions in a row that the other actor may do, before the map is asked again wherever it is."""


class HandOver(Wrapper):
    """Follows the plan until a hop lands elsewhere or no way is left; then asks the actor, and comes back.

    Back on a page of the map from which a way leads on, the plan is followed again: `follow` makes a new
    follower for it. The hand-over says what was done, what was expected and what was seen instead.
    """

    def __init__(self, follow: Callable[[], Actor], actor: Actor, locator: Locator) -> None:
        super().__init__(actor)
        self._follow, self._map = follow, locator
        self._follower: Actor | None = follow()
        self._expected: tuple[Decision, NodeId] | None = None
        self._story: list[str] = []
        self._left: NodeId | None = None
        self._lent = 0
        self.handed_over = 0

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        here = self._here(observation)
        if self._follower is not None and self._missed(here):
            self._hand_over(here)
        elif self._follower is None and here is not None and (here != self._left or self._lent >= _LONGEST):
            self._follower, self._lent = self._follow(), 0
        if self._follower is not None:
            decision = self._follower.act(instruction, observation, guidance)
            if not self._gives_up(decision):
                self._expected = (decision, decision.expected) if decision.expected else None
                return decision
            self._story.append(
                f"By the map there is no way on: {quoted(getattr(decision.action, 'answer', ''), 120)}"
            )
            self._hand_over(here)
        self._lent += 1
        story = "What happened: " + " ".join(self._story[-4:])
        return self._actor.act(instruction, observation, with_advice(guidance, story))

    def _here(self, observation: Observation) -> NodeId | None:
        found = self._map.locate(observation)
        return self._map.resolve(found.node) if found and found.confidence >= _SURE else None

    def _missed(self, here: NodeId | None) -> bool:
        if self._expected is None or isinstance(self._expected[0].action, Wait):
            return False
        decision, page = self._expected
        if here == self._map.resolve(page):
            return False
        seen = self._name(here) if here else "a page that is not on the map"
        self._story.append(
            f"After {describe(decision.action)}, {self._name(page)} was expected and {seen} came."
        )
        return True

    def _hand_over(self, here: NodeId | None) -> None:
        self._follower, self._expected = None, None
        self._left, self._lent = here, 0
        self.handed_over += 1

    def _name(self, node: NodeId) -> str:
        known = self._map.graph.nodes.get(self._map.resolve(node))
        return quoted(known.name if known and known.name else node)

    @staticmethod
    def _gives_up(decision: Decision) -> bool:
        return isinstance(decision.action, Finish) and not decision.action.arrived
