"""A map in a real PostgreSQL is the map that it is in SQLite."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.calling import called_json
from tests.mapping.looks import APP, Clock, tap
from tests.mapping.test_store import PAGES, walk
from waypost.errors import MapError, UsageError
from waypost.mapping import Mapper, MapStore
from waypost.model import AppGraph, ExploreStop
from waypost.parts.face import open_map
from waypost.parts.folders import map_folder
from waypost.parts.shared import make_shared, open_shared

pytestmark = pytest.mark.slow

Open = Callable[..., MapStore]


_NUMBER = itertools.count()


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Open one map again and again, wherever it lies."""
    if request.param == "sqlite":
        return lambda readonly=False: (
            MapStore.open(tmp_path, readonly=True)
            if readonly
            else MapStore.open_or_create(tmp_path, APP, "1.0")
        )
    where, name = request.getfixturevalue("postgres"), f"map{next(_NUMBER)}"
    return lambda readonly=False: (
        open_shared(where, name, tmp_path, readonly=True)
        if readonly
        else make_shared(where, name, tmp_path, APP, "1.0")
    )


def grown(opened: Open, moves: list[int]) -> AppGraph:
    store = opened()
    mapper = Mapper(store.load(), store=store)
    walk(mapper, moves, Clock())
    mapper.stop(ExploreStop.COMPLETE)
    mapper.commit()
    store.close()
    return mapper.graph


def test_a_map_comes_back_as_it_was(opened: Open) -> None:
    graph = grown(opened, [1, 2, 3, 4, 6, 1, 1])
    store = opened(readonly=True)
    assert store.load() == graph
    assert store.reached() == (graph.steps, ExploreStop.COMPLETE)
    assert len(store.steps()) == graph.steps
    hashes = {k.image_hash for n in graph.nodes.values() for k in n.looks} - {""}
    assert all(store.picture(h) for h in hashes)
    store.close()


def test_a_walk_goes_on_after_it_was_opened_again(opened: Open) -> None:
    before = grown(opened, [1, 2])
    store = opened()
    mapper = Mapper(store.load(), store=store)
    first, second, *_ = list(mapper.graph.nodes)
    mapper.extend(first, *tap("more"), Clock().look(PAGES[3]))
    mapper.merge(first, second)
    mapper.commit()
    store.close()
    again = opened()
    assert again.load() == mapper.graph
    assert again.aliases()
    assert again.load().steps == before.steps + 1
    again.close()


def test_what_was_not_committed_is_not_there(opened: Open) -> None:
    before = grown(opened, [1])
    store = opened()
    mapper = Mapper(store.load(), store=store)
    mapper.extend(next(iter(mapper.graph.nodes)), *tap("x"), Clock().look(PAGES[2]))
    store.close()
    store = opened()
    assert store.load() == before
    store.close()


def test_one_writes_and_any_number_read(opened: Open) -> None:
    store = opened()
    mapper = Mapper(store.load(), store=store)
    with pytest.raises(MapError, match="being written"):
        opened()
    mapper.enter(Clock().look(PAGES[0]))
    mapper.commit()
    readers = [opened(readonly=True) for _ in range(3)]
    assert all(r.load() == mapper.graph for r in readers)
    with pytest.raises(MapError, match="opened for reading"):
        readers[0].save_all(mapper.graph)
    for each in (*readers, store):
        each.close()


def test_a_server_that_is_none_and_a_name_that_is_none_are_told(tmp_path: Path, postgres: str) -> None:
    with pytest.raises(UsageError, match="no name"):
        make_shared(postgres, "x; DROP SCHEMA public", tmp_path)
    with pytest.raises(MapError, match="no map"):
        open_shared(postgres, "never_made", tmp_path, readonly=True)
    with pytest.raises(MapError, match="PostgreSQL"):
        make_shared("postgresql://127.0.0.1:1/none?connect_timeout=2", "m", tmp_path)


def test_the_commands_take_a_map_by_its_address(postgres: str, tmp_path: Path) -> None:
    address = f"{postgres}#clock"
    made = called_json("explore", "pocket:clock", "--map", address, "--budget-actions", "6")
    assert made["pages"] > 1
    assert [p["id"] for p in called_json("pages", address)["pages"]]
    assert called_json("find", address, "set an alarm")["candidates"]
    grown = called_json("explore", "pocket:clock", "--map", address, "--budget-actions", "3")
    assert grown["actions"] == made["actions"] + 3
    here = map_folder(address)
    assert (here / "records.jsonl").exists()
    assert not (here / "map.sqlite").exists()
    with open_map(address, readonly=True) as known:
        assert known.graph.app == "com.pocket.clock"
        hashes = {k.image_hash for n in known.graph.nodes.values() for k in n.looks} - {""}
        assert hashes
        assert all(known.picture(h) for h in hashes)


def test_an_address_that_cannot_be_used_is_told(postgres: str) -> None:
    with pytest.raises(MapError, match="There is no map"):
        open_map(f"{postgres}#never_made")
    with pytest.raises(UsageError, match="names no map"):
        map_folder(postgres)
    for told in ("postgresql://me:secret@h/db#m", "postgresql://h/db?password=secret#m"):
        with pytest.raises(UsageError, match="Leave the password out"):
            map_folder(told)
    with pytest.raises(MapError, match="PostgreSQL"):
        open_map("postgresql://127.0.0.1:1/none?connect_timeout=2#m")
