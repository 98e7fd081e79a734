"""Two voices: what the decision-maker is told, what the critic may say, and what counts as a part done."""

from collections.abc import Callable

import pytest

from tests.actors.phone import Chart, Phone, charted
from tests.actors.told import Plays, looks, page, tap
from tests.conformance.actor import ActorSuite
from waypost.actors import Dual, Follower, HandOver, Lexical, Remembering
from waypost.actors.dual import Critique
from waypost.adapters.llm import Scripted
from waypost.anchors import Anchored, LastActions
from waypost.errors import ReplyError
from waypost.guidance import silent
from waypost.model import AnchorKind, Finish, Observation, StopReason, Subtask, Task
from waypost.navigate import navigate
from waypost.planning import ShortestPath
from waypost.protocols import Actor

PARTS = (Subtask("find the code", "Tickets"), Subtask("write the code to Ann", "Mail"))
START, CODE, MAIL = page("Home", "Tickets"), page("Tickets", "Code B-17"), page("Mail", "New")


class Parted:
    """Two parts for any task."""

    def coarse(self, instruction: str) -> tuple[Subtask, ...]:
        assert instruction
        return PARTS

    def fine(self, part: Subtask) -> str:
        return f"Fine plan for {part.app}"


def _says(*critiques: Critique | Exception) -> Scripted:
    return Scripted([*critiques, *[Critique("fine", "on the way", "")] * 20])


class TestDualFits(ActorSuite):
    @pytest.fixture
    def start(self) -> Observation:
        return Observation(START)

    @pytest.fixture
    def make(self) -> Callable[[], Actor]:
        return lambda: Dual(Lexical(), _says())


class TestRememberingFits(ActorSuite):
    @pytest.fixture
    def start(self) -> Observation:
        return Observation(START)

    @pytest.fixture
    def make(self) -> Callable[[], Actor]:
        return lambda: Remembering(Lexical(), Anchored())


def test_the_decision_maker_hears_the_critic_the_plan_and_the_part_that_is_on() -> None:
    actor = Plays(tap(1))
    critic = _says(Critique("it opened the tickets", "half way", "read the code"))
    dual = Dual(actor, critic, plan=Parted())
    seen = looks(START, CODE)
    for _ in range(2):
        dual.act("send the code", next(seen), "Block.")
    assert actor.told[0].startswith("Block.")
    assert "- find the code (in Tickets): now" in actor.told[0]
    assert "Fine plan for Tickets" in actor.told[0]
    assert "Suggestion of the last action: read the code" in actor.told[1]
    assert "Progress until now: (none yet)" in critic.asked[0][0]
    assert dual.model_calls == 3


def test_a_part_is_done_only_where_the_screen_shows_what_the_critic_quotes() -> None:
    invented = Critique("done", "all", "", True, "Code X-99")
    silent_ = Critique("done", "all", "", True)
    shown = Critique("done", "half", "", True, "code b-17")
    for critique, done in ((invented, False), (silent_, False), (shown, True)):
        actor = Plays(tap(1))
        dual, seen = Dual(actor, _says(critique), plan=Parted()), looks(START, CODE)
        for _ in range(2):
            dual.act("send the code", next(seen), "")
        assert ("- write the code to Ann (in Mail): now" in actor.told[1]) is done
        assert [a.verified for a in dual.anchors if a.kind is AnchorKind.SUBGOAL] == [done, False]


def test_facts_of_one_part_are_told_in_the_next() -> None:
    actor = Plays(tap(1))
    dual = Dual(actor, _says(Critique("", "", "", True, "Code B-17")), plan=Parted())
    ticket = page("Tickets", switches=[("Window seat", True)])
    seen = looks(START, ticket, MAIL)
    for _ in range(3):
        dual.act("write whether window seat is on", next(seen), "")
    assert "Window seat: on" in actor.told[2]


def test_a_claim_with_parts_open_is_sent_back_once_and_then_stands_as_a_claim() -> None:
    actor = Plays(Finish(True))
    dual = Dual(actor, _says(), plan=Parted())
    assert dual.act("send the code", next(looks(START)), "").action == Finish(True)
    assert "Not yet seen to be done: find the code (in Tickets); write the code" in actor.told[1]
    assert len(actor.told) == 2


def test_a_critic_that_cannot_be_understood_is_left_out() -> None:
    actor = Plays(tap(1))
    dual, seen = Dual(actor, _says(ReplyError("no"))), looks(START, CODE)
    for _ in range(2):
        assert dual.act("x", next(seen), "").action == tap(1)
    assert "Evaluation" not in actor.told[1]


def test_any_memory_is_told_before_each_step_and_anchors_go_into_the_episode() -> None:
    for memory, kept in ((Anchored(), True), (LastActions(), False)):
        actor = Plays(tap(1))
        ticket = page("Tickets", switches=[("Window seat", True)])
        remembering, seen = Remembering(actor, memory), looks(START, ticket)
        for _ in range(2):
            remembering.act("x", next(seen), "")
        assert actor.told[0] == ""
        assert "noted on the way" in actor.told[1]
        assert bool(remembering.anchors) is kept
    phone = Phone({"Home": {"Next": "Next"}, "Next": {}}, dead={("Home", "Next")})
    episode = navigate(Task("t", "", "next"), phone, Remembering(Lexical(), Anchored()), silent)
    assert next(a.content for a in episode.anchors) == 'tap button "Next" changed nothing'


PAGES = {
    "Home": {"Lists": "Lists", "Other": "Other"},
    "Lists": {"Goal": "Goal"},
    "Goal": {},
    "Other": {"Lists": "Lists"},
}


def _handed(phone: Phone, actor: Actor) -> tuple[HandOver, Chart]:
    chart = charted(PAGES)
    goal = next(n.id for n in chart.graph.nodes.values() if n.name == "Goal")
    return HandOver(lambda: Follower(chart, ShortestPath(), goal), actor, chart), chart


def test_as_long_as_the_map_holds_no_actor_is_asked() -> None:
    actor = Plays(Finish(False))
    phone = Phone(PAGES)
    handover, _ = _handed(phone, actor)
    episode = navigate(Task("t", "", "goal"), phone, handover, silent)
    assert episode.claimed
    assert (phone.at, actor.told, handover.handed_over) == ("Goal", [], 0)


def test_at_the_first_hop_that_misses_the_actor_hears_what_happened_and_the_map_goes_on_after_it() -> None:
    phone = Phone(PAGES, moved={("Home", "Lists"): "Other"})
    asked: list[str] = []

    class Helps:
        def act(self, instruction: str, observation: Observation, guidance: str):  # type: ignore[no-untyped-def]
            asked.append(guidance)
            return Lexical().act("Lists", observation, "")

    handover, _ = _handed(phone, Helps())
    episode = navigate(Task("t", "", "goal"), phone, handover, silent)
    assert phone.at == "Goal"
    assert episode.stop is StopReason.UNVERIFIED
    assert len(asked) == 1
    assert 'After tap button "Lists", "Lists" was expected and "Other" came.' in asked[0]
