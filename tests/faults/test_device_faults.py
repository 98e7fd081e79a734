"""Exploring and going on a device with mishaps: steps that were counted stay, and no success is made up."""

from pathlib import Path

import pytest

from waypost.adapters.faulty import FaultyDevice, Mishaps
from waypost.adapters.pocket import PocketDevice
from waypost.mapping import MapStore
from waypost.model import AppGraph
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import Map, open_map

APP, WISH, TRUTH = "clock", "how long until the countdown rings", "clock/timer"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults") / "clock"
    explored(f"pocket:{APP}", folder, ExploreRequest(pictures=False))
    return folder


def stored(folder: Path) -> AppGraph:
    store = MapStore.open(folder, readonly=True)
    try:
        return store.load()
    finally:
        store.close()


def whole_steps(graph: AppGraph) -> bool:
    """Whether every step that was counted is there, between pages that are."""
    inside = all(t.source in graph.nodes and t.target in graph.nodes for t in graph.transitions.values())
    return inside and sum(t.successes for t in graph.transitions.values()) == graph.steps


def gone(known: Map, mishaps: Mishaps) -> tuple[str, bool, str]:
    """Go with the mishaps; return status, whether it was verified, and where the phone truly is."""
    phone = PocketDevice(APP)
    outcome = known.go(WISH, FaultyDevice(phone, mishaps))
    return outcome.status, outcome.verified, phone.where()


def test_a_device_that_is_lost_ends_the_exploration_and_the_next_one_takes_it_up(tmp_path: Path) -> None:
    folder, steps = tmp_path / "clock", 0
    for mishaps in (
        Mishaps(lost_before=frozenset(range(9, 99))),
        Mishaps(lost_after=frozenset(range(12, 99))),
        Mishaps(blind=frozenset(range(40, 999))),
    ):
        device = FaultyDevice(PocketDevice(APP), mishaps)
        done = explored(device, folder, ExploreRequest(actions=60, pictures=False))
        graph = stored(folder)
        assert done.stop_reason == "device_lost"
        assert graph.steps > steps
        assert whole_steps(graph)
        steps = graph.steps
    # A device that is back at the next try is no end.
    device = FaultyDevice(PocketDevice(APP), Mishaps(lost_before=frozenset({3}), lost_after=frozenset({8})))
    assert (
        explored(device, folder, ExploreRequest(actions=20, pictures=False)).stop_reason == "out_of_actions"
    )
    assert stored(folder).steps > steps
    assert whole_steps(stored(folder))


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_device_that_is_lost_on_the_way_is_no_arrival(whole: Path, at: int) -> None:
    with open_map(whole) as known:
        for mishaps in (
            Mishaps(lost_before=frozenset({at})),
            Mishaps(lost_after=frozenset({at})),
            Mishaps(blind=frozenset(range(2 * at, 2 * at + 30))),
        ):
            status, verified, where = gone(known, mishaps)
            assert verified is (status == "reached")
            assert not verified or where == TRUTH


@pytest.mark.parametrize(
    "late", [frozenset({1}), frozenset({2}), frozenset({1, 2, 3}), frozenset(range(1, 40))]
)
def test_a_tree_of_a_moment_ago_is_never_taken_for_an_arrival(whole: Path, late: frozenset[int]) -> None:
    with open_map(whole) as known:
        status, verified, where = gone(known, Mishaps(late_tree=late))
    assert verified is (status == "reached")
    assert not verified or where == TRUTH


def test_without_mishaps_it_arrives(whole: Path) -> None:
    with open_map(whole) as known:
        assert gone(known, Mishaps()) == ("reached", True, TRUTH)


def test_pictures_of_another_moment_do_not_change_what_pages_there_are(tmp_path: Path) -> None:
    graphs = []
    for late in (False, True):
        device = FaultyDevice(PocketDevice(APP), Mishaps(late_picture=late))
        explored(device, tmp_path / str(late), ExploreRequest(actions=25))
        graphs.append(stored(tmp_path / str(late)))
    one, other = graphs
    assert one.transitions.keys() == other.transitions.keys()
    assert [n.name for n in one.nodes.values()] == [n.name for n in other.nodes.values()]


@pytest.mark.parametrize("jump", [-86_400.0, 86_400.0])
def test_a_clock_that_jumps_changes_no_page_and_no_count(tmp_path: Path, jump: float) -> None:
    graphs = []
    for clock in (None, lambda look: jump if look > 20 else 0.0):
        folder = tmp_path / ("steady" if clock is None else "jumps")
        device = FaultyDevice(PocketDevice(APP), Mishaps(clock=clock))
        explored(device, folder, ExploreRequest(actions=25, pictures=False))
        graphs.append(stored(folder))
    one, other = graphs
    assert {k: (t.tries, t.successes) for k, t in one.transitions.items()} == {
        k: (t.tries, t.successes) for k, t in other.transitions.items()
    }
    assert list(one.nodes) == list(other.nodes)


def test_an_app_that_is_updated_in_the_middle_is_explored_on(tmp_path: Path) -> None:
    device = FaultyDevice(PocketDevice("mail"), Mishaps(update_at=15), PocketDevice("mail@2"))
    done = explored(device, tmp_path / "mail", ExploreRequest(actions=45, pictures=False))
    graph = stored(tmp_path / "mail")
    assert done.actions == graph.steps >= 40
    assert whole_steps(graph)
    with open_map(tmp_path / "mail") as known:
        phone = PocketDevice("mail@2")
        assert known.graph.met == phone.app_version("com.pocket.mail") != known.graph.version
        assert "is of version" in known.trust()
        outcome = known.go("settings", phone)
        assert outcome.verified is (outcome.status == "reached")
