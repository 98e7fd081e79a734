"""Sentences that span apps: how they are parted, what is carried over, and what a model may say of it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.subtask_planner import APPS, PAGES, SubtaskPlannerSuite, fits
from waypost.adapters.llm import Scripted
from waypost.errors import ReplyError
from waypost.model import Subtask
from waypost.planning import AskedSubtasks, RuleSubtasks
from waypost.planning.clauses import clauses
from waypost.planning.subtasks import CoarsePart, CoarsePlan, FinePlan
from waypost.protocols import SubtaskPlanner


class TestRulesFit(SubtaskPlannerSuite):
    @pytest.fixture
    def planner(self) -> SubtaskPlanner:
        return RuleSubtasks()


class TestAModelFits(SubtaskPlannerSuite):
    @pytest.fixture
    def planner(self) -> SubtaskPlanner:
        return AskedSubtasks(_Wild())


class _Wild:
    """A model that names apps, pages and values that are not there."""

    id = "wild"

    def ask(self, prompt: str, images: Any = (), *, returns: type[Any]) -> Any:
        if returns is FinePlan:
            return FinePlan(7, "tap there")
        return CoarsePlan(
            (CoarsePart("read", "Bank", ("code",), ("pin",)), CoarsePart("write", "MAIL", (), ("code",)))
        )


def _texts(said: str) -> list[str]:
    return [c.text for c in clauses(said)]


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("Open the map, then write to Ann.", ["Open the map", "write to Ann"]),
        ("Open the map; show my mail. Play a song!", ["Open the map", "show my mail", "Play a song"]),
        ("Pay, and before that check the price", ["check the price", "Pay"]),
        ("Before you pay, check the price", ["check the price", "pay"]),
        ("After you check the price, pay", ["check the price", "pay"]),
        ("Before the night: set a timer", ["set a timer"]),
        ("List bread and butter", ["List bread and butter"]),
        ("Open the map and, once that is done, pay", ["Open the map", "pay"]),
        ("Show my next visit", ["Show my next visit"]),
        ("打开地图，然后付款。", ["打开地图", "付款"]),
    ],
)
def test_clauses_end_where_the_grammar_ends_them(said: str, parts: list[str]) -> None:
    assert _texts(said) == parts


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Look up when the train leaves, then set an alarm for that time", "time"),
        ("Copy the code from the letter and enter it", "code"),
        ("Find out who wrote the song, then search for the name", "name"),
        ("Read the serial number on the box and write it to Ann", "serial number"),
    ],
)
def test_what_is_read_is_carried_to_where_it_is_meant(said: str, name: str) -> None:
    first, second = clauses(said)
    assert (first.learns, second.needs) == ((name,), (name,))


def test_what_points_at_nothing_that_was_read_carries_nothing() -> None:
    assert all(not c.learns and not c.needs for c in clauses("Play a song, then stop it"))


@given(st.text(max_size=200))
@settings(deadline=None, max_examples=250)
def test_any_text_is_parted_without_losing_its_order_or_needing_what_nobody_learnt(said: str) -> None:
    learnt: set[str] = set()
    for clause in clauses(said):
        assert clause.text.strip()
        assert set(clause.needs) <= learnt
        learnt |= set(clause.learns)


def test_an_app_that_is_named_has_the_part_and_the_others_go_by_memory() -> None:
    parts = RuleSubtasks().coarse("Look at my basket, then pay by email", APPS, fits)
    assert [p.app for p in parts] == ["shop", "mail"]


def test_a_page_that_the_memory_is_not_sure_of_is_not_taken() -> None:
    rules = RuleSubtasks()
    assert rules.fine(Subtask("fly", "mail"), PAGES, sure=False) == (-1, "")
    assert rules.fine(Subtask("write", "mail", needs=("code",)), PAGES, sure=True)[1] == "write; with code"


def test_a_models_plan_is_held_against_what_is_installed() -> None:
    parts = AskedSubtasks(_Wild()).coarse("x", APPS, fits)
    assert parts == (Subtask("read", "", ("code",)), Subtask("write", "mail", (), ("code",)))
    # Page 7 of three is no page: the rules decide.
    assert AskedSubtasks(_Wild()).fine(parts[1], PAGES, sure=False) == (-1, "")


def test_a_model_that_cannot_be_understood_leaves_it_to_the_rules() -> None:
    llm = Scripted([ReplyError("no"), ReplyError("no"), CoarsePlan(()), FinePlan(2, "write there")])
    asked = AskedSubtasks(llm)
    said = "Write a letter, then pay"
    assert asked.coarse(said, APPS, fits) == RuleSubtasks().coarse(said, APPS, fits)
    assert asked.fine(Subtask("write", "mail"), PAGES, sure=True) == (0, "write")
    assert asked.coarse(said, APPS, fits) == RuleSubtasks().coarse(said, APPS, fits)
    assert asked.fine(Subtask("write", "mail"), PAGES, sure=True) == (1, "write there")
