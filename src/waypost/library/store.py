"""Records and their vectors in a folder: a map's records in, a `Library` out.

`records.jsonl` holds one record a line (`lines`), sorted, stable and made to be edited: what was changed
by hand is kept when the map is distilled again (`keeping`). `vectors.sqlite` is a cache that can be
thrown away; it is keyed by model and text, so another model embeds anew.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from waypost.errors import MapError
from waypost.library.distil import distil
from waypost.library.glossary import explained, kinds, ready
from waypost.library.keeping import kept
from waypost.library.lines import WORDS, line, parse
from waypost.model import AppGraph, NodeId, Provenance, Record, Source
from waypost.protocols import Embedder, Planner, Vectors

__all__ = ["Library", "labels", "meanings", "place_and_summary"]

_RECORDS, _VECTORS = "records.jsonl", "vectors.sqlite"
_ALSO = re.compile(r"\. also called ([^.]+)")
_ONE_OF = re.compile(r"\. one of ([^.]+)")
_NAME = re.compile(r" \((dialog|menu|sheet|drawer)\)|(?<=\)) \d+$")


class Library:
    """The records of one map with their vectors; a value once opened, changed only by `build`."""

    def __init__(self, records: Sequence[Record], embedder: Embedder, folder: Path | None = None) -> None:
        self.records = tuple(records)
        self.embedder = embedder
        self._folder = folder

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
        unique = list(dict.fromkeys(wanted))
        if not unique:
            return np.zeros((0, self.embedder.dimension), np.float32)
        known = self._cached(unique)
        missing = [t for t in unique if t not in known]
        if missing:
            # Rounded as they are stored, so that a fresh and a reopened library agree to the last bit.
            rows = self.embedder.embed(missing).astype(np.float16)
            self._keep(missing, rows)
            known.update(zip(missing, rows, strict=True))
        place = {t: i for i, t in enumerate(unique)}
        table = np.stack([known[t] for t in unique]).astype(np.float32)
        table /= np.linalg.norm(table, axis=1, keepdims=True)
        found: Vectors = table[[place[t] for t in wanted]]
        return found

    def _cached(self, wanted: Sequence[str]) -> "dict[str, np.ndarray[tuple[int], np.dtype[np.float16]]]":
        if self._folder is None or not (self._folder / _VECTORS).exists():
            return {}
        digests = {_digest(t): t for t in wanted}
        try:
            with closing(sqlite3.connect(self._folder / _VECTORS)) as db:
                _schema(db)
                rows = db.execute("SELECT text, vector FROM vectors WHERE model = ?", (self.embedder.id,))
                size = self.embedder.dimension * 2
                return {
                    digests[text]: np.frombuffer(blob, np.float16)
                    for text, blob in rows
                    if text in digests and len(blob) == size
                }
        except sqlite3.DatabaseError:
            # Only a cache: a broken one is made anew.
            (self._folder / _VECTORS).unlink(missing_ok=True)
            return {}

    def _keep(self, fresh: Sequence[str], rows: "np.ndarray[tuple[int, int], np.dtype[np.float16]]") -> None:
        if self._folder is None:
            return
        with closing(sqlite3.connect(self._folder / _VECTORS)) as db, db:
            _schema(db)
            db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                [(self.embedder.id, _digest(t), row.tobytes()) for t, row in zip(fresh, rows, strict=True)],
            )


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


def _schema(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE IF NOT EXISTS vectors (model TEXT, text TEXT, vector BLOB, PRIMARY KEY (model, text))"
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


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
        r.node: _users(r) if '"stamp"' not in text and written.get(r.node) not in (None, _digest(text)) else r
        for r, text in _lines(path)
    }


def _users(record: Record) -> Record:
    return replace(record, provenance=Provenance(**dict.fromkeys(WORDS, Source.USER)))


def _written(folder: Path) -> dict[str, str]:
    if not (folder / _VECTORS).exists():
        return {}
    try:
        with closing(sqlite3.connect(folder / _VECTORS)) as db:
            tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
            return dict(db.execute("SELECT node, line FROM written")) if "written" in tables else {}
    except sqlite3.DatabaseError:
        (folder / _VECTORS).unlink(missing_ok=True)
        return {}
