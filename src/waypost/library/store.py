"""Records and their vectors in a folder: a map's records in, a `Library` out.

`records.jsonl` holds one record a line (`lines`), sorted, stable and made to be edited: what was changed
by hand is kept when the map is distilled again (`keeping`). What a model says of them is cached
(`vectors`).
"""

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from waypost.errors import MapError
from waypost.library.distil import distil
from waypost.library.glossary import explained, kinds, ready
from waypost.library.keeping import kept
from waypost.library.lines import WORDS, line, parse
from waypost.library.vectors import VECTORS, Tokens, VectorCache, digest
from waypost.model import AppGraph, NodeId, Provenance, Record, Source
from waypost.protocols import Embedder, Planner, Vectors

__all__ = ["Library", "labels", "meanings", "place_and_summary"]

_RECORDS = "records.jsonl"
_ALSO = re.compile(r"\. also called ([^.]+)")
_ONE_OF = re.compile(r"\. one of ([^.]+)")
_NAME = re.compile(r" \((dialog|menu|sheet|drawer)\)|(?<=\)) \d+$")


class Library:
    """The records of one map with their vectors; a value once opened, changed only by `build`."""

    def __init__(self, records: Sequence[Record], embedder: Embedder, folder: Path | None = None) -> None:
        self.records = tuple(records)
        self.embedder = embedder
        self._cache = VectorCache(embedder, folder)

    @classmethod
    def build(
        cls,
        folder: Path,
        graph: AppGraph,
        planner: Planner,
        embedder: Embedder,
        described: Mapping[NodeId, Record] | None = None,
    ) -> "Library":
        """Distil the map, keep what the user edited, write the folder, and embed what is new.

        `described` are records of pages that a model has just written.
        """
        folder.mkdir(parents=True, exist_ok=True)
        old = _old(folder)
        # A page that is gone takes even an edited record along: nothing leads there any more.
        fresh = [(described or {}).get(r.node, r) for r in distil(graph, planner)]
        records = [kept(r, old.get(r.node)) for r in fresh]
        library = cls(sorted(records, key=lambda r: (r.depth, r.name, r.node)), embedder, folder)
        _write(folder, library.records)
        known = () if ready(embedder.id) is not None else kinds()
        library.tokens([place_and_summary(r) for r in library.records])
        library.vectors([*known, *(text for r in library.records for text in texts(r))])
        return library

    @classmethod
    def open(cls, folder: Path, embedder: Embedder) -> "Library":
        """Read a folder; raises MapError with the line that is broken, or with the cure."""
        path = folder / _RECORDS
        if not path.exists():
            raise MapError(f"No records in {str(folder)!r}; explore the app first")
        return cls(_read(path), embedder, folder)

    @classmethod
    def adopt(cls, folder: Path, records: Iterable[Record]) -> None:
        """Put what a user wrote of pages into a folder's records of the same pages."""
        edited = {r.node: r for r in records}
        path = folder / _RECORDS
        mine = _read(path) if path.exists() else []
        _write(folder, [kept(r, edited.get(r.node)) for r in mine])

    def vectors(self, wanted: Sequence[str]) -> Vectors:
        """Return unit rows for texts, from the folder's cache where it has them; order is kept."""
        return self._cache.vectors(wanted)

    def tokens(self, wanted: Sequence[str]) -> list[Tokens]:
        """Return the word pieces of texts, likewise; of no rows where the model does not read by them."""
        return self._cache.tokens(wanted)


def texts(record: Record) -> list[str]:
    """Return what is embedded of a record: place and summary, name, and each of its wishes."""
    return [place_and_summary(record), record.name, *record.wishes]


def place_and_summary(record: Record) -> str:
    """Say where the page is, what its labels mean, and what stands on it."""
    meaning = "; ".join(meanings(record))
    return f"{' > '.join(record.waypoints)}. {meaning + '. ' if meaning else ''}{record.summary}"


def meanings(record: Record) -> tuple[str, ...]:
    """Explain what the page is called; a page that is called by its content, by the list that it is in."""
    lists = [label for found in _ONE_OF.findall(record.summary) for label in found.split(", ")]
    return explained(labels(record)) or explained(lists)


def labels(record: Record) -> list[str]:
    """Return what the page is called: its name, and the labels that lead to it."""
    base, *more = _NAME.sub("", record.name).split(" (")
    other = [label for found in _ALSO.findall(record.summary) for label in found.split(", ")]
    return list(dict.fromkeys([base, *(m.rstrip(")") for m in more), *other]))


def _write(folder: Path, records: Iterable[Record]) -> None:
    partial = folder / (_RECORDS + ".part")
    partial.write_text("".join(f"{line(r)}\n" for r in records), encoding="utf-8")
    partial.replace(folder / _RECORDS)


def _read(path: Path) -> list[Record]:
    """Read a file of records. Raises MapError with the line that is broken."""
    return [record for record, _ in _lines(path)]


def _lines(path: Path) -> list[tuple[Record, str]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as e:
        raise MapError(f"Cannot read {str(path)!r}: {e}") from e
    records = []
    for number, text in enumerate(lines, 1):
        if text.strip():
            try:
                records.append((parse(text), text))
            except (ValueError, TypeError, KeyError) as e:
                raise MapError(f"{str(path)!r}, line {number} is not a record: {e}") from e
    return records


def _old(folder: Path) -> dict[NodeId, Record]:
    """Return the records as they stand in the folder, what was edited by hand marked as the user's."""
    path = folder / _RECORDS
    if not path.exists():
        return {}
    # Lines of before the first format bear no stamps: the cache knows what was written.
    written = _written(folder)
    return {
        r.node: _users(r) if '"stamp"' not in text and written.get(r.node) not in (None, digest(text)) else r
        for r, text in _lines(path)
    }


def _users(record: Record) -> Record:
    return replace(record, provenance=Provenance(**dict.fromkeys(WORDS, Source.USER)))


def _written(folder: Path) -> dict[str, str]:
    if not (folder / VECTORS).exists():
        return {}
    try:
        with closing(sqlite3.connect(folder / VECTORS)) as db:
            tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
            return dict(db.execute("SELECT node, line FROM written")) if "written" in tables else {}
    except sqlite3.DatabaseError:
        (folder / VECTORS).unlink(missing_ok=True)
        return {}
