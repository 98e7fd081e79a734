"""How far a map is trusted on another version of its app."""

import sqlite3
from pathlib import Path

import pytest

from tests.mapping.looks import APP, Clock, screen, tap, text, toolbar
from waypost.mapping.mapper import Mapper
from waypost.mapping.migrations import SCHEMA
from waypost.mapping.store import MapStore
from waypost.model import AppGraph, Standing, Transition

HOME = screen(toolbar("Home"), text("Hello", 500))
PAGES = [screen(toolbar(t, up=True), text(f"All of {t}", 500), activity=f".{t}") for t in ("One", "Two")]


def mapped(version: str = "1.0") -> tuple[Mapper, list[Transition]]:
    mapper = Mapper(AppGraph(app=APP, version=version))
    clock = Clock()
    home = mapper.enter(clock.look(HOME))
    steps = [mapper.extend(home, *tap(f"to {i}"), clock.look(p)) for i, p in enumerate(PAGES)]
    return mapper, steps


def standings(mapper: Mapper) -> list[Standing]:
    return [t.standing for t in mapper.graph.transitions.values()]


def test_another_version_makes_every_step_prove_itself_anew() -> None:
    mapper, steps = mapped()
    mapper.meet("1.0")
    assert standings(mapper) == [Standing.LIVE] * 2
    mapper.meet("2.0")
    assert mapper.graph.met == "2.0"
    assert mapper.graph.version == "1.0"
    assert standings(mapper) == [Standing.UNKNOWN] * 2
    again = mapper.extend(steps[0].source, steps[0].action, steps[0].key, Clock().look(PAGES[0]))
    assert again.standing is Standing.LIVE
    mapper.verify(steps[1], Standing.STALE)
    mapper.meet("2.0")  # met already: what was found out stays
    assert standings(mapper) == [Standing.LIVE, Standing.STALE]
    mapper.settle_version()
    assert (mapper.graph.version, mapper.graph.met) == ("2.0", "")


def test_back_on_the_first_version_what_was_seen_holds_again() -> None:
    mapper, steps = mapped()
    mapper.meet("2.0")
    mapper.verify(steps[1], Standing.STALE)
    mapper.meet("1.0 (17)")
    assert mapper.graph.met == ""
    assert standings(mapper) == [Standing.LIVE, Standing.UNKNOWN]


@pytest.mark.parametrize(("mine", "other"), [("", "2.0"), ("1.0", ""), ("1.0", "1.0 (3)")])
def test_what_is_not_known_to_be_another_version_changes_nothing(mine: str, other: str) -> None:
    mapper, _ = mapped(mine)
    mapper.meet(other)
    assert mapper.graph.met == ""
    assert standings(mapper) == [Standing.LIVE] * 2


def test_a_step_that_was_walked_is_counted_and_one_only_looked_for_is_not() -> None:
    mapper, (step, other) = mapped()
    mapper.verify(step, Standing.LIVE, at=9_000.0)
    mapper.verify(other, Standing.STALE)
    walked = mapper.graph.transitions[step.source, step.key, step.target]
    assert (walked.tries, walked.successes, walked.last_seen) == (2, 2, 9_000.0)
    looked = mapper.graph.transitions[other.source, other.key, other.target]
    assert (looked.tries, looked.successes, looked.standing) == (1, 1, Standing.STALE)


def test_a_map_of_the_first_schema_is_read_and_brought_up_when_it_is_written(tmp_path: Path) -> None:
    store = MapStore.create(tmp_path, APP, "1.0")
    mapper = Mapper(store.load(), store=store)
    clock = Clock()
    home = mapper.enter(clock.look(HOME))
    mapper.extend(home, *tap("one"), clock.look(PAGES[0]))
    mapper.commit()
    store.close()
    db = sqlite3.connect(tmp_path / "map.sqlite", isolation_level=None)
    db.execute("PRAGMA user_version = 1")
    db.execute("DELETE FROM meta WHERE name = 'met'")
    db.close()
    store = MapStore.open(tmp_path, readonly=True)
    assert store.load() == mapper.graph
    store.close()
    store = MapStore.open(tmp_path)
    assert store.load() == mapper.graph
    store.close()
    db = sqlite3.connect(tmp_path / "map.sqlite")
    assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    db.close()


def test_what_a_map_met_and_how_its_steps_stand_is_stored(tmp_path: Path) -> None:
    store = MapStore.create(tmp_path, APP, "1.0")
    mapper = Mapper(store.load(), store=store)
    clock = Clock()
    home = mapper.enter(clock.look(HOME))
    mapper.extend(home, *tap("one"), clock.look(PAGES[0]))
    mapper.meet("2.0")
    mapper.commit()
    assert store.load() == mapper.graph
    assert store.load().met == "2.0"
    store.close()
