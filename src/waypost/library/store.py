"""Records and their vectors in a folder: a map's records in, a `Library` out.

`records.jsonl` holds one record a line, sorted, stable and made to be edited: a line that was changed
by hand is kept when the map is distilled again, and its words count as the user's. `vectors.sqlite`
is a cache that can be thrown away; it is keyed by model and text, so another model embeds anew.
"""

import dataclasses
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from waypost.errors import MapError
from waypost.library.distil import distil
from waypost.library.glossary import explained, kinds, ready
from waypost.model import AppGraph, NodeId, Record
from waypost.model.codec import decode, encode
from waypost.protocols import Embedder, Planner, Vectors

__all__ = ["Library", "labels", "line", "meanings", "parse", "place_and_summary"]

_RECORDS, _VECTORS = "records.jsonl", "vectors.sqlite"
_ALSO = re.compile(r"\. also called ([^.]+)")
_ONE_OF = re.compile(r"\. one of ([^.]+)")
_NAME = re.compile(r" \((dialog|menu|sheet|drawer)\)|(?<=\)) \d+$")


def line(record: Record) -> str:
    """Return a record as its line of `records.jsonl`: all fields, always in the same order."""
    row = {f.name: encode(getattr(record, f.name)) for f in dataclasses.fields(record)}
    return json.dumps(row, ensure_ascii=False)


def parse(text: str) -> Record:
    """Read what `line` wrote, or what a user made of it; raises ValueError."""
    row = json.loads(text)
    if not isinstance(row, dict):
        raise ValueError("a record is an object")
    for name in ("intents", "waypoints", "hints", "hazards"):
        value = row.get(name, [])
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise ValueError(f"{name} must be a list of texts")
    for name in ("node", "name", "summary"):
        if not isinstance(row.get(name), str):
            raise ValueError(f"{name} must be a text")
    row.setdefault("member", 0)
    return decode(Record, row)


class Library:
    """The records of one map with their vectors; a value once opened, changed only by `build`."""

    def __init__(self, records: Sequence[Record], embedder: Embedder, folder: Path | None = None) -> None:
        self.records = tuple(records)
        self.embedder = embedder
        self._folder = folder

    @classmethod
    def build(cls, folder: Path, graph: AppGraph, planner: Planner, embedder: Embedder) -> "Library":
        """Distil the map, keep what the user edited, write the folder, and embed what is new."""
        folder.mkdir(parents=True, exist_ok=True)
        fresh = {r.node: r for r in distil(graph, planner)}
        kept = _edited(folder)
        # A page that is gone takes even an edited record along: nothing leads there any more.
        records = [
            dataclasses.replace(kept[n], waypoints=r.waypoints, hints=r.hints, depth=r.depth)
            if n in kept
            else r
            for n, r in fresh.items()
        ]
        library = cls(sorted(records, key=lambda r: (r.depth, r.name, r.node)), embedder, folder)
        _write(folder, library.records)
        known = () if ready(embedder.id) is not None else kinds()
        library.vectors([*known, *(text for r in library.records for text in texts(r))])
        return library

    @classmethod
    def open(cls, folder: Path, embedder: Embedder) -> "Library":
        """Read a folder; raises MapError with the line that is broken, or with the cure."""
        path = folder / _RECORDS
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError as e:
            raise MapError(f"No records in {str(folder)!r}; explore the app first") from e
        except (OSError, UnicodeDecodeError) as e:
            raise MapError(f"Cannot read {str(path)!r}: {e}") from e
        records = []
        for number, text in enumerate(lines, 1):
            if text.strip():
                try:
                    records.append(parse(text))
                except (ValueError, TypeError, KeyError) as e:
                    raise MapError(f"{str(path)!r}, line {number} is not a record: {e}") from e
        return cls(records, embedder, folder)

    @classmethod
    def adopt(cls, folder: Path, records: Iterable[Record]) -> None:
        """Put a user's records in place of what a folder has of the same pages; they count as edited."""
        kept = {r.node: dataclasses.replace(r, provenance="user") for r in records}
        path = folder / _RECORDS
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        mine = [parse(text) for text in lines if text.strip()]
        _write(folder, [*(r for r in mine if r.node not in kept), *kept.values()])

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
    """Return what is embedded of a record: its place and summary, its name, and each of its intents."""
    return [place_and_summary(record), record.name, *record.intents]


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
    db.execute("CREATE TABLE IF NOT EXISTS written (node TEXT PRIMARY KEY, line TEXT)")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _write(folder: Path, records: Iterable[Record]) -> None:
    lines = [line(r) for r in records]
    partial = folder / (_RECORDS + ".part")
    partial.write_text("".join(f"{text}\n" for text in lines), encoding="utf-8")
    partial.replace(folder / _RECORDS)
    with closing(sqlite3.connect(folder / _VECTORS)) as db, db:
        _schema(db)
        db.execute("DELETE FROM written")
        # A user's line is not noted: it must still count as the user's next time.
        db.executemany(
            "INSERT INTO written VALUES (?, ?)",
            [(r.node, _digest(t)) for r, t in zip(records, lines, strict=True) if r.provenance != "user"],
        )


def _edited(folder: Path) -> dict[NodeId, Record]:
    """Return the records that do not say what was written for them, or that say they are the user's."""
    path = folder / _RECORDS
    if not path.exists():
        return {}
    written = _written(folder)
    kept = {}
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not text.strip():
            continue
        try:
            record = parse(text)
        except (ValueError, TypeError, KeyError) as e:
            raise MapError(f"{str(path)!r}, line {number} was edited and is no record any more: {e}") from e
        if record.provenance == "user" or written.get(record.node) not in (None, _digest(line(record))):
            kept[record.node] = dataclasses.replace(record, provenance="user")
    return kept


def _written(folder: Path) -> dict[str, str]:
    """Return a digest of what was last written of each page; empty where the cache is gone."""
    if not (folder / _VECTORS).exists():
        return {}
    try:
        with closing(sqlite3.connect(folder / _VECTORS)) as db:
            _schema(db)
            return dict(db.execute("SELECT node, line FROM written"))
    except sqlite3.DatabaseError:
        (folder / _VECTORS).unlink(missing_ok=True)
        return {}
