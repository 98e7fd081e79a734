import dataclasses
from collections.abc import Callable

import pytest

from tests.actors.phone import Chart, Phone, charted
from tests.conformance.actor import ActorSuite
from waypost.actors import Follower
from waypost.guidance import silent
from waypost.mapping.controls import controls
from waypost.model import Episode, NodeId, Observation, StopReason, Swipe, Tap, Task
from waypost.navigate import arrival, navigate
from waypost.planning import ShortestPath
from waypost.protocols import Actor

PAGES = {
    "Home": {"Settings": "Settings", "Library": "Library"},
    "Settings": {"Sound": "Sound", "About": "About"},
    "Library": {"Tones": "Sound"},
    "Sound": {"Ringtone": "Ringtone"},
    "Ringtone": {},
    "About": {},
}


def _go(phone: Phone, chart: Chart, goal: str, limit: int = 40) -> Episode:
    node = NodeId(goal)
    task = Task("t", "app", f"open {goal}")
    follower = Follower(chart, ShortestPath(), node)
    locate = lambda o: found.node if (found := chart.locate(o)) else None  # noqa: E731
    return navigate(task, phone, follower, silent, verify=arrival(chart, node), locate=locate, limit=limit)


class TestFollower(ActorSuite):
    @pytest.fixture
    def make(self) -> Callable[[], Actor]:
        return lambda: Follower(charted(PAGES), ShortestPath(), NodeId("Sound"))

    @pytest.fixture
    def start(self) -> Observation:
        return Phone(PAGES).observe()


def test_it_takes_the_shortest_way_and_says_so_truthfully() -> None:
    phone = Phone(PAGES)
    episode = _go(phone, charted(PAGES), "Ringtone")
    assert episode.stop is StopReason.ARRIVED
    assert episode.verified
    assert phone.at == "Ringtone"
    assert episode.actions == 3


def test_every_step_names_the_page_that_it_expects() -> None:
    episode = _go(Phone(PAGES), charted(PAGES), "Ringtone")
    assert [s.decision.expected for s in episode.steps[:-1]] == ["Settings", "Sound", "Ringtone"]


def test_a_goal_that_is_shown_already_costs_nothing() -> None:
    assert _go(Phone(PAGES), charted(PAGES), "Home").actions == 0


def test_an_ad_that_pops_up_is_closed_and_the_way_goes_on() -> None:
    phone = Phone(PAGES, ads_before={0, 2})
    episode = _go(phone, charted(PAGES), "Ringtone")
    assert episode.stop is StopReason.ARRIVED
    assert phone.at == "Ringtone"


def test_a_dead_button_is_reported_and_walked_around() -> None:
    chart = charted(PAGES)
    phone = Phone(PAGES, dead={("Home", "Settings")})
    episode = _go(phone, chart, "Ringtone")
    assert episode.stop is StopReason.ARRIVED
    assert {t.target for t in chart.missed} == {"Settings"}


def test_a_button_that_leads_elsewhere_is_left_for_another_way() -> None:
    phone = Phone(PAGES, moved={("Settings", "Sound"): "About"})
    chart = charted(PAGES)
    episode = _go(phone, chart, "Ringtone")
    assert episode.stop is StopReason.ARRIVED
    assert [t.source for t in chart.missed][:1] == ["Settings"]


def test_a_button_that_was_renamed_in_its_place_is_tried_and_believed_on_landing() -> None:
    chart = charted(PAGES)
    episode = _go(Phone(PAGES, renamed={"Settings": "Preferences"}), chart, "Ringtone")
    assert episode.stop is StopReason.ARRIVED
    assert episode.actions == 3
    assert not chart.missed


def test_another_button_in_the_same_place_is_tried_once_and_not_held_against_the_step() -> None:
    pages = PAGES | {"Home": {"Games": "Games", "Library": "Library"}, "Games": {}}
    phone, chart = Phone(pages), charted(PAGES)
    episode = _go(phone, chart, "Ringtone")
    assert episode.stop is StopReason.ARRIVED
    assert phone.trail == ["Home", "Library", "Sound"]
    assert (
        sum(s.decision.expected == "Settings" for s in episode.steps if isinstance(s.decision.action, Tap))
        == 1
    )


def test_a_renamed_button_that_looks_hazardous_is_left_alone() -> None:
    pages = PAGES | {"Home": {"Delete all": "Gone", "Library": "Library"}, "Gone": {}}
    phone = Phone(pages)
    assert _go(phone, charted(PAGES), "Ringtone").stop is StopReason.ARRIVED
    assert "Gone" not in [*phone.trail, phone.at]
    assert phone.trail == ["Home", "Library", "Sound"]


def test_it_gives_up_truthfully_where_no_way_is_left() -> None:
    phone = Phone(PAGES, dead={("Sound", "Ringtone")})
    episode = _go(phone, charted(PAGES), "Ringtone")
    assert episode.stop is StopReason.GAVE_UP
    assert not episode.claimed
    assert "'Ringtone'" in episode.note


def test_a_page_that_the_map_cannot_reach_is_given_up_at_once() -> None:
    pages = PAGES | {"Attic": {}}
    episode = _go(Phone(pages), charted(pages), "Attic")
    assert (episode.stop, episode.actions) == (StopReason.GAVE_UP, 0)


def test_a_login_page_that_bars_the_way_is_named() -> None:
    pages = PAGES | {"Sign in": {}}
    moved = {("Home", "Settings"): "Sign in", ("Home", "Library"): "Sign in"}
    phone = Phone(pages, moved=moved, secret={"Sign in"})
    episode = _go(phone, charted(PAGES), "Ringtone")
    assert episode.stop is StopReason.GAVE_UP
    assert "password" in episode.note


def test_a_control_further_down_a_list_is_scrolled_to() -> None:
    rows = [f"Row {c}" for c in "ABCDEFGHIJKLMNOP"]
    pages = {"Home": {r: r for r in rows}} | {r: {} for r in rows}
    phone = Phone(pages, {"Home": rows})
    episode = _go(phone, charted(pages, {"Home": rows}), "Row P")
    assert episode.stop is StopReason.ARRIVED
    assert sum(isinstance(a, Swipe) for a in phone.done) <= 5


def test_a_search_for_a_control_that_is_gone_ends() -> None:
    rows = [f"Row {c}" for c in "ABCDEFGHIJKLMNOP"]
    pages = {"Home": {r: r for r in rows}} | {r: {} for r in rows}
    phone = Phone(pages, {"Home": rows[:-1]})
    episode = _go(phone, charted(pages, {"Home": rows}), "Row P")
    assert episode.stop is StopReason.GAVE_UP


def test_any_row_will_do_where_all_rows_lead_to_one_page() -> None:
    pages = {"People": {"Ann": "Contact", "Bob": "Contact", "Cid": "Contact"}, "Contact": {}}
    phone = Phone({"People": {"Dan": "Contact", "Eve": "Contact"}, "Contact": {}}, {"People": ["Dan", "Eve"]})
    chart = charted(pages, {"People": ["Ann", "Bob", "Cid"]})
    assert _go(phone, chart, "Contact").stop is StopReason.ARRIVED


def test_rows_that_lead_to_different_pages_are_not_swapped() -> None:
    pages = {
        "Settings": {"Sound": "Sound", "Light": "Light", "Time": "Time"},
        "Sound": {},
        "Light": {},
        "Time": {},
    }
    phone = Phone(pages, {"Settings": ["Light", "Time"]})
    episode = _go(phone, charted(pages, {"Settings": ["Sound", "Light", "Time"]}), "Sound")
    assert episode.stop is StopReason.GAVE_UP
    assert not any(isinstance(a, Tap) for a in phone.done)


def test_two_pages_that_the_map_holds_to_be_one_are_told_apart_by_coming_another_way() -> None:
    # The map takes "Advanced" under Sim and under Lock for one page; only one of them has "Names".
    pages = {
        "Home": {"Lock": "Lock", "Sim": "Sim"},
        "Lock": {"Advanced": "Advanced"},
        "Sim": {"Card": "Card"},
        "Card": {"Advanced": "Advanced 2"},
        "Advanced": {},
        "Advanced 2": {"Names": "Names"},
        "Names": {},
    }
    chart = charted(pages)
    one, two = NodeId("Advanced"), NodeId("Advanced 2")
    for at, step in list(chart.graph.transitions.items()):
        if two in (step.source, step.target):
            del chart.graph.transitions[at]
            source = one if step.source == two else step.source
            target = one if step.target == two else step.target
            merged = dataclasses.replace(step, source=source, target=target)
            chart.graph.transitions[merged.source, merged.key, merged.target] = merged
    chart.aliases[two] = one
    phone = Phone(pages)
    assert _go(phone, chart, "Names").stop is StopReason.ARRIVED
    assert phone.starts == 2


def test_a_hazardous_step_is_never_taken() -> None:
    pages = {"Home": {"Delete account": "Gone"}, "Gone": {}}
    phone = Phone(pages)
    assert _go(phone, charted(pages), "Gone").stop is StopReason.GAVE_UP
    assert not phone.done


def test_a_strange_page_is_left_by_going_back() -> None:
    pages = PAGES | {"News": {}}
    phone = Phone(pages, moved={("Home", "Settings"): "News"})
    assert _go(phone, charted(PAGES), "Ringtone").stop is StopReason.ARRIVED


def test_a_relaunch_is_the_last_resort_and_bounded() -> None:
    pages = {"Home": {"Goal": "Goal"}, "Goal": {}}
    phone = Phone(pages | {"Trap": {}}, moved={("Home", "Goal"): "Trap"}, stuck={"Trap"})
    episode = _go(phone, charted(pages), "Goal")
    assert episode.stop is StopReason.GAVE_UP
    assert phone.starts == 3  # the run's own, and two relaunches


def test_a_tree_that_is_missing_for_a_look_is_waited_for() -> None:
    phone = Phone(PAGES, blind={2})
    assert _go(phone, charted(PAGES), "Ringtone").stop is StopReason.ARRIVED


def test_a_screen_that_stays_blind_is_given_up() -> None:
    phone = Phone(PAGES, blind=set(range(1, 999)))
    episode = _go(phone, charted(PAGES), "Ringtone")
    assert episode.stop is StopReason.GAVE_UP
    assert "cannot be read" in episode.note
    assert not phone.done
    assert phone.starts == 3


def test_two_buttons_of_one_name_are_told_apart_by_their_order() -> None:
    phone = Phone({"Home": {"Open": "One"}, "One": {}})
    twins = controls(phone.observe().screen)
    assert len(twins) == 1
