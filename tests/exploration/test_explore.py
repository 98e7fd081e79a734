"""Exploring a toy phone: what is found, what is left alone, and that no edge is false."""

import pytest

from tests.exploration.toy import APP, Toy, Truth
from waypost.errors import UsageError
from waypost.exploration import ExploreConfig, Progress, StartRecipe, explore, preview
from waypost.mapping.mapper import Mapper
from waypost.model import AppGraph, ExploreStop, Observation, PageKind, Tap, TypeText

NAMES = "Sound Display Network Battery Storage Apps Privacy About Language Updates".split()  # noqa: SIM905
LETTERS = [f"Letter {c}" for c in "abcdefghijklmnop"]
PAGES = {
    "Home": {"News": "News", "Mail": "Mail", "Settings": "Settings", "Delete all": "Gone"},
    "News": {"Story": "Story", "Partner": "!out", "Boom": "!crash"},
    "Story": {"Send to friends": "Gone", "Comments": "Comments"},
    "Comments": {},
    "Mail": {"Compose": "Compose", "Old": "!ad Archive", **dict.fromkeys(LETTERS, "Letter")},
    "Letter": {"Details": "Details"},
    "Details": {},
    "Archive": {},
    "Compose": {"Next": "Preview"},
    "Preview": {},
    "Settings": {n: n for n in NAMES},
    **{n: {f"More of {n}": f"More of {n}"} for n in NAMES},
    **{f"More of {n}": {} for n in NAMES},
    "Gone": {},
}
LISTS = {"Mail": LETTERS, "Settings": NAMES}
FORBIDDEN = {"Gone"}


class Ticks:
    """A clock that a test moves."""

    def __init__(self, step: float = 0.1) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def toy(**more: object) -> Toy:
    return Toy(PAGES, LISTS, {"Compose": "Subject"}, no_back={"Story"}, **more)  # type: ignore[arg-type]


def run(phone: Toy, policy: str, actions: int = 600, **more: object) -> tuple[Truth, ExploreStop]:
    truth = Truth(phone)
    config = ExploreConfig(policy, actions=actions, **more)  # type: ignore[arg-type]
    return truth, explore(phone, truth.mapper, config, clock=Ticks())


def test_frontier_finds_every_harmless_page_and_stops_of_itself() -> None:
    truth, stop = run(toy(), "frontier")
    assert stop is ExploreStop.COMPLETE
    assert truth.pages() == set(PAGES) - FORBIDDEN
    assert not any(truth.mapper.graph.untried.values())


@pytest.mark.parametrize("policy", ["frontier", "auto_bfs", "state_dfs", "random"])
def test_no_policy_records_a_false_edge(policy: str) -> None:
    truth, _ = run(toy(), policy, 100)
    assert truth.steps
    assert truth.false_edges() == []


@pytest.mark.parametrize("policy", ["frontier", "auto_bfs", "state_dfs", "random"])
def test_no_policy_does_what_may_not_be_undone(policy: str) -> None:
    truth, _ = run(toy(), policy, 100)
    assert not truth.pages() & FORBIDDEN
    reasons = {s.reason for s in truth.mapper.graph.skipped.values()}
    assert "hazard: delete" in reasons


@pytest.mark.parametrize("policy", ["frontier", "auto_bfs", "state_dfs", "random"])
def test_the_same_seed_gives_the_same_steps(policy: str) -> None:
    first, _ = run(toy(), policy, 120, seed=7)
    second, _ = run(toy(), policy, 120, seed=7)
    assert first.steps == second.steps


def test_frontier_needs_fewer_actions_than_the_others() -> None:
    found = {policy: len(run(toy(), policy, 120)[0].pages()) for policy in ("frontier", "auto_bfs", "random")}
    assert found["frontier"] >= max(found["auto_bfs"], found["random"])


def test_auto_bfs_walks_at_most_five_steps_from_a_fresh_start() -> None:
    phone = toy()
    _, stop = run(phone, "auto_bfs", 10_000, walks=4)
    assert stop is ExploreStop.OUT_OF_WALKS
    assert phone.restarts >= 3


def test_depth_first_gets_to_every_page_that_shows_and_restores_the_state_it_branches_from() -> None:
    phone = toy()
    truth, stop = run(phone, "state_dfs", 2_000)
    assert stop is ExploreStop.COMPLETE
    assert not truth.pages() & FORBIDDEN
    assert truth.pages() >= (set(PAGES["Home"].values()) & set(PAGES)) - FORBIDDEN
    assert phone.restarts >= 1  # `Story` has no Back: only a fresh start and the way again lead back to it.


def test_depth_first_goes_into_a_page_once_however_many_ways_lead_to_it() -> None:
    names = {"Home": ("A", "B"), "A": ("C",), "B": ("C",), "C": ("D",), "D": ()}
    phone = Toy({page: {name: name for name in below} for page, below in names.items()})
    truth, stop = run(phone, "state_dfs", 400)
    assert stop is ExploreStop.COMPLETE
    assert truth.pages() == set(names)
    steps = truth.mapper.graph.transitions.values()
    (into,) = (
        t for t in steps if isinstance(t.action, Tap) and t.action.target and t.action.target.label == "D"
    )
    assert into.tries <= 4


def test_an_edge_that_leaves_the_app_is_undone_and_not_tried_again() -> None:
    phone = toy()
    truth, _ = run(phone, "frontier")
    graph = truth.mapper.graph
    outside = [n.id for n in graph.nodes.values() if n.kind is PageKind.EXTERNAL]
    into = [t for t in graph.transitions.values() if t.target in outside]
    assert len(into) == 1
    assert into[0].tries == 1


def test_a_crash_is_recorded_and_not_repeated() -> None:
    truth, _ = run(toy(), "frontier")
    crash = [s for s in truth.mapper.graph.skipped.values() if s.reason == "crashes the app"]
    assert len(crash) == 1


def test_an_ad_over_the_landing_page_does_not_hide_where_the_step_led() -> None:
    truth, _ = run(toy(), "frontier")
    graph = truth.mapper.graph
    (opened,) = [t for t in graph.transitions.values() if "|Old|" in t.key and t.kind.value == "navigation"]
    assert truth.toy.times[opened.last_seen] == "Archive"
    kinds = {graph.nodes[t.target].kind for t in graph.outcomes(opened.source, opened.key)}
    assert kinds == {PageKind.PAGE, PageKind.OVERLAY}


def test_a_field_that_bars_the_way_is_filled_with_sample_text() -> None:
    phone = toy()
    truth, _ = run(phone, "frontier")
    assert "Preview" in truth.pages()
    assert phone.typed["Compose"] == "a"


def test_a_budget_is_kept() -> None:
    truth, stop = run(toy(), "frontier", 25)
    assert stop is ExploreStop.OUT_OF_ACTIONS
    assert truth.mapper.graph.stop is ExploreStop.OUT_OF_ACTIONS
    assert len(truth.steps) <= 30


def test_time_runs_out_by_the_clock_that_was_given() -> None:
    truth = Truth(toy())
    stop = explore(truth.toy, truth.mapper, ExploreConfig(minutes=0.1), clock=Ticks(0.5))
    assert stop is ExploreStop.OUT_OF_TIME


def test_an_exploration_is_taken_up_where_it_stopped() -> None:
    phone = toy()
    truth, _ = run(phone, "frontier", 40)
    before = {(s, k) for s, _, k, _, _ in truth.steps}
    truth.mapper = Mapper(truth.mapper.graph, listener=truth._seen)
    half = len(truth.steps)
    stop = explore(phone, truth.mapper, ExploreConfig(), clock=Ticks())
    assert stop is ExploreStop.COMPLETE
    assert truth.pages() == set(PAGES) - FORBIDDEN
    assert truth.false_edges() == []
    tried = [
        k for s, b, k, t, a in truth.steps[half:] if (s, k) in before and b == a and k.startswith("tap:")
    ]
    assert tried == []


def test_a_device_that_comes_back_is_used_on() -> None:
    truth, stop = run(toy(lost_at={11, 30}), "frontier")
    assert stop is ExploreStop.COMPLETE
    assert truth.pages() == set(PAGES) - FORBIDDEN
    assert truth.false_edges() == []


def test_a_device_that_stays_away_ends_it_with_the_map_intact() -> None:
    phone = toy()
    truth = Truth(phone)

    def cut(progress: Progress) -> None:
        phone.dead_for_good = progress.actions > 20

    stop = explore(phone, truth.mapper, ExploreConfig(), progress=cut, clock=Ticks())
    assert stop is ExploreStop.DEVICE_LOST
    assert truth.mapper.graph.stop is ExploreStop.DEVICE_LOST
    assert len(truth.pages()) > 3


def test_progress_tells_coverage_and_time_left() -> None:
    phone, seen = toy(), list[Progress]()
    truth = Truth(phone)
    explore(phone, truth.mapper, ExploreConfig(actions=50), progress=seen.append, clock=Ticks())
    assert seen[-1].actions >= 50
    assert 0 < seen[-1].coverage < 1
    assert seen[10].eta is not None
    assert seen[-1].pages == sum(1 for _ in truth.mapper.graph.pages())


def test_a_start_recipe_opens_the_gate_and_leaves_no_secret_behind() -> None:
    phone = toy(gate="Gate")
    truth = Truth(phone)
    recipe = StartRecipe.parse(["type Password $PASS", 'tap "Log in"'], {"PASS": "open-sesame"})
    explore(phone, truth.mapper, ExploreConfig(actions=400), start=recipe, clock=Ticks())
    # Back from one page starts the app afresh, so that the gate itself is seen as a page, too.
    assert truth.pages() - {"Gate"} == set(PAGES) - FORBIDDEN
    assert truth.false_edges() == []
    assert "open-sesame" not in repr(truth.mapper.graph)
    assert "open-sesame" not in repr(recipe)
    assert TypeText("open-sesame", (520, 350)) in phone.done


def test_a_recipe_without_its_secret_is_refused() -> None:
    with pytest.raises(UsageError, match="PASS"):
        StartRecipe.parse(["type Password $PASS"], {})


@pytest.mark.parametrize("line", ["jump high", "tap", 'tap "open', "wait long", ""])
def test_a_recipe_that_makes_no_sense_is_refused(line: str) -> None:
    with pytest.raises(UsageError):
        StartRecipe.parse([line], {})


def test_a_recipe_reads_rows_of_a_file_too() -> None:
    rows: list[str | dict[str, object]] = [{"tap": "Go"}, {"type": "Name", "text": "Ann"}, {"wait": 2}]
    recipe = StartRecipe.parse(rows, {})
    assert [s.verb for s in recipe.steps] == ["tap", "type", "wait"]


def test_a_password_field_is_never_filled() -> None:
    phone = toy(gate="Gate")
    truth, stop = run(phone, "frontier", 60)
    assert stop is ExploreStop.COMPLETE
    assert not any(isinstance(a, TypeText) for a in phone.done)
    assert truth.pages() == {"Gate"}


def test_a_preview_lists_what_would_be_left_alone() -> None:
    (skipped,) = preview(Observation(toy().screen()))
    assert isinstance(skipped.action, Tap)
    assert skipped.reason == "hazard: delete"


def test_an_unknown_policy_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="frontier"):
        explore(toy(), Mapper(AppGraph(APP)), ExploreConfig("guess"), clock=Ticks())
