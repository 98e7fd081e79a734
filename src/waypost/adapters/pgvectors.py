"""Nearest neighbours in PostgreSQL with pgvector: keys and unit rows in, the nearest keys out."""

import re
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
        said = [(key, _text(row)) for key, row in zip(keys, vectors, strict=True)]
        # A key that is there keeps its place among equals.
        statement = (
            f"INSERT INTO {self._table} (key, vector) VALUES (%s, %s::vector) "
            "ON CONFLICT (key) DO UPDATE SET vector = EXCLUDED.vector"
        )
        try:
            with self._db.transaction(), self._db.cursor() as cursor:
                cursor.executemany(statement, said)
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


def _text(row: NDArray[Any]) -> str:
    return "[" + ",".join(repr(float(value)) for value in row) + "]"
