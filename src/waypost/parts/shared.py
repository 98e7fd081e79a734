"""Maps that several machines share: a PostgreSQL server and a map's name in, an open store out."""

import json
from pathlib import Path

from waypost.adapters.pgmap import PgLock, connected
from waypost.errors import MapError
from waypost.mapping.store import SCHEMA, TABLES, MapStore

__all__ = ["open_shared"]


def open_shared(
    where: str, name: str, folder: Path | str, *, app: str = "", version: str = "", readonly: bool = False
) -> MapStore:
    """Open a map on a PostgreSQL server, or make it.

    `where` is a connection string. Pictures, corrections and records lie in `folder`, which may be one that
    all machines see. One program writes at a time, any number read. Raises MapError or UsageError.
    """
    folder = Path(folder)
    (folder / "screens").mkdir(parents=True, exist_ok=True)
    db = connected(where, name, TABLES, create=not readonly)
    try:
        lock = None if readonly else PgLock(db)
        row = db.execute("SELECT value FROM meta WHERE name = ?", ("schema",)).fetchone()
        if row is None:
            meta = {"schema": SCHEMA, "app": app, "version": version, "profile": ""}
            rows = [(k, json.dumps(v)) for k, v in meta.items()]
            db.executemany("INSERT INTO meta VALUES (?, ?)", rows)
        elif json.loads(row[0]) != SCHEMA:
            raise MapError(f"The map {name!r} has schema {row[0]}, this version of waypost knows {SCHEMA}")
    except BaseException:
        db.close()
        raise
    return MapStore(folder, db, lock)
