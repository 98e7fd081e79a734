"""Maps that several machines share: a PostgreSQL server and a map's name in, an open store out.

Pictures, corrections and records lie in `folder`, which may be one that all machines see. One program
writes at a time, any number read.
"""

import json
from pathlib import Path

from waypost.adapters.pgmap import PgDatabase, PgLock, connected
from waypost.errors import MapError
from waypost.mapping.migrations import SCHEMA, TABLES
from waypost.mapping.store import MapStore

__all__ = ["make_shared", "open_shared"]


def open_shared(where: str, name: str, folder: Path | str, *, readonly: bool = False) -> MapStore:
    """Open a map on a server; `where` is a connection string. Raises MapError or UsageError."""
    db = connected(where, name, TABLES, create=False)
    return _opened(db, name, Path(folder), readonly=readonly)


def make_shared(
    where: str, name: str, folder: Path | str, app: str = "", version: str = "", profile: str = ""
) -> MapStore:
    """Open a map on a server, or make it. Raises MapError or UsageError."""
    db = connected(where, name, TABLES, create=True)
    try:
        if db.execute("SELECT value FROM meta WHERE name = ?", ("schema",)).fetchone() is None:
            meta = {"schema": SCHEMA, "app": app, "version": version, "profile": profile}
            rows = [(k, json.dumps(v)) for k, v in meta.items()]
            db.executemany("INSERT INTO meta VALUES (?, ?)", rows)
    except BaseException:
        db.close()
        raise
    return _opened(db, name, Path(folder), readonly=False)


def _opened(db: PgDatabase, name: str, folder: Path, *, readonly: bool) -> MapStore:
    try:
        lock = None if readonly else PgLock(db)
        (schema,) = db.execute("SELECT value FROM meta WHERE name = ?", ("schema",)).fetchone() or ("null",)
        if json.loads(schema) != SCHEMA:
            raise MapError(f"The map {name!r} has schema {schema}, this version of waypost knows {SCHEMA}")
        folder.mkdir(parents=True, exist_ok=True)
    except BaseException:
        db.close()
        raise
    return MapStore(folder, db, lock)
