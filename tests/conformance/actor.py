"""What every actor must do. Subclass, and provide the fixture `make`: a fresh actor for each episode."""

from collections.abc import Callable

from waypost.model import Decision, Element, Finish, Observation, Screen, TreeQuality, Wait
from waypost.protocols import Actor

__all__ = ["ActorSuite"]


class ActorSuite:
    def test_it_answers_a_look_with_a_decision(self, make: Callable[[], Actor], start: Observation) -> None:
        assert isinstance(make().act("the second page", start, ""), Decision)

    def test_it_never_claims_to_arrive_on_a_screen_without_a_tree(self, make: Callable[[], Actor]) -> None:
        actor = make()
        blind = Observation(Screen(Element(), quality=TreeQuality.NONE))
        for _ in range(40):
            action = actor.act("the second page", blind, "").action
            assert not (isinstance(action, Finish) and action.arrived)
            if isinstance(action, Finish):
                return
            blind = Observation(blind.screen, seen_at=blind.seen_at + 1)
        assert isinstance(action, Wait)

    def test_the_same_looks_get_the_same_decisions(
        self, make: Callable[[], Actor], start: Observation
    ) -> None:
        one, two = make(), make()
        assert one.act("the second page", start, "") == two.act("the second page", start, "")
