import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.library.pages import chart, page, row, screen, step, title
from waypost.adapters.embedders import HashEmbedder
from waypost.errors import MapError
from waypost.library import Library
from waypost.library.lines import line, parse
from waypost.model import AppGraph, NodeId, Provenance, Record, Source
from waypost.planning import ShortestPath
from waypost.protocols import Vectors

_TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=30)
_TEXTS = st.lists(_TEXT, max_size=4).map(tuple)
RECORDS = st.builds(
    Record,
    node=_TEXT.map(NodeId),
    member=st.integers(0, 9),
    name=_TEXT,
    summary=_TEXT,
    intents=_TEXTS,
    waypoints=_TEXTS,
    hints=_TEXTS,
    depth=st.integers(0, 9),
    modal=st.booleans(),
    loading=st.booleans(),
    hazards=_TEXTS,
    notes=_TEXTS,
    provenance=st.builds(Provenance, *[st.sampled_from(Source)] * 5),
    confidence=st.integers(0, 100).map(lambda n: n / 100),
    model=_TEXT,
    prompt=_TEXT,
    version=_TEXT,
)


class Counting:
    """An embedder that remembers what it was asked, to show that nothing is embedded twice."""

    def __init__(self, dimension: int = 64) -> None:
        self._inner = HashEmbedder(dimension)
        self.asked: list[str] = []

    @property
    def id(self) -> str:
        return self._inner.id

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    def embed(self, texts: object) -> Vectors:
        self.asked.extend(texts)  # type: ignore[arg-type]
        return self._inner.embed(texts)  # type: ignore[arg-type]


def app() -> AppGraph:
    home = page("home", screen(title("Home"), row("Sounds"), row("People", 600)))
    sounds = page("sounds", screen(title("Sounds"), row("Vibrate")))
    people = page("people", screen(title("People"), row("Add person")))
    return chart([home, sounds, people], [step("home", "Sounds", "sounds"), step("home", "People", "people")])


@given(RECORDS)
def test_a_line_read_back_is_the_record(record: Record) -> None:
    text = line(record)
    assert "\n" not in text
    assert parse(text) == record


@given(st.text(max_size=60))
def test_any_other_line_is_refused_by_value_error(text: str) -> None:
    try:
        parse(text)
    except ValueError:
        return
    raise AssertionError(text)


def test_a_library_is_found_again_as_it_was_built(tmp_path: Path) -> None:
    built = Library.build(tmp_path, app(), ShortestPath(), HashEmbedder())
    opened = Library.open(tmp_path, HashEmbedder())
    assert opened.records == built.records
    texts = [r.summary for r in built.records]
    assert (opened.vectors(texts) == built.vectors(texts)).all()


def test_building_again_writes_the_same_bytes_and_embeds_nothing(tmp_path: Path) -> None:
    Library.build(tmp_path, app(), ShortestPath(), Counting())
    before = (tmp_path / "records.jsonl").read_bytes()
    again = Counting()
    Library.build(tmp_path, app(), ShortestPath(), again)
    assert (tmp_path / "records.jsonl").read_bytes() == before
    assert again.asked == []


def test_another_model_embeds_anew(tmp_path: Path) -> None:
    Library.build(tmp_path, app(), ShortestPath(), Counting(64))
    other = Counting(32)
    library = Library.open(tmp_path, other)
    assert library.vectors([library.records[0].summary]).shape == (1, 32)
    assert other.asked


def test_a_line_that_the_user_changed_is_kept(tmp_path: Path) -> None:
    Library.build(tmp_path, app(), ShortestPath(), HashEmbedder())
    path = tmp_path / "records.jsonl"
    lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    for changed in lines:
        if changed["node"] == "sounds":
            changed["summary"] = "Where the doorbell is set"
    path.write_text("".join(json.dumps(x) + "\n" for x in lines), encoding="utf-8")
    for _ in range(2):
        again = Library.build(tmp_path, app(), ShortestPath(), HashEmbedder())
        (kept,) = [r for r in again.records if r.node == "sounds"]
        assert (kept.summary, kept.provenance) == (
            "Where the doorbell is set",
            Provenance(summary=Source.USER),
        )
        assert all(r.provenance == Provenance() for r in again.records if r.node != "sounds")


def test_what_the_user_wrote_outlives_the_cache(tmp_path: Path) -> None:
    test_a_line_that_the_user_changed_is_kept(tmp_path)
    (tmp_path / "vectors.sqlite").unlink()
    again = Library.build(tmp_path, app(), ShortestPath(), HashEmbedder())
    assert [r.summary for r in again.records if r.node == "sounds"] == ["Where the doorbell is set"]


def test_a_torn_line_is_named(tmp_path: Path) -> None:
    Library.build(tmp_path, app(), ShortestPath(), HashEmbedder())
    with (tmp_path / "records.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"node": "x"\n')
    with pytest.raises(MapError, match="line 4"):
        Library.open(tmp_path, HashEmbedder())
    with pytest.raises(MapError, match="line 4"):
        Library.build(tmp_path, app(), ShortestPath(), HashEmbedder())


def test_a_missing_library_says_the_cure(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="explore"):
        Library.open(tmp_path / "none", HashEmbedder())


def test_a_broken_cache_is_made_anew(tmp_path: Path) -> None:
    Library.build(tmp_path, app(), ShortestPath(), HashEmbedder())
    (tmp_path / "vectors.sqlite").write_bytes(b"no database at all, but long enough to be looked at" * 40)
    library = Library.open(tmp_path, HashEmbedder())
    assert len(library.vectors([r.name for r in library.records])) == 3
    assert Library.build(tmp_path, app(), ShortestPath(), HashEmbedder()).records == library.records


def test_a_library_without_a_folder_keeps_nothing() -> None:
    record = Record(NodeId("n"), 0, "Home", "Home", ("Home",), ("Home",))
    assert Library([record], HashEmbedder()).vectors(["Home"]).shape == (1, 256)


def test_an_edit_made_before_the_first_format_is_kept_too(tmp_path: Path) -> None:
    Library.build(tmp_path, app(), ShortestPath(), HashEmbedder())
    path = tmp_path / "records.jsonl"
    rows = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    new = ("format", "stamp", "notes", "confidence", "model", "prompt")
    old = [{k: v for k, v in {**row, "provenance": "seen"}.items() if k not in new} for row in rows]
    with closing(sqlite3.connect(tmp_path / "vectors.sqlite")) as db, db:
        db.execute("CREATE TABLE written (node TEXT PRIMARY KEY, line TEXT)")
        lines = [(r["node"], hashlib.sha256(json.dumps(r).encode()).hexdigest()) for r in old]
        db.executemany("INSERT INTO written VALUES (?, ?)", lines)
    changed = [{**r, "summary": "Mine"} if r["node"] == "sounds" else r for r in old]
    path.write_text("".join(json.dumps(r) + "\n" for r in changed), encoding="utf-8")
    again = Library.build(tmp_path, app(), ShortestPath(), HashEmbedder())
    by = {r.node: r for r in again.records}
    assert (by[NodeId("sounds")].summary, by[NodeId("sounds")].provenance.summary) == ("Mine", Source.USER)
    assert by[NodeId("people")].provenance == Provenance()
