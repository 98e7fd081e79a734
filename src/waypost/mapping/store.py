"""A map on disk: a folder with the graph in SQLite, the pictures beside it, and names in text files."""

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from waypost.errors import MapError
from waypost.mapping.changes import Changes, everything
from waypost.mapping.corrections import Corrections
from waypost.mapping.database import Database, WriteLock
from waypost.mapping.handfacts import HandFacts
from waypost.mapping.lock import Lock
from waypost.mapping.migrations import SCHEMA, TABLES, migrate
from waypost.mapping.pagesfile import read_corrections
from waypost.mapping.pictures import FolderPictures, Pictures
from waypost.mapping.signature import signature
from waypost.mapping.splitting import Step
from waypost.mapping.stored import StoredLook, check, packed, signed_as_text, stamp, unpacked
from waypost.mapping.whole import whole_png
from waypost.model import (
    AppGraph,
    ExploreStop,
    Fact,
    Hypernode,
    Look,
    NodeId,
    Observation,
    PageKind,
    Skipped,
    Transition,
)
from waypost.model.codec import decode, decode_action, encode

__all__ = ["MapStore"]


class MapStore:
    """Open with `create`, `open` or `open_or_create`; one writer at a time, readers whenever."""

    def __init__(self, folder: Path, connection: Database, lock: WriteLock | None) -> None:
        self.folder = folder
        self.pictures: Pictures = FolderPictures(folder / "screens")
        self._db, self._lock = connection, lock
        self._packed: dict[tuple[NodeId, int], tuple[Observation, bytes, str]] = {}
        self._by_hand = HandFacts({}, {})

    @classmethod
    def create(cls, folder: Path | str, app: str = "", version: str = "", profile: str = "") -> "MapStore":
        """Make a new, empty map. Raises MapError where there is one already."""
        folder = Path(folder)
        if (folder / "map.sqlite").exists():
            raise MapError(f"There is a map in {str(folder)!r} already; open it, or choose another folder")
        (folder / "screens").mkdir(parents=True, exist_ok=True)
        lock = Lock.take(folder)
        meta = {"schema": SCHEMA, "app": app, "version": version, "profile": profile}
        _write(folder / "meta.json", json.dumps(meta, indent=1, sort_keys=True) + "\n")
        # Made aside and moved into place: a map is there whole or not at all.
        aside = folder / "map.sqlite.new"
        for left in folder.glob("map.sqlite.new*"):
            left.unlink()
        db = sqlite3.connect(aside, isolation_level=None)
        try:
            db.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;")
            db.executemany("INSERT INTO meta VALUES (?, ?)", [(k, json.dumps(v)) for k, v in meta.items()])
        finally:
            db.close()
        aside.replace(folder / "map.sqlite")
        return cls(folder, _connect(folder), lock)

    @classmethod
    def open(cls, folder: Path | str, *, readonly: bool = False) -> "MapStore":
        """Open a map. Raises MapError, with the cure, where it is missing, torn, newer, or being written."""
        folder = Path(folder)
        if not (folder / "map.sqlite").is_file():
            raise MapError(
                f"No map in {str(folder)!r}; make one with `waypost explore DEVICE --map {folder.name}`"
            )
        lock = None if readonly else Lock.take(folder)
        try:
            db = _connect(folder, readonly=readonly)
            _check(db, folder)
            if not readonly:
                migrate(db)
        except BaseException:
            if lock:
                lock.release()
            raise
        return cls(folder, db, lock)

    @classmethod
    def open_or_create(
        cls, folder: Path | str, app: str = "", version: str = "", profile: str = ""
    ) -> "MapStore":
        if (Path(folder) / "map.sqlite").exists():
            return cls.open(folder)
        return cls.create(folder, app, version, profile)

    def close(self) -> None:
        """Let go of the files; calling it twice does no harm."""
        self._db.close()
        if self._lock:
            self._lock.release()
            self._lock = None

    def patient(self, seconds: float) -> None:
        """Wait so long for others that write; ten seconds unless told."""
        self._db.execute(f"PRAGMA busy_timeout = {int(1000 * seconds)}")

    def limited(self, pages: int) -> None:
        """Let the database grow to so many pages at most, as a quota does."""
        self._db.execute(f"PRAGMA max_page_count = {pages}")

    def aliases(self) -> Mapping[NodeId, NodeId]:
        """Return the old ids of pages that were merged into others."""
        return {NodeId(old): NodeId(new) for old, new in self._db.execute("SELECT old, new FROM aliases")}

    def picture(self, image_hash: str) -> bytes:
        """Return a stored screenshot as PNG; empty where there is none, or a damaged one."""
        try:
            png = self.pictures.read(image_hash)
        except OSError:
            return b""
        # A map that is shipped has smaller pictures under the names of the large ones.
        mine = hashlib.sha256(png).hexdigest() == image_hash
        return png if mine or whole_png(png) else b""

    # Reading

    def load(self) -> AppGraph:
        """Read the whole graph. Raises MapError where what is stored cannot be read."""
        try:
            return self._load()
        except (sqlite3.DatabaseError, zlib.error, ValueError, KeyError, TypeError) as e:
            raise MapError(f"The map in {str(self.folder)!r} is damaged ({e}); {_CURE}") from e

    def _load(self) -> AppGraph:
        meta = {name: json.loads(value) for name, value in self._db.execute("SELECT name, value FROM meta")}
        graph = AppGraph(app=meta["app"], version=meta["version"], profile=meta["profile"])
        graph.met = meta.get("met", "")
        graph.root = NodeId(meta["root"]) if meta.get("root") else None
        graph.stop = ExploreStop(meta.get("stop", "running"))
        graph.steps = meta.get("steps", 0)
        names, levels = self.corrections().names, frozenset(meta.get("levels", ()))
        query = "SELECT id, name, kind, overlay, visits, depth FROM nodes ORDER BY seq"
        for node, name, kind, overlay, visits, depth in self._db.execute(query):
            side, shown, level = PageKind(kind), names.get(node, name), node in levels
            graph.nodes[NodeId(node)] = Hypernode(node, shown, side, overlay, (), visits, depth, level)
        for at, seen in self._looks().items():
            graph.nodes[at] = replace(graph.nodes[at], looks=tuple(seen))
        for (value,) in self._db.execute("SELECT value FROM transitions ORDER BY seq"):
            t = decode(Transition, json.loads(value))
            graph.transitions[t.source, t.key, t.target] = t
        for node, key, action, reason in self._db.execute(
            "SELECT node, key, action, reason FROM skipped ORDER BY seq"
        ):
            graph.skipped[NodeId(node), key] = Skipped(
                NodeId(node), decode_action(json.loads(action)), reason
            )
        for node, keys in self._db.execute("SELECT node, keys FROM untried ORDER BY seq"):
            graph.untried[NodeId(node)] = tuple(json.loads(keys))
        if self._has("facts"):
            for name, value in self._db.execute("SELECT name, value FROM facts ORDER BY name"):
                graph.facts[name] = decode(Fact, json.loads(value))
        self._by_hand = HandFacts.read(self.folder / "facts.yaml", graph)
        self._by_hand.applied(graph)
        return graph

    def _looks(self) -> dict[NodeId, list[Look]]:
        """Read every look with what it is recognised by, which is made anew where other code made it."""
        told = "s.value, s.made" if self._has("signatures") else "NULL, NULL"
        beside = " LEFT JOIN signatures s USING (node, at)" if self._has("signatures") else ""
        found: dict[NodeId, list[Look]] = {}
        fresh: list[tuple[str, int, str, str]] = []
        query = f"SELECT node, at, observation, image, visits, {told} FROM looks{beside} ORDER BY node, at"
        stored: tuple[str, int, bytes, str, int, str | None, str | None]
        for stored in self._db.execute(query):
            node, at, blob, image, visits, text, made = stored
            if text is None or made != f"{stamp()} {check(blob, text)}":
                text = signed_as_text(signature(unpacked(blob).screen))
                fresh.append((node, at, text, f"{stamp()} {check(blob, text)}"))
            found.setdefault(NodeId(node), []).append(StoredLook.of(blob, text, image, visits))
        if fresh and self._lock is not None:
            # Where they cannot be kept (the disk is full), they are made anew the next time.
            with suppress(sqlite3.OperationalError), self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("INSERT OR REPLACE INTO signatures VALUES (?, ?, ?, ?)", fresh)
        return found

    def _has(self, table: str) -> bool:
        """Whether there is a table: a map of an older schema that is only read lacks the newer ones."""
        return bool(self._db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone())

    def reached(self) -> tuple[int, ExploreStop]:
        """Return how many steps were counted, and why exploration ended; it costs next to nothing."""
        meta = dict(self._db.execute("SELECT name, value FROM meta WHERE name IN ('steps', 'stop')"))
        return json.loads(meta.get("steps", "0")), ExploreStop(json.loads(meta.get("stop", '"running"')))

    def corrections(self) -> Corrections:
        """Return what the user corrected in `pages.yaml`. Raises MapError with the line that is broken."""
        return read_corrections(self.folder)

    def steps(self) -> list[Step]:
        """Return every step that was counted, oldest first, by the ids that its pages had then."""
        rows = self._db.execute("SELECT source, key, target, seen_at FROM steps ORDER BY seq")
        return [Step(NodeId(source), key, NodeId(target), at) for source, key, target, at in rows]

    # Writing

    def save(self, graph: AppGraph, changes: Changes) -> None:
        """Write what has changed in one transaction; the pictures it names come first."""
        if not changes:
            return
        if self._lock is None:
            raise MapError(
                f"The map in {str(self.folder)!r} was opened for reading; open it for writing first"
            )
        try:
            for picture, png in changes.pictures.items():
                self.pictures.keep(picture, png)
            self._db.execute("BEGIN IMMEDIATE")
            self._write(graph, changes)
            self._db.execute("COMMIT")
        except (sqlite3.Error, OSError) as e:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise MapError(f"Cannot write to the map in {str(self.folder)!r}: {e}; check the disk") from e

    def save_all(self, graph: AppGraph) -> None:
        """Write a whole graph, for one that was not grown here."""
        self.save(graph, everything(graph))

    def _write(self, graph: AppGraph, changes: Changes) -> None:
        run, many = self._db.execute, self._db.executemany
        for node in changes.gone:
            run("DELETE FROM nodes WHERE id = ?", (node,))
            for table in ("looks", "signatures", "untried", "skipped"):
                run(f"DELETE FROM {table} WHERE node = ?", (node,))
        many("INSERT OR REPLACE INTO aliases VALUES (?, ?)", sorted(changes.aliases.items()))
        for node, left in changes.cut.items():
            run("DELETE FROM looks WHERE node = ? AND at >= ?", (node, left))
            run("DELETE FROM signatures WHERE node = ? AND at >= ?", (node, left))
        for node in (n for n in changes.nodes if n in graph.nodes):
            n = graph.nodes[node]
            row = (n.id, n.id, n.name, n.kind.value, n.overlay, n.visits, n.depth)
            run(f"INSERT OR REPLACE INTO nodes VALUES (?, {_seq('nodes', 'id = ?')}, ?, ?, ?, ?, ?)", row)
        for node, at in changes.looks:
            if node in graph.nodes and at < len(graph.nodes[node].looks):
                self._write_look(node, at, graph.nodes[node].looks[at])
        self._write_transitions(graph, changes)
        self._write_skipped(graph, changes)
        for node in (n for n in changes.untried if n in graph.untried):
            keys = json.dumps(graph.untried[node], ensure_ascii=False)
            run(
                f"INSERT OR REPLACE INTO untried VALUES (?, {_seq('untried', 'node = ?')}, ?)",
                (node, node, keys),
            )
        many("INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?, ?)", changes.steps)
        many(
            "INSERT OR REPLACE INTO facts VALUES (?, ?)", [(n, _json(graph.facts[n])) for n in changes.facts]
        )
        if changes.meta:
            known = {
                "app": graph.app,
                "version": graph.version,
                "met": graph.met,
                "profile": graph.profile,
                "root": graph.root,
                "stop": graph.stop.value,
                "steps": graph.steps,
                "levels": [n.id for n in graph.nodes.values() if n.level],
            }
            many("INSERT OR REPLACE INTO meta VALUES (?, ?)", [(k, json.dumps(v)) for k, v in known.items()])

    def _write_look(self, node: NodeId, at: int, look: Look) -> None:
        blob, text = self._packed_look(node, at, look)
        # A walk on known ground only counts: what the look shows is not written at each step.
        counted = self._db.execute(
            "UPDATE looks SET image = ?, visits = ? WHERE node = ? AND at = ? AND observation = ?",
            (look.image_hash, look.visits, node, at, blob),
        )
        if counted.rowcount:
            return
        kept = (node, at, blob, look.image_hash, look.visits)
        self._db.execute("INSERT OR REPLACE INTO looks VALUES (?, ?, ?, ?, ?)", kept)
        made = f"{stamp()} {check(blob, text)}"
        self._db.execute("INSERT OR REPLACE INTO signatures VALUES (?, ?, ?, ?)", (node, at, text, made))

    def _packed_look(self, node: NodeId, at: int, look: Look) -> tuple[bytes, str]:
        """Return a look as it is stored; one that is only counted again is not packed again."""
        if isinstance(look, StoredLook):
            return look.blob, look.text
        written = self._packed.get((node, at))
        if written is None or written[0] is not look.observation:
            text = signed_as_text(signature(look.observation.screen))
            written = self._packed[node, at] = look.observation, packed(look.observation), text
        return written[1:]

    def _write_transitions(self, graph: AppGraph, changes: Changes) -> None:
        for at in changes.transitions:
            where = "source = ? AND key = ? AND target = ?"
            if at in graph.transitions:
                self._db.execute(
                    f"INSERT OR REPLACE INTO transitions VALUES (?, ?, ?, {_seq('transitions', where)}, ?)",
                    (*at, *at, _json(self._by_hand.without(graph.transitions[at]))),
                )
            else:
                self._db.execute(f"DELETE FROM transitions WHERE {where}", at)

    def _write_skipped(self, graph: AppGraph, changes: Changes) -> None:
        for node, key in changes.skipped:
            where = "node = ? AND key = ?"
            if (node, key) not in graph.skipped:
                self._db.execute(f"DELETE FROM skipped WHERE {where}", (node, key))
                continue
            s = graph.skipped[node, key]
            self._db.execute(
                f"INSERT OR REPLACE INTO skipped VALUES (?, ?, {_seq('skipped', where)}, ?, ?)",
                (node, key, node, key, _json(s.action), s.reason),
            )


_CURE = "restore a copy, or delete the folder and explore again"


def _seq(table: str, where: str) -> str:
    """Return SQL for a row's place in the order of the graph: its old one, else the next."""
    return (
        f"COALESCE((SELECT seq FROM {table} WHERE {where}), (SELECT COALESCE(MAX(seq), 0) + 1 FROM {table}))"
    )


def _json(value: Any) -> str:
    return json.dumps(encode(value), ensure_ascii=False, separators=(",", ":"))


def _write(path: Path, text: str) -> None:
    aside = path.with_name(path.name + ".part")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


def _connect(folder: Path, *, readonly: bool = False) -> sqlite3.Connection:
    path = folder / "map.sqlite"
    try:
        if readonly:
            db = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=10
            )
        else:
            db = sqlite3.connect(path, isolation_level=None, timeout=10)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.DatabaseError as e:
        raise MapError(f"{str(path)!r} cannot be read as a map ({e}); {_CURE}") from e
    return db


def _check(db: sqlite3.Connection, folder: Path) -> None:
    """Refuse what is no map, is torn, or is of a newer schema."""
    path = str(folder / "map.sqlite")
    try:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as e:
        db.close()
        raise MapError(f"{path!r} cannot be read as a map ({e}); {_CURE}") from e
    if version > SCHEMA:
        db.close()
        raise MapError(
            f"{path!r} has schema {version}, this version of waypost knows {SCHEMA}; upgrade waypost"
        )
    if version < 1 or not {"nodes", "looks", "transitions", "meta"} <= tables:
        db.close()
        raise MapError(f"{path!r} is not a map of waypost; {_CURE}")
