"""A map's tables in PostgreSQL: sqlite3's words in, the same done by PostgreSQL out."""

import re
import sqlite3
from functools import lru_cache
from typing import Any

from waypost.errors import MapError, UsageError

__all__ = ["PgDatabase", "PgLock", "connected", "there"]

_TYPES = {"BLOB": "BYTEA", "REAL": "DOUBLE PRECISION", "INTEGER": "BIGINT"}
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,40}")


def connected(where: str, name: str, tables: str, *, create: bool) -> "PgDatabase":
    """Connect to the schema of a map, made of `tables` (SQLite's words) where it is to be made.

    Raises UsageError for a name that is none, MapError where nobody answers or there is no such map.
    """
    psycopg = _client()
    db = _answering(where, name)
    try:
        made = _made(db, name)
        if not made and not create:
            db.close()
            raise MapError(f"There is no map {name!r} on this server; make it first")
        if not made:
            with db.transaction():
                db.execute(f"CREATE SCHEMA {name}")
                db.execute(f"SET LOCAL search_path = {name}")
                db.execute(re.sub("|".join(_TYPES), lambda m: _TYPES[m[0]], tables))
        db.execute(f"SET search_path = {name}")
    except psycopg.Error as e:
        raise MapError(f"PostgreSQL does not keep the map {name!r}: {e}") from e
    return PgDatabase(db, name)


def there(where: str, name: str) -> bool:
    """Whether a server has a map of this name. Raises UsageError, MapError where nobody answers."""
    with _answering(where, name) as db:
        try:
            return _made(db, name)
        except _client().Error as e:
            raise MapError(f"PostgreSQL does not say whether there is a map {name!r}: {e}") from e


def _client() -> Any:
    try:
        import psycopg
    except ImportError as e:
        raise UsageError('Maps in PostgreSQL need psycopg: pip install "waypost[postgres]"') from e
    return psycopg


def _answering(where: str, name: str) -> Any:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a shared map: small letters, digits and _")
    psycopg = _client()
    try:
        return psycopg.connect(where, autocommit=True)
    except psycopg.Error as e:
        raise MapError(f"PostgreSQL does not keep the map {name!r}: {e}") from e


def _made(db: Any, name: str) -> bool:
    ask = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = 'meta'"
    return bool(db.execute(ask, (name,)).fetchone())


class PgDatabase:
    """Speaks as sqlite3's connection does, as far as a map store asks."""

    def __init__(self, db: Any, name: str) -> None:
        import psycopg

        self.name = name
        self._db, self._error = db, psycopg.Error
        self._keys: dict[str, tuple[list[str], list[str]]] = {}

    @property
    def in_transaction(self) -> bool:
        return bool(self._db.info.transaction_status)

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        try:
            return self._db.execute(self._said(sql), tuple(parameters))
        except self._error as e:
            raise sqlite3.OperationalError(str(e)) from e

    def executemany(self, sql: str, parameters: Any, /) -> Any:
        try:
            cursor = self._db.cursor()
            cursor.executemany(self._said(sql), list(parameters))
        except self._error as e:
            raise sqlite3.OperationalError(str(e)) from e
        return cursor

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> "PgDatabase":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if self.in_transaction:
            self.execute("COMMIT" if kind is None else "ROLLBACK")

    def _said(self, sql: str) -> str:
        if sql.startswith("PRAGMA busy_timeout"):
            return f"SET lock_timeout = {int(sql.rpartition('=')[2])}"
        found = re.match(r"INSERT OR REPLACE INTO (\w+) ", sql)
        return _translated(sql) if found is None else _translated(sql) + self._replacing(found[1])

    def _replacing(self, table: str) -> str:
        """Say what happens to a row that is there: PostgreSQL wants it spelt out."""
        if table not in self._keys:
            ask = (
                "SELECT a.attname, COALESCE(a.attnum = ANY(i.indkey), FALSE) FROM pg_attribute a "
                "LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary "
                "WHERE a.attrelid = %s::regclass AND a.attnum > 0 ORDER BY a.attnum"
            )
            rows = self._db.execute(ask, (f"{self.name}.{table}",)).fetchall()
            self._keys[table] = [c for c, key in rows if key], [c for c, key in rows if not key]
        keys, others = self._keys[table]
        told = ", ".join(f"{c} = EXCLUDED.{c}" for c in others)
        return f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {told}"


class PgLock:
    """One writer at a time for a map; the server lets go of it when the connection ends, however it ends."""

    def __init__(self, db: PgDatabase) -> None:
        """Take it at once. Raises MapError where another program holds it."""
        self._db = db
        (got,) = db.execute("SELECT pg_try_advisory_lock(hashtext(?))", (f"waypost {db.name}",)).fetchone()
        if not got:
            raise MapError(f"The map {db.name!r} is being written by another program; wait until it is done")

    def release(self) -> None:
        """Let go; a connection that is closed has let go already."""


@lru_cache(maxsize=256)
def _translated(sql: str) -> str:
    if "sqlite_master" in sql:
        return "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = %s"
    if sql == "BEGIN IMMEDIATE":
        return "BEGIN"
    return sql.replace("INSERT OR REPLACE", "INSERT").replace("?", "%s")
