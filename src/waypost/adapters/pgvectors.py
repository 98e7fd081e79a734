"""Nearest neighbours in PostgreSQL with pgvector: keys and unit rows in, the nearest keys out."""

import re
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.errors import MapError, UsageError
from waypost.protocols import Hit, Vectors

__all__ = ["PgVectorIndex"]


class PgVectorIndex:
    """A table of vectors that several programs share. Exact: no index of the approximate kind is made.

    `where` is a connection string; text keys only. Close it, or use it as a context manager.
    """

    def __init__(self, where: str, table: str, dimension: int) -> None:
        """Open or make the table. Raises UsageError, or MapError where the server does not answer."""
        if not re.fullmatch(r"[a-z_][a-z0-9_]{0,40}", table):
            raise UsageError(f"{table!r} is no name for a table: small letters, digits and _")
        try:
            import psycopg
        except ImportError as e:
            raise UsageError('Vectors in PostgreSQL need psycopg: pip install "waypost[postgres]"') from e
        self._table, self._dimension, self._error = table, dimension, psycopg.Error
        try:
            self._db: Any = psycopg.connect(where, autocommit=True)
            with self._db.transaction():
                # IF NOT EXISTS is no help where two programs come at the same moment.
                self._db.execute("SELECT pg_advisory_xact_lock(hashtext('waypost vectors'))")
                self._db.execute("CREATE EXTENSION IF NOT EXISTS vector")
                self._db.execute(
                    f"CREATE TABLE IF NOT EXISTS {table} (key TEXT PRIMARY KEY, seq BIGSERIAL, "
                    f"vector vector({dimension}) NOT NULL)"
                )
        except psycopg.Error as e:
            raise MapError(f"PostgreSQL does not keep vectors ({e}); is pgvector installed there?") from e

    def __enter__(self) -> "PgVectorIndex":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection; calling it twice does no harm."""
        self._db.close()

    def add(self, keys: Sequence[str], vectors: Vectors) -> None:
        if vectors.shape != (len(keys), self._dimension):
            raise ValueError(f"{len(keys)} keys of {self._dimension} numbers, but rows {vectors.shape}")
        # Of a key given twice the last row counts, at the place of the first; a statement takes it only once.
        rows = dict(zip(keys, np.asarray(vectors, ">f4"), strict=True))
        try:
            with self._db.transaction(), self._db.cursor() as cursor:
                cursor.execute(
                    f"CREATE TEMP TABLE fresh (seq BIGINT, key TEXT, vector vector({self._dimension})) "
                    "ON COMMIT DROP"
                )
                with cursor.copy("COPY fresh FROM STDIN (FORMAT BINARY)") as copy:
                    copy.write(_HEAD)
                    for seq, (key, row) in enumerate(rows.items()):
                        copy.write(_copied(seq, key.encode(), row))
                    copy.write(_TAIL)
                # A key that is there keeps its place among equals.
                cursor.execute(
                    f"INSERT INTO {self._table} (key, vector) SELECT key, vector FROM fresh ORDER BY seq "
                    "ON CONFLICT (key) DO UPDATE SET vector = EXCLUDED.vector"
                )
        except self._error as e:
            raise MapError(f"PostgreSQL does not take the vectors: {e}") from e

    def search(self, vector: NDArray[Any], k: int) -> list[Hit[str]]:
        if k <= 0:
            return []
        asked = _text(np.asarray(vector, np.float32).reshape(-1))
        statement = (
            f"SELECT key, -(vector <#> %s::vector) FROM {self._table} "
            "ORDER BY vector <#> %s::vector, seq LIMIT %s"
        )
        try:
            rows = self._db.execute(statement, (asked, asked, k)).fetchall()
        except self._error as e:
            raise MapError(f"PostgreSQL does not answer: {e}") from e
        return [Hit(key, float(score)) for key, score in rows]


_HEAD = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
_TAIL = struct.pack(">h", -1)


def _copied(seq: int, key: bytes, row: NDArray[Any]) -> bytes:
    """Return a row as COPY takes it: each field with its length, a vector with its number of numbers."""
    numbers = struct.pack(">hh", len(row), 0) + row.tobytes()
    head = struct.pack(">hiq", 3, 8, seq)
    return b"".join((head, struct.pack(">i", len(key)), key, struct.pack(">i", len(numbers)), numbers))


def _text(row: NDArray[Any]) -> str:
    return "[" + ",".join(repr(float(value)) for value in row) + "]"
