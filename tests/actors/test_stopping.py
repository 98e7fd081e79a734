"""Claims to be done are verified, sent back so many times, and never made into more than claims."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.actors.phone import Phone
from tests.actors.told import Plays, looks, page, tap
from tests.conformance.actor import ActorSuite
from waypost.actors import Lexical, Reflecting, Searching, StepBudget, StopGate
from waypost.actors.criteria import Criteria, Criterion, missing
from waypost.actors.reflecting import Reflection
from waypost.actors.searching import DocsSearch, Found, model_search
from waypost.actors.stopping import StopGateConfig, Verification, criteria_of, verification_of
from waypost.adapters.llm import Asking, Scripted, ScriptedChat
from waypost.errors import ReplyError
from waypost.guidance import silent
from waypost.model import (
    Bounds,
    Element,
    Finish,
    Observation,
    Press,
    Role,
    Screen,
    StopReason,
    Task,
    TreeQuality,
)
from waypost.navigate import navigate
from waypost.protocols import Actor

START, GOAL = page("Home", "Sound"), page("Sound", "Mute", switches=[("Vibrate", True)])
SHOWN = (Criterion("page", "Sound"), Criterion("on", "Vibrate"))


class TestGateFits(ActorSuite):
    @pytest.fixture
    def start(self) -> Observation:
        return Observation(START)

    @pytest.fixture
    def make(self) -> Callable[[], Actor]:
        return lambda: StopGate(Lexical(), StepBudget(60))


class TestSearchingFits(ActorSuite):
    @pytest.fixture
    def start(self) -> Observation:
        return Observation(START)

    @pytest.fixture
    def make(self) -> Callable[[], Actor]:
        return lambda: Searching(Lexical(), lambda question: "")


@pytest.mark.parametrize(
    ("criterion", "screen", "holds"),
    [
        (Criterion("page", "Sound"), GOAL, True),
        (Criterion("page", "Sound"), START, False),
        (Criterion("text", "mute"), GOAL, True),
        (Criterion("text", "mu"), GOAL, False),
        (Criterion("no_text", "Mute"), START, True),
        (Criterion("on", "Vibrate"), GOAL, True),
        (Criterion("off", "Vibrate"), GOAL, False),
        (Criterion("off", "Nothing"), GOAL, False),
        (Criterion("text", ""), GOAL, False),
        (Criterion("no_text", "x"), Screen(quality=TreeQuality.NONE), False),
    ],
)
def test_criteria_are_checked_against_the_screen(criterion: Criterion, screen: Screen, holds: bool) -> None:
    assert (missing([criterion], screen) == []) is holds


def _gate(actor: Plays, *, limit: int = 20, **more: Any) -> StopGate:
    return StopGate(actor, StepBudget(limit), criteria=lambda say, look: SHOWN, **more)


def test_what_done_means_is_told_from_the_first_step_on() -> None:
    actor = Plays(tap(1))
    _gate(actor).act("vibrate", next(looks(START)), "Go.")
    assert actor.told[0].startswith("Go.")
    assert 'the page "Sound" is shown; "Vibrate" is on' in actor.told[0]


def test_a_false_claim_is_sent_back_with_what_is_missing_and_a_true_one_passes() -> None:
    actor = Plays(Finish(True), tap(1), Finish(True))
    gate, seen = _gate(actor), looks(START, GOAL)
    assert gate.act("vibrate", next(seen), "").action == tap(1)
    assert "You said that the task is done. It is not" in actor.told[1]
    assert gate.act("vibrate", next(seen), "").action == Finish(True)
    assert gate.rejections == 1


def test_claims_are_sent_back_three_times_and_the_fourth_ends_it_as_not_reached() -> None:
    gate = _gate(Plays(Finish(True)))
    action = gate.act("vibrate", next(looks(START)), "").action
    assert isinstance(action, Finish)
    assert not action.arrived
    assert gate.rejections == 4
    assert "claimed 4 times" in action.answer


def test_with_no_step_left_a_claim_passes_unverified_and_the_actor_is_told_that_it_is_over() -> None:
    actor = Plays(tap(1), Finish(True))
    gate, seen = _gate(actor, limit=1), looks(START)
    gate.act("vibrate", next(seen), "")
    assert gate.act("vibrate", next(seen), "").action == Finish(True)
    assert gate.rejections == 0
    assert "No action is left" in actor.told[1]
    # One action left is one too few to make use of a rejection.
    assert _gate(Plays(Finish(True)), limit=1).act("x", next(looks(START)), "").action == Finish(True)
    assert _gate(Plays(Finish(True)), limit=2).act("x", next(looks(START)), "").action != Finish(True)


def test_giving_up_passes_without_being_verified() -> None:
    gate = _gate(Plays(Finish(False, "no such page")))
    assert gate.act("x", next(looks(START)), "").action == Finish(False, "no such page")


def test_a_map_that_knows_better_rejects_and_one_that_cannot_tell_does_not() -> None:
    for truth, passes in ((False, False), (None, True), (True, True)):
        gate = StopGate(Plays(Finish(True)), StepBudget(20), arrived=lambda look, t=truth: t)
        action = gate.act("x", next(looks(START)), "").action
        assert isinstance(action, Finish)
        assert action.arrived is passes


def test_a_verifier_that_answers_no_json_counts_as_not_done() -> None:
    verify = verification_of(Asking(ScriptedChat(["Yes, it is complete!", "All done."])))
    assert not verify("x", [], Observation(GOAL)).holds


def test_a_verifier_is_never_told_a_secret() -> None:
    typed = Element(Role.FIELD, text="hunter2xx", password=True, bounds=Bounds(0, 300, 900, 400))
    screen = replace(GOAL, root=replace(GOAL.root, children=(*GOAL.root.children, typed)))
    llm = Scripted([Verification(True, "on")])
    assert verification_of(llm)("x", [], Observation(screen)).holds
    ((prompt, _),) = llm.asked
    assert "Vibrate" in prompt
    assert "hunter2" not in prompt


@pytest.mark.parametrize(
    ("found", "holds"),
    [
        (Verification(True, "The switch is on."), True),
        (Verification(True, "The switch is on.", ("save it",)), False),
        (Verification(True, "It appears to be on."), False),
        (Verification(False, "It is off."), False),
    ],
)
def test_complete_with_something_missing_or_hedged_is_not_complete(found: Verification, holds: bool) -> None:
    llm = Scripted([found] * 9)
    gate = StopGate(
        Plays(Finish(True)), StepBudget(20), verify=verification_of(llm), config=StopGateConfig(rejections=1)
    )
    action = gate.act("x", next(looks(GOAL)), "").action
    assert isinstance(action, Finish)
    assert action.arrived is holds
    assert gate.model_calls == (2 if holds else 4)


def test_a_model_writes_the_criteria_once_and_none_if_it_cannot() -> None:
    llm = Scripted([Criteria(SHOWN)])
    gate, seen = (
        StopGate(Plays(tap(1), tap(2), Finish(True)), StepBudget(9), criteria=criteria_of(llm)),
        looks(START),
    )
    for _ in range(2):
        gate.act("vibrate", next(seen), "")
    assert len(llm.asked) == 1
    assert criteria_of(Scripted([ReplyError("no")]))("x", Observation(START)) == ()


def test_in_the_loop_a_lie_costs_the_liar_and_a_verified_arrival_is_one() -> None:
    pages = {"Home": {"Sound": "Sound"}, "Sound": {}}

    def goal(observation: Observation) -> bool:
        return any(e.label == "Sound" and not e.clickable for e in observation.screen.walk())

    liar = StopGate(Plays(Finish(True)), StepBudget(30), arrived=goal)
    lied = navigate(Task("t", "", "x"), Phone(pages), liar, silent, verify=goal)
    assert (lied.stop, lied.claimed, lied.verified) == (StopReason.GAVE_UP, False, False)
    bare = navigate(Task("t", "", "x"), Phone(pages), Plays(Finish(True)), silent, verify=goal)
    assert (bare.stop, bare.claimed, bare.verified) == (StopReason.FALSE_CLAIM, True, False)


def _reflections(*strategies: Literal["KEEP", "SWITCH"]) -> Scripted:
    return Scripted(
        [Reflection("It is the wrong page. Tap Back.", False, True, s, "No switch here.") for s in strategies]
    )


def test_switch_binds_the_next_action_to_be_another() -> None:
    actor = Plays(tap(1), tap(1), tap(2))
    reflecting, seen = Reflecting(actor, _reflections("SWITCH")), looks(START)
    assert [reflecting.act("x", next(seen), "").action for _ in range(2)] == [tap(1), tap(2)]
    assert "It is the wrong page." in actor.told[1]
    assert "Tap Back" not in actor.told[1]
    insists, seen = Reflecting(Plays(tap(1)), _reflections("SWITCH")), looks(START)
    assert [insists.act("x", next(seen), "").action for _ in range(2)] == [tap(1), Press("back")]
    assert insists.model_calls == 4


def test_keep_binds_nothing_and_no_reflection_is_no_harm() -> None:
    kept, seen = Reflecting(Plays(tap(1)), _reflections("KEEP")), looks(START)
    assert [kept.act("x", next(seen), "").action for _ in range(2)] == [tap(1), tap(1)]
    mute, seen = Reflecting(Plays(tap(1)), Scripted([ReplyError("no")])), looks(START)
    assert [mute.act("x", next(seen), "").action for _ in range(2)] == [tap(1), tap(1)]


def test_before_giving_up_it_is_looked_up_and_tried_once_more() -> None:
    asked: list[str] = []

    def search(question: str) -> str:
        asked.append(question)
        return "Open Sound, then Vibrate." if len(asked) == 2 else ""

    actor = Plays(say=lambda told, n: tap(3) if "Open Sound" in told else Finish(False))
    searching = Searching(actor, search)
    assert searching.act("vibrate", next(looks(START)), "").action == tap(3)
    assert asked == ["How to vibrate", "How to vibrate in app"]
    assert "> Open Sound, then Vibrate." in actor.told[1]


def test_three_steps_with_nothing_new_are_a_reason_to_look_it_up() -> None:
    asked: list[str] = []
    searching = Searching(Plays(tap(1)), lambda q: asked.append(q) or "")  # type: ignore[func-returns-value]
    seen = looks(START)
    for n in range(4):
        assert not asked
        searching.act("vibrate", next(seen), "")
        assert n < 4
    assert len(asked) == 2


def test_no_more_is_asked_than_the_budget_allows() -> None:
    asked: list[str] = []
    searching = Searching(Plays(Finish(False)), lambda q: asked.append(q) or "", budget=5)  # type: ignore[func-returns-value]
    for n in range(20):
        searching.act(f"task {n}", next(looks(START)), "")
    assert searching.searches == 5
    assert len(set(asked)) == 5


def test_a_folder_of_documents_answers_what_it_says_and_nothing_else(tmp_path: Path) -> None:

    folder = tmp_path
    (folder / "sound.md").write_text(
        "# Sound\n\nTo change the ringtone, open Sound and choose Ringtone.\n\nBells ring."
    )
    (folder / "net.txt").write_text("Wi-Fi is under Network.")
    search = DocsSearch(folder)
    assert search("How to change the ringtone") == "To change the ringtone, open Sound and choose Ringtone."
    assert search("How to bake bread") == ""
    assert DocsSearch(folder / "nowhere")("x") == ""


def test_a_model_that_can_search_is_a_search() -> None:
    search = model_search(
        Scripted([Found(True, ("open it", "tap it")), Found(False, ("guess",)), ReplyError("no")])
    )
    assert [search("a"), search("b"), search("c")] == ["open it\ntap it", "", ""]
