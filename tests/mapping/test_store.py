"""Maps on disk: what was committed is there, whatever happens to the process."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.mapping.looks import APP, Clock, button, listed, screen, tap, text, toolbar
from waypost.errors import MapError
from waypost.mapping.mapper import Mapper
from waypost.mapping.migrations import SCHEMA
from waypost.mapping.store import MapStore
from waypost.model import AppGraph, ExploreStop, Press, Screen

PAGES: tuple[Screen, ...] = (
    screen(toolbar("Inbox"), listed(["Lunch on Friday", "Your invoice"])),
    screen(
        toolbar("Settings", up=True),
        listed(["General", "Sounds", "About"], identifier="prefs"),
        activity=".A",
    ),
    screen(toolbar("About", up=True), text("Version", 500), activity=".B"),
    screen(toolbar("Compose", up=True), button("Send", 400), activity=".C"),
    screen(text("Cookie"), app="org.browser"),
)


def walk(mapper: Mapper, moves: list[int], clock: Clock, *, at: int = 0) -> None:
    """Go from page to page as the numbers say, committing each step."""
    node = mapper.enter(clock.look(PAGES[at]))
    mapper.commit()
    for number in moves:
        action, key = (Press("back"), "press:back") if number % 7 == 6 else tap(f"to {number}")
        mapper.set_untried(node, [key, "tap:never"])
        node = mapper.extend(
            node, action, key, clock.look(PAGES[number % len(PAGES)], b"png%d" % number)
        ).target
        mapper.skip(node, action, f"del {number}", "delete")
        mapper.commit()


def test_a_map_comes_back_as_it_was(tmp_path: Path) -> None:
    store = MapStore.create(tmp_path / "m", APP, "1.0", "phone")
    mapper = Mapper(store.load(), store=store)
    walk(mapper, [1, 2, 3, 4, 6, 1, 1], Clock())
    mapper.stop(ExploreStop.COMPLETE)
    mapper.commit()
    store.close()
    again = MapStore.open(tmp_path / "m")
    assert again.load() == mapper.graph
    assert again.load().stop is ExploreStop.COMPLETE
    look = next(iter(mapper.graph.nodes.values())).looks
    assert mapper.graph.nodes
    assert look
    again.close()


def test_pictures_are_kept_by_their_content(tmp_path: Path) -> None:
    store = MapStore.create(tmp_path, APP)
    mapper = Mapper(store.load(), store=store)
    node = mapper.enter(Clock().look(PAGES[0], b"a picture"))
    assert not list((tmp_path / "screens").iterdir())
    mapper.commit()
    look = mapper.graph.nodes[node].looks[0]
    assert store.picture(look.image_hash) == b"a picture"
    assert look.observation.image == b""
    assert store.picture("0" * 64) == b""
    store.close()


def test_what_was_not_committed_is_not_kept(tmp_path: Path) -> None:
    store = MapStore.create(tmp_path, APP)
    mapper = Mapper(store.load(), store=store)
    clock = Clock()
    walk(mapper, [1], clock)
    kept = MapStore.open(tmp_path, readonly=True).load()
    mapper.extend(next(iter(mapper.graph.nodes)), *tap("x"), clock.look(PAGES[2]))
    assert MapStore.open(tmp_path, readonly=True).load() == kept
    store.close()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(st.integers(0, 20), min_size=2, max_size=10), data=st.data())
def test_an_interrupted_walk_continues_as_if_it_had_not_been(
    tmp_path_factory: pytest.TempPathFactory, moves: list[int], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(moves) - 1))
    whole = Mapper(AppGraph(app=APP))
    clock = Clock()
    walk(whole, moves[:cut], clock)
    last = moves[cut - 1] % len(PAGES)
    walk(whole, moves[cut:], clock, at=last)

    folder = tmp_path_factory.mktemp("map")
    clock = Clock()
    store = MapStore.create(folder, APP)
    walk(Mapper(store.load(), store=store), moves[:cut], clock)
    store.close()
    store = MapStore.open(folder)
    resumed = Mapper(store.load(), store=store)
    walk(resumed, moves[cut:], clock, at=last)
    assert resumed.graph == whole.graph
    assert store.load() == whole.graph
    store.close()


def test_old_ids_of_merged_pages_stay_valid_after_a_restart(tmp_path: Path) -> None:
    store = MapStore.create(tmp_path, APP)
    mapper = Mapper(store.load(), store=store)
    clock = Clock()
    one = mapper.enter(clock.look(PAGES[0]))
    two = mapper.extend(one, *tap("a"), clock.look(PAGES[1])).target
    three = mapper.extend(two, *tap("b"), clock.look(PAGES[2])).target
    mapper.commit()
    mapper.merge(two, three)
    mapper.commit()
    assert mapper.resolve(three) == two
    store.close()
    store = MapStore.open(tmp_path)
    again = Mapper(store.load(), store=store)
    assert again.resolve(three) == two
    assert again.graph == mapper.graph
    new = again.extend(one, *tap("c"), clock.look(PAGES[3])).target
    assert new not in (one, two, three)
    store.close()


def test_a_second_writer_is_refused_and_told_why(tmp_path: Path) -> None:
    store = MapStore.create(tmp_path, APP)
    with pytest.raises(MapError, match=f"being written by process {os.getpid()}"):
        MapStore.open(tmp_path)
    store.close()
    MapStore.open(tmp_path).close()


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    MapStore.create(tmp_path, APP).close()
    store = MapStore.open(tmp_path, readonly=True)
    mapper = Mapper(store.load(), store=store)
    mapper.enter(Clock().look(PAGES[0]))
    with pytest.raises(MapError, match="opened for reading"):
        mapper.commit()
    store.close()


def test_a_missing_map_names_the_cure(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="waypost explore"):
        MapStore.open(tmp_path / "none")


def test_a_map_is_not_made_over_another(tmp_path: Path) -> None:
    MapStore.create(tmp_path, APP).close()
    with pytest.raises(MapError, match="already"):
        MapStore.create(tmp_path, APP)


def test_a_newer_map_is_refused(tmp_path: Path) -> None:
    MapStore.create(tmp_path, APP).close()
    db = sqlite3.connect(tmp_path / "map.sqlite")
    db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    db.close()
    with pytest.raises(MapError, match="upgrade waypost"):
        MapStore.open(tmp_path)


def test_a_torn_map_is_refused_with_the_cure(tmp_path: Path) -> None:
    MapStore.create(tmp_path, APP).close()
    (tmp_path / "map.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(MapError, match="explore again"):
        MapStore.open(tmp_path)
    (tmp_path / "map.sqlite").write_bytes(b"")
    with pytest.raises(MapError, match="not a map"):
        MapStore.open(tmp_path)


def test_names_of_the_user_win_and_a_broken_names_file_is_told(tmp_path: Path) -> None:
    store = MapStore.create(tmp_path, APP)
    mapper = Mapper(store.load(), store=store)
    node = mapper.enter(Clock().look(PAGES[0]))
    mapper.commit()
    (tmp_path / "pages.yaml").write_text(f"pages:\n  {node}:\n    name: My mail\n", encoding="utf-8")
    assert store.load().nodes[node].name == "My mail"
    (tmp_path / "pages.yaml").write_text("pages: [", encoding="utf-8")
    with pytest.raises(MapError, match=r"pages\.yaml"):
        store.load()
    store.close()


_CHILD = """
import sys
from pathlib import Path
from tests.mapping.looks import APP, Clock
from tests.mapping.test_store import walk
from waypost.mapping.mapper import Mapper
from waypost.mapping.store import MapStore
store = MapStore.open_or_create(Path(sys.argv[1]), APP)
mapper = Mapper(store.load(), store=store)
print("ready", flush=True)
walk(mapper, [n % 21 for n in range(100_000)], Clock())
"""


def test_a_process_that_is_killed_leaves_a_map_that_opens_and_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "map"
    steps = 0
    for delay in (1, 9, 25):
        child = subprocess.Popen([sys.executable, "-c", _CHILD, str(folder)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        _wait_for_steps(folder, steps + delay)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        store = MapStore.open(folder)
        graph = store.load()
        assert graph.steps >= steps + delay
        counted = sum(t.successes for t in graph.transitions.values())
        assert counted == graph.steps
        hashes = {k.image_hash for n in graph.nodes.values() for k in n.looks} - {""}
        assert all(store.picture(h) for h in hashes)
        steps = graph.steps
        store.close()


def _wait_for_steps(folder: Path, steps: int) -> None:
    while True:
        try:
            store = MapStore.open(folder, readonly=True)
            seen = store.load().steps
            store.close()
        except MapError:
            continue
        if seen >= steps:
            return
