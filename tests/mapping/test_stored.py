"""Looks on disk: a map opens without reading a tree, and what lies beside a look is held against it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.mapping.looks import APP, Clock
from tests.mapping.test_store import PAGES, walk
from waypost.errors import MapError
from waypost.mapping.mapper import Mapper
from waypost.mapping.migrations import SCHEMA
from waypost.mapping.signature import signature
from waypost.mapping.store import MapStore
from waypost.mapping.stored import StoredLook, signed, stamp
from waypost.model import AppGraph, Look


def made(folder: Path) -> AppGraph:
    store = MapStore.create(folder, APP, "1.0", "phone")
    mapper = Mapper(store.load(), store=store)
    walk(mapper, [1, 2, 3, 6, 1], Clock())
    store.close()
    return mapper.graph


@contextmanager
def database(folder: Path) -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(folder / "map.sqlite", isolation_level=None)
    try:
        yield db
    finally:
        db.close()


def loaded(folder: Path, *, readonly: bool = False) -> AppGraph:
    store = MapStore.open(folder, readonly=readonly)
    try:
        return store.load()
    finally:
        store.close()


def looks(graph: AppGraph) -> list[Look]:
    return [look for node in graph.nodes.values() for look in node.looks]


def test_a_map_opens_and_locates_without_unpacking_what_it_holds(tmp_path: Path) -> None:
    made(tmp_path)
    graph = loaded(tmp_path)
    mapper = Mapper(graph)
    assert mapper.locate(Clock().look(PAGES[2])) is not None
    held: Any = Look.__dict__["observation"]
    for look in looks(graph):
        assert isinstance(look, StoredLook)
        with pytest.raises(AttributeError):
            held.__get__(look, StoredLook)


def test_a_walk_over_known_ground_counts_looks_and_unpacks_none(tmp_path: Path) -> None:
    made(tmp_path)
    store = MapStore.open(tmp_path)
    mapper = Mapper(store.load(), store=store)
    before = [look.visits for look in looks(mapper.graph)]
    walk(mapper, [1, 2, 3, 6, 1] * 3, Clock())
    again = store.load()
    store.close()
    assert sum(k.visits for k in looks(mapper.graph)) == sum(before) + 16
    held: Any = Look.__dict__["observation"]
    for look in looks(mapper.graph):
        with pytest.raises(AttributeError):
            held.__get__(look, StoredLook)
    assert again == mapper.graph


def test_a_walk_over_known_ground_writes_no_look_anew(tmp_path: Path) -> None:
    made(tmp_path)
    store = MapStore.open(tmp_path)
    mapper = Mapper(store.load(), store=store)
    with database(tmp_path) as db:
        db.execute(
            "CREATE TRIGGER written BEFORE INSERT ON looks BEGIN SELECT RAISE(ABORT, 'written anew'); END"
        )
    walk(mapper, [1, 2, 3, 6, 1], Clock())
    store.close()
    assert [k.visits for k in looks(loaded(tmp_path))] == [k.visits for k in looks(mapper.graph)]


def test_a_look_that_was_damaged_on_disk_is_whole_again_once_it_is_seen(tmp_path: Path) -> None:
    made(tmp_path)
    store = MapStore.open(tmp_path)
    mapper = Mapper(store.load(), store=store)
    with database(tmp_path) as db:
        db.execute("UPDATE looks SET observation = x'00'")
    walk(mapper, [1, 2, 3, 6, 1], Clock())
    store.close()
    assert loaded(tmp_path) == mapper.graph


def test_a_stored_look_is_like_any_other(tmp_path: Path) -> None:
    before = made(tmp_path)
    for mine, other in zip(looks(before), looks(loaded(tmp_path)), strict=True):
        assert mine == other
        assert other == mine
        assert hash(mine) == hash(other)
        again = replace(other, visits=other.visits + 1)
        assert type(again) is Look
        assert again != other
        assert signed(other) == signature(mine.observation.screen)


@pytest.mark.parametrize("schema", range(1, SCHEMA))
def test_maps_of_every_older_schema_are_brought_forward(tmp_path: Path, schema: int) -> None:
    before = made(tmp_path)
    with database(tmp_path) as db:
        db.execute("DROP TABLE signatures")
        if schema < 3:
            db.execute("DROP TABLE facts")
        db.execute(f"PRAGMA user_version = {schema}")
    assert loaded(tmp_path, readonly=True) == before
    assert loaded(tmp_path) == before
    with database(tmp_path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        kept = db.execute("SELECT COUNT(*) FROM signatures WHERE made LIKE ?", (f"{stamp()} %",)).fetchone()
    assert kept == (len(looks(before)),)


def test_what_other_code_recognised_a_page_by_is_made_anew(tmp_path: Path) -> None:
    before = made(tmp_path)
    with database(tmp_path) as db:
        db.execute("UPDATE signatures SET value = '[]', made = 'older 1'")
    assert loaded(tmp_path, readonly=True) == before
    graph = loaded(tmp_path)
    assert [signed(look) for look in looks(graph)] == [signature(k.observation.screen) for k in looks(before)]
    with database(tmp_path) as db:
        assert not db.execute("SELECT 1 FROM signatures WHERE made = 'older 1'").fetchall()


def test_damage_to_what_is_kept_beside_a_look_is_mended(tmp_path: Path) -> None:
    before = made(tmp_path)
    with database(tmp_path) as db:
        db.execute("UPDATE signatures SET value = replace(value, 'a', 'b')")
    assert [signed(k) for k in looks(loaded(tmp_path))] == [
        signature(k.observation.screen) for k in looks(before)
    ]


def test_damage_to_a_look_itself_is_told_at_once(tmp_path: Path) -> None:
    made(tmp_path)
    with database(tmp_path) as db:
        (blob,) = db.execute("SELECT observation FROM looks").fetchone()
        broken = blob[:-8] + bytes(8)
        db.execute("UPDATE looks SET observation = ? WHERE observation = ?", (broken, blob))
    with pytest.raises(MapError, match="damaged"):
        loaded(tmp_path)


def test_looks_of_a_page_that_is_gone_leave_nothing_behind(tmp_path: Path) -> None:
    made(tmp_path)
    store = MapStore.open(tmp_path)
    mapper = Mapper(store.load(), store=store)
    one, two, *_ = list(mapper.graph.nodes)
    mapper.merge(one, two)
    mapper.commit()
    again = store.load()
    store.close()
    assert again == mapper.graph
    with database(tmp_path) as db:
        left = "SELECT node, at FROM signatures EXCEPT SELECT node, at FROM looks"
        assert not db.execute(left).fetchall()
