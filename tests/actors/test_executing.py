"""Groups run on the stand-in phone: chosen once, checked at every step, left where they do not fit."""

from dataclasses import replace

from tests.actors.phone import Chart, Phone, charted
from waypost.actors import Follower, GroupRunner
from waypost.guidance import silent
from waypost.model import ActionGroup, NodeId, StopReason, Task
from waypost.navigate import navigate
from waypost.planning import ShortestPath, mined

PAGES = {
    "Home": {"Settings": "Settings", "Help": "Help"},
    "Settings": {"Sound": "Sound", "About": "About"},
    "Sound": {"Tone": "Tone"},
    "Tone": {},
    "Help": {"Sounds": "Sound"},
    "About": {},
}


def groups(chart: Chart) -> tuple[ActionGroup, ...]:
    plan = ShortestPath().plan(chart.graph, NodeId("Home"), NodeId("Tone"))
    way = [(s.source, s.key, s.target) for s in plan.steps]
    return mined([way, way], chart.graph)


def run(phone: Phone, chart: Chart, known: tuple[ActionGroup, ...]) -> tuple[GroupRunner, StopReason]:
    goal = NodeId("Tone")
    runner = GroupRunner(Follower(chart, ShortestPath(), goal), chart, ShortestPath(), goal, known)
    return runner, navigate(
        Task("t", "app", "go"), phone, runner, silent, verify=lambda seen: phone.at == goal
    ).stop


def test_a_whole_way_is_one_choice() -> None:
    phone, chart = Phone(PAGES), charted(PAGES)
    runner, stop = run(phone, chart, groups(chart))
    assert stop is StopReason.ARRIVED
    assert phone.at == "Tone"
    assert (runner.chosen, runner.done, runner.delegated) == (1, 3, 1)


def test_without_groups_the_actor_behind_does_everything() -> None:
    phone, chart = Phone(PAGES), charted(PAGES)
    runner, stop = run(phone, chart, ())
    assert stop is StopReason.ARRIVED
    assert (runner.chosen, runner.done) == (0, 0)
    assert runner.delegated == 4


def test_a_step_that_leads_elsewhere_ends_the_group_and_the_goal_is_still_reached() -> None:
    phone = Phone(PAGES, moved={("Settings", "Sound"): "About"})
    chart = charted(PAGES)
    runner, stop = run(phone, chart, groups(chart))
    assert stop is StopReason.ARRIVED
    assert runner.chosen >= 1
    assert runner.delegated > 1
    assert phone.at == "Tone"


def test_a_group_whose_precondition_does_not_hold_is_not_begun() -> None:
    phone, chart = Phone(PAGES), charted(PAGES)
    gated = tuple(replace(g, needs=("signed_in",)) for g in groups(chart))
    runner, stop = run(phone, chart, gated)
    assert stop is StopReason.ARRIVED
    assert runner.chosen == 0
