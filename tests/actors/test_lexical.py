import dataclasses
from collections.abc import Callable

import pytest

from tests.actors.phone import Phone
from tests.conformance.actor import ActorSuite
from waypost.actors import Lexical, LexicalConfig
from waypost.guidance import fixed, silent
from waypost.model import (
    Element,
    Episode,
    Finish,
    Launch,
    Observation,
    Press,
    Screen,
    StopReason,
    Swipe,
    Tap,
    Task,
    TreeQuality,
    Wait,
)
from waypost.navigate import navigate
from waypost.protocols import Actor

PAGES = {
    "Mail": {"Inbox": "Inbox", "Settings": "Settings", "Help": "Help"},
    "Inbox": {"Compose": "Compose"},
    "Settings": {"Notifications": "Notifications", "Signature": "Signature"},
    "Help": {"Contact us": "Contact us"},
    "Compose": {},
    "Notifications": {},
    "Signature": {},
    "Contact us": {},
}


def _go(phone: Phone, sentence: str, *, told: str = "", seed: int = 0) -> Episode:
    guide = fixed(told) if told else silent
    return navigate(Task("t", "app", sentence), phone, Lexical(seed=seed), guide, limit=60)


class TestLexical(ActorSuite):
    @pytest.fixture
    def make(self) -> Callable[[], Actor]:
        return lambda: Lexical(seed=3)

    @pytest.fixture
    def start(self) -> Observation:
        return Phone(PAGES).observe()


@pytest.mark.parametrize(
    ("sentence", "page"),
    [
        ("open the notification settings", "Notifications"),
        ("compose a new message", "Compose"),
        ("where do I change my signature", "Signature"),
    ],
)
def test_words_that_are_on_the_way_lead_there(sentence: str, page: str) -> None:
    phone = Phone(PAGES)
    episode = _go(phone, sentence)
    assert episode.claimed
    assert phone.at == page


def test_a_page_that_no_label_hints_at_is_found_by_search_and_going_back() -> None:
    phone = Phone(PAGES)
    episode = _go(phone, "contact")
    assert phone.at == "Contact us"
    assert episode.claimed


def test_what_the_app_does_not_have_is_given_up() -> None:
    episode = _go(Phone(PAGES), "thermostat calibration")
    assert episode.stop is StopReason.GAVE_UP
    assert not episode.claimed


def test_it_never_taps_a_hazardous_control() -> None:
    pages = {"Home": {"Delete account": "Gone", "About": "About"}, "Gone": {}, "About": {}}
    phone = Phone(pages)
    _go(phone, "delete account")
    assert phone.at != "Gone"
    assert "Gone" not in phone.trail


def test_it_scrolls_to_what_fits() -> None:
    rows = [f"Row {c}" for c in "ABCDEFGHIJ"] + ["Storage"]
    phone = Phone({"Home": {r: r for r in rows}, "Storage": {}} | {r: {} for r in rows}, {"Home": rows})
    _go(phone, "free storage")
    assert phone.at == "Storage"
    assert any(isinstance(a, Swipe) for a in phone.done)


def test_an_ad_is_closed_first() -> None:
    phone = Phone(PAGES, ads_before={0})
    _go(phone, "open the notification settings")
    assert phone.at == "Notifications"


def test_guidance_tells_it_names_that_the_sentence_lacks() -> None:
    pages = {
        "Home": {"Alpha": "Alpha", "Beta": "Beta"},
        "Alpha": {"Gamma": "Gamma"},
        "Beta": {"Delta": "Delta"},
    }
    phone = Phone(pages | {"Gamma": {}, "Delta": {}})
    told = 'Destination: "Delta"\nWaypoints: "Home" > "Beta" > "Delta"'
    episode = _go(phone, "turn it louder", told=told)
    assert phone.at == "Delta"
    assert len([a for a in phone.done if isinstance(a, Tap)]) == 2
    assert episode.claimed


def test_what_comes_next_outweighs_the_other_names_that_guidance_quotes() -> None:
    pages = {"Home": {"Alpha": "Alpha", "Beta": "Beta"}, "Alpha": {}, "Beta": {}}
    told = 'Destination: "Delta"\nNext: on "Home", tap button "Beta"\n- tap button "Alpha"'
    action = Lexical().act("louder", Phone(pages).observe(), told).action
    assert isinstance(action, Tap)
    assert action.target is not None
    assert action.target.label == "Beta"


def test_it_returns_to_the_page_that_fitted_best() -> None:
    pages = PAGES | {
        "Help": {"Contact us": "Contact us", "Billing letters and receipts": "Receipts"},
        "Receipts": {},
    }
    phone = Phone(pages)
    episode = _go(phone, "monthly billing overview for accountants")
    assert episode.claimed
    assert phone.at in ("Help", "Receipts")


def test_another_app_is_left_for_the_one_that_was_asked_for() -> None:
    actor = Lexical()
    phone = Phone(PAGES)
    actor.act("signature", phone.observe(), "")
    foreign = dataclasses.replace(
        phone.observe(), screen=dataclasses.replace(phone.observe().screen, app="other")
    )
    actions = [actor.act("signature", foreign, "").action for _ in range(2)]
    assert actions == [Press("back"), Launch("app")]


def test_the_budget_ends_it() -> None:
    actor = Lexical(config=LexicalConfig(budget=2))
    phone = Phone(PAGES)
    actions = [actor.act("thermostat", phone.observe(), "").action for _ in range(3)]
    assert actions[-1] == Finish(False, "the budget is spent")


def test_a_seed_gives_the_same_search_again() -> None:
    first, second = Phone(PAGES), Phone(PAGES)
    _go(first, "contact", seed=5)
    _go(second, "contact", seed=5)
    assert first.done == second.done


def test_a_screen_that_says_nothing_is_left_for_the_app_and_given_up_after_that() -> None:
    blank = Observation(Screen(Element(), quality=TreeQuality.NONE))
    actor = Lexical()
    actor.act("compose", Phone(PAGES).observe(), "")
    done = [actor.act("compose", blank, "").action for _ in range(12)]
    waits = Wait(1.0)
    assert done[:3] == [waits, waits, Launch("app")]
    assert done.count(Launch("app")) == 3
    assert done[-1] == Finish(False, "the screen cannot be read")
