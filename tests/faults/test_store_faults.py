"""A map under the faults of disks and databases: nothing is lost but the step under way."""

import random
import resource
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.mapping.looks import APP, Clock, tap
from tests.mapping.test_store import PAGES, walk
from waypost.errors import MapError, WaypostError
from waypost.library import Library
from waypost.mapping import Mapper, MapStore
from waypost.model import AppGraph


@contextmanager
def full_disk(most: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes: the kernel refuses as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def loaded(folder: Path) -> AppGraph:
    store = MapStore.open(folder)
    try:
        return store.load()
    finally:
        store.close()


def started(folder: Path, moves: list[int]) -> tuple[MapStore, Mapper, Clock]:
    store, clock = MapStore.create(folder, APP), Clock()
    mapper = Mapper(store.load(), store=store)
    walk(mapper, moves, clock)
    return store, mapper, clock


def test_a_full_disk_is_told_and_the_step_is_written_once_there_is_room(tmp_path: Path) -> None:
    store, mapper, clock = started(tmp_path, [1, 2, 3])
    before = loaded_by_reader(tmp_path)
    node = mapper.extend(next(iter(mapper.graph.nodes)), *tap("x"), clock.look(PAGES[2], b"p" * 9000)).target
    with full_disk(4096), pytest.raises(MapError, match="check the disk"):
        mapper.commit()
    assert loaded_by_reader(tmp_path) == before
    assert not list((tmp_path / "screens").glob("*.part"))
    mapper.commit()
    assert loaded_by_reader(tmp_path) == mapper.graph
    assert node in mapper.graph.nodes
    store.close()


def loaded_by_reader(folder: Path) -> AppGraph:
    store = MapStore.open(folder, readonly=True)
    try:
        return store.load()
    finally:
        store.close()


def test_a_full_database_is_told_and_nothing_of_before_is_lost(tmp_path: Path) -> None:
    store, mapper, clock = started(tmp_path, [1, 2])
    before = loaded_by_reader(tmp_path)
    with sqlite3.connect(tmp_path / "map.sqlite") as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
    store.limited(pages)
    failed: list[str] = []
    for n in range(60):
        mapper.extend(next(iter(mapper.graph.nodes)), *tap(f"x{n}"), clock.look(PAGES[n % 4]))
        try:
            mapper.commit()
        except MapError as e:
            failed.append(str(e))
            break
        before = loaded_by_reader(tmp_path)
    assert len(failed) == 1
    assert "check the disk" in failed[0]
    assert loaded_by_reader(tmp_path) == before
    store.limited(pages + 10_000)
    mapper.commit()
    assert loaded_by_reader(tmp_path) == mapper.graph
    store.close()


def test_a_locked_database_is_told_and_the_step_is_kept_for_the_next_commit(tmp_path: Path) -> None:
    store, mapper, clock = started(tmp_path, [1, 2])
    store.patient(0.02)
    other = sqlite3.connect(tmp_path / "map.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    mapper.extend(next(iter(mapper.graph.nodes)), *tap("x"), clock.look(PAGES[3]))
    with pytest.raises(MapError, match="locked"):
        mapper.commit()
    other.execute("ROLLBACK")
    other.close()
    mapper.commit()
    assert loaded_by_reader(tmp_path) == mapper.graph
    store.close()


def test_a_torn_log_loses_steps_of_its_end_only(tmp_path: Path) -> None:
    """The log is cut anywhere, as a machine without power leaves it: what opens is the map at some commit."""
    store, clock = MapStore.create(tmp_path / "map", APP), Clock()
    mapper = Mapper(store.load(), store=store)
    walk(mapper, [1, 2, 3, 4, 1, 2], clock)
    log = tmp_path / "map" / "map.sqlite-wal"
    whole, dice = log.stat().st_size, random.Random(3)
    assert whole > 10_000
    steps = set()
    for n, cut in enumerate([0, 31, whole, *(dice.randrange(whole) for _ in range(12))]):
        torn = tmp_path / f"torn{n}"
        shutil.copytree(tmp_path / "map", torn)
        with (torn / log.name).open("r+b") as file:
            file.truncate(cut)
        (torn / "map.sqlite-shm").unlink()
        graph = loaded(torn)
        steps.add(graph.steps)
        assert graph.steps <= mapper.graph.steps
        assert sum(t.successes for t in graph.transitions.values()) == graph.steps
        assert all(t.source in graph.nodes and t.target in graph.nodes for t in graph.transitions.values())
        if cut == whole:
            assert graph == mapper.graph
    assert len(steps) > 2
    store.close()


def test_a_corrupted_page_of_the_database_is_a_plain_refusal_or_harmless(tmp_path: Path) -> None:
    store, mapper, _ = started(tmp_path / "map", [1, 2, 3, 4, 6, 1])
    store.close()
    data = (tmp_path / "map" / "map.sqlite").read_bytes()
    refused: list[str] = []
    size = int.from_bytes(data[16:18], "big")
    for page in range(len(data) // size):
        (tmp_path / "map" / "map.sqlite").write_bytes(
            data[: page * size] + random.Random(page).randbytes(size) + data[(page + 1) * size :]
        )
        try:
            graph = loaded(tmp_path / "map")
        except MapError as e:
            refused.append(str(e))
        else:
            assert graph == mapper.graph
        for beside in ("-wal", "-shm"):
            (tmp_path / "map" / f"map.sqlite{beside}").unlink(missing_ok=True)
    assert len(refused) >= 5
    assert all("restore a copy" in said or "not a map" in said for said in refused)


def test_a_corrupted_picture_is_no_picture(tmp_path: Path) -> None:
    store, mapper, _ = started(tmp_path, [1])
    name = next(k.image_hash for n in mapper.graph.nodes.values() for k in n.looks if k.image_hash)
    assert store.picture(name)
    path = tmp_path / "screens" / f"{name}.png"
    for damaged in (path.read_bytes()[:-1], b"", b"\x89PNG\r\n\x1a\nnonsense"):
        path.write_bytes(damaged)
        assert store.picture(name) == b""
    store.close()


@pytest.mark.parametrize("damage", ["{", '{"node": 3}', "[]", "\x00\x01", '{"node": "n1"'])
def test_a_corrupted_line_of_records_is_told_by_its_number(tmp_path: Path, damage: str) -> None:
    from waypost.adapters.embedders import HashEmbedder

    (tmp_path / "records.jsonl").write_text(damage + "\n", encoding="utf-8")
    with pytest.raises(WaypostError, match="line 1"):
        Library.open(tmp_path, HashEmbedder())
