"""A fleet walks one app: the same map however many devices there are, and whichever of them is lost."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.exploration.toy import APP, Toy
from waypost.errors import UsageError
from waypost.exploration import ExploreConfig
from waypost.exploration.sharing import Job, Log, copied, replay, settle, shares, walk
from waypost.mapping import Mapper, MapStore
from waypost.model import Action, AppGraph, NodeId
from waypost.parts.fleet import FleetProgress, FleetRequest, fleet

NAMES = ("Home", "Sound", "Display", "Network", "Account", "Storage", "Profile", "Orders", "Photos", "Clocks",
         "Wallet", "Music", "Travel", "Health", "Weather")  # fmt: skip
PAGES = {
    name: {NAMES[c]: NAMES[c] for c in (3 * n + 1, 3 * n + 2, 3 * n + 3) if c < len(NAMES)}
    or {f"Leave {name}": "Home"}
    for n, name in enumerate(NAMES)
}


def shown(graph: AppGraph) -> tuple[set[str], set[tuple[str, str, str]]]:
    """Return the pages of a map and its ways, by what they are called on the device."""
    called = {n.id: n.looks[0].observation.screen.activity for n in graph.nodes.values()}
    ways = {
        (called[t.source], t.key, called[t.target])
        for t in graph.transitions.values()
        if t.key.startswith("tap")
    }
    return set(called.values()), ways


def stored(folder: Path) -> AppGraph:
    store = MapStore.open(folder, readonly=True)
    try:
        return store.load()
    finally:
        store.close()


def test_the_map_is_the_same_however_many_devices_walk(tmp_path: Path) -> None:
    maps = []
    for count in (1, 2, 4, 8):
        seen: list[FleetProgress] = []
        devices = [Toy(PAGES) for _ in range(count)]
        done = fleet(devices, tmp_path / str(count), FleetRequest(pictures=False), progress=seen.append)
        assert done.stop_reason == "complete"
        assert (done.devices, done.lost, done.frontier) == (count, 0, 0)
        assert seen[-1].pages == done.pages == len(NAMES)
        assert seen[-1].actions == done.actions
        if count > 1:
            assert sum(bool(d.done) for d in devices) > 1
        maps.append(shown(stored(tmp_path / str(count))))
    assert all(m == maps[0] for m in maps)


def test_what_a_lost_device_was_given_is_done_by_the_others(tmp_path: Path) -> None:
    whole = fleet([Toy(PAGES)], tmp_path / "whole", FleetRequest(pictures=False))

    class Dying(Toy):
        """Dies in the middle of its share, and does not come back."""

        def perform(self, action: Action) -> None:
            self.dead_for_good = len(self.done) >= 7
            super().perform(action)

    done = fleet([Dying(PAGES), Toy(PAGES), Toy(PAGES)], tmp_path / "lost", FleetRequest(pictures=False))
    assert (done.lost, done.stop_reason, done.pages) == (1, "complete", whole.pages)
    assert shown(stored(tmp_path / "lost")) == shown(stored(tmp_path / "whole"))
    alone = fleet([Dying(PAGES)], tmp_path / "alone", FleetRequest(pictures=False))
    assert alone.stop_reason == "device_lost"
    assert alone.frontier > 0
    on = fleet([Toy(PAGES), Toy(PAGES)], tmp_path / "alone", FleetRequest(pictures=False))
    assert on.stop_reason == "complete"
    assert shown(stored(tmp_path / "alone")) == shown(stored(tmp_path / "whole"))


def test_a_budget_is_of_all_devices_together(tmp_path: Path) -> None:
    devices = [Toy(PAGES), Toy(PAGES)]
    done = fleet(devices, tmp_path / "m", FleetRequest(actions=20, pictures=False))
    assert done.stop_reason == "out_of_actions"
    assert 20 <= done.actions <= 20 + 16
    assert done.frontier > 0
    assert stored(tmp_path / "m").steps > 0


def test_a_fleet_of_none_is_a_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs a device"):
        fleet([], tmp_path / "m", FleetRequest())


def logs() -> list[Log]:
    """Return the logs of a few workers that walked parts of the app, and met on some of its pages."""
    found, mapper = [], Mapper(AppGraph(app=APP))
    for number in range(4):
        share = shares(mapper.graph, [], 3) if number else {}
        job = Job(number, copied(mapper.graph), share, ExploreConfig(actions=6 if number else 2))
        done = walk(Toy(PAGES), job, clock=lambda: 0.0)
        found.append(done.log)
        if number < 2:
            replay(mapper, done.log)
            settle(mapper, done.left)
    return found


LOGS = logs()


def grown(log: Log) -> AppGraph:
    mapper = Mapper(AppGraph(app=APP))
    replay(mapper, log)
    return mapper.graph


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(range(4)), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_joining_is_associative_commutative_and_idempotent(chosen: list[int], dice: random.Random) -> None:
    def joined(parts: list[Log]) -> Log:
        """Join in any order and any grouping."""
        while len(parts) > 1:
            at = dice.randrange(len(parts) - 1)
            parts = [*parts[:at], parts[at] | parts[at + 1], *parts[at + 2 :]]
        return parts[0]

    plain = Log()
    for n in sorted(set(chosen)):
        plain |= LOGS[n]
    mixed = [LOGS[n] for n in chosen]
    dice.shuffle(mixed)
    assert joined(mixed) == plain
    assert plain | plain == plain
    assert Log() | plain == plain == plain | Log()


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1, 2, 0)])
def test_a_map_of_joined_logs_is_the_same_in_whatever_order_they_came(order: tuple[int, ...]) -> None:
    plain = LOGS[0] | LOGS[1] | LOGS[2] | LOGS[3]
    mixed = Log()
    for n in order:
        mixed |= LOGS[n]
    assert grown(mixed) == grown(plain)


def test_shares_do_not_overlap_and_leave_nothing_out() -> None:
    mapper = Mapper(AppGraph(app=APP))
    replay(mapper, LOGS[0])
    root = mapper.graph.root
    assert root is not None
    mapper.graph.untried = {root: ("a", "b", "c"), NodeId("gone"): ("x",)}
    one = shares(mapper.graph, [], 2)
    two = shares(mapper.graph, [one], 2)
    assert (one, two) == ({root: ("a", "b")}, {root: ("c",)})
    assert shares(mapper.graph, [one, two], 2) == {}
