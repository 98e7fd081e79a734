"""Facts on disk: what the map learned, and what the user wrote, apart."""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mapping.looks import APP, Clock
from tests.mapping.test_store import PAGES, walk
from waypost.errors import MapError
from waypost.mapping.handfacts import HandFacts
from waypost.mapping.mapper import Mapper
from waypost.mapping.store import MapStore
from waypost.model import AppGraph, Fact


def made(folder: Path) -> tuple[MapStore, Mapper]:
    store = MapStore.create(folder, APP)
    mapper = Mapper(store.load(), store=store)
    walk(mapper, [1, 2, 3, 1], Clock())
    return store, mapper


def test_what_was_learned_comes_back(tmp_path: Path) -> None:
    store, mapper = made(tmp_path)
    step = next(iter(mapper.graph.transitions.values()))
    mapper.declare(Fact("signed_in", note="the account is open"))
    told = mapper.tell(step, needs=("not locked",), makes=("signed_in",))
    mapper.commit()
    again = store.load()
    assert again.facts == {"signed_in": Fact("signed_in", note="the account is open")}
    assert again.transitions[step.source, step.key, step.target] == told
    first = store.steps()[0]
    assert (first.source, first.key, first.target) == (step.source, step.key, step.target)
    store.close()


def test_a_map_of_the_first_schema_is_read_as_it_is_and_made_new_when_it_is_written_to(
    tmp_path: Path,
) -> None:
    store, mapper = made(tmp_path)
    store.close()
    db = sqlite3.connect(tmp_path / "map.sqlite")
    db.executescript("DROP TABLE facts; PRAGMA user_version = 1;")
    db.close()
    reader = MapStore.open(tmp_path, readonly=True)
    assert reader.load() == mapper.graph
    reader.close()
    writer = MapStore.open(tmp_path)
    later = Mapper(writer.load(), store=writer)
    later.declare(Fact("locked", initial=True))
    later.commit()
    assert writer.load().facts == {"locked": Fact("locked", initial=True)}
    writer.close()


def test_what_the_user_wrote_is_heeded_and_never_stored_twice(tmp_path: Path) -> None:
    store, mapper = made(tmp_path)
    step = next(iter(mapper.graph.transitions.values()))
    page = mapper.graph.nodes[step.target].name
    label = getattr(step.action, "target").label  # noqa: B009 - an action of the fixture has one
    (tmp_path / "facts.yaml").write_text(
        "facts: {draft: {volatile: true}}\n"
        f"pages: {{ {page!r}: {{needs: [signed_in]}} }}\n"
        f"steps:\n- {{from: {step.source}, do: {label!r}, makes: draft}}\n",
        encoding="utf-8",
    )
    graph = store.load()
    heeded = graph.transitions[step.source, step.key, step.target]
    assert (heeded.preconditions, heeded.effects) == (("signed_in",), ("draft",))
    assert graph.facts["draft"].volatile
    later = Mapper(graph, store=store)
    later.miss(heeded)
    later.commit()
    (tmp_path / "facts.yaml").unlink()
    known = store.load().transitions[step.source, step.key, step.target]
    assert (known.preconditions, known.effects, known.failures) == ((), (), 1)
    store.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("steps: [{from: Nowhere, do: x}]", "no page 'Nowhere'"),
        ("steps: [{from: Inbox, do: no such button}]", "there is:"),
        ("steps: [{from: Inbox}]", "wants `from` and `do`"),
        ("pages: {Inbox: {wants: [a]}}", "no 'wants' here"),
        ("facts: {not a: {}}", "without `not`"),
        ("facts: {a: {sticky: true}}", "no 'sticky'"),
        ("fact: {}", "no 'fact'"),
        ("[", "expected"),
        ("just words", "wants names with values"),
    ],
)
def test_a_file_that_makes_no_sense_is_told_with_the_cure(tmp_path: Path, text: str, said: str) -> None:
    store, _ = made(tmp_path)
    (tmp_path / "facts.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(MapError, match="mend it") as told:
        store.load()
    assert said in str(told.value)
    store.close()


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=5),
        lambda v: (
            st.lists(v, max_size=3)
            | st.dictionaries(
                st.sampled_from(["facts", "pages", "steps", "from", "do", "needs", "a"]), v, max_size=3
            )
        ),
    )
)
def test_any_file_is_read_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, value: object
) -> None:
    path = tmp_path_factory.mktemp("facts") / "facts.yaml"
    path.write_text(json.dumps(value), encoding="utf-8")
    with contextlib.suppress(MapError):
        read = HandFacts.read(path, AppGraph())
        assert read.steps == {}  # An empty map has no step that anything could be said of.


def test_pages_of_the_fixture_differ() -> None:
    assert len({p.title or str(p) for p in PAGES}) == len(PAGES)
