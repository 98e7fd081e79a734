"""What a model says of texts, kept in a folder: texts in; their vectors and word pieces out.

`vectors.sqlite` can be thrown away; it is keyed by model and text, so another model embeds anew.
"""

import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from waypost.protocols import Embedder, Reading, TokenEmbedder, Vectors

__all__ = ["VECTORS", "Tokens", "VectorCache", "digest"]

VECTORS = "vectors.sqlite"
Tokens: TypeAlias = NDArray[np.float16]
"""As they are stored: half the room, and a fresh and a reopened library agree to the last bit."""
_TABLES = """
CREATE TABLE IF NOT EXISTS vectors (model TEXT, text TEXT, vector BLOB, PRIMARY KEY (model, text));
CREATE TABLE IF NOT EXISTS tokens
    (model TEXT, text TEXT, size INTEGER, tokens BLOB, PRIMARY KEY (model, text));
"""


class VectorCache:
    """Asks the model only what the folder does not know; without a folder it asks always."""

    def __init__(self, embedder: Embedder, folder: Path | None) -> None:
        self._embedder = embedder
        self._path = folder / VECTORS if folder is not None else None

    def vectors(self, wanted: Sequence[str]) -> Vectors:
        """Return unit rows, one a text, in order."""
        unique = list(dict.fromkeys(wanted))
        if not unique:
            return np.zeros((0, self._embedder.dimension), np.float32)
        known = self._vectors(unique)
        missing = [t for t in unique if t not in known]
        if missing:
            fresh = dict(zip(missing, self._embedder.embed(missing).astype(np.float16), strict=True))
            self._keep("vectors", [(digest(t), row.tobytes()) for t, row in fresh.items()])
            known.update(fresh)
        place = {t: i for i, t in enumerate(unique)}
        table = np.stack([known[t] for t in unique]).astype(np.float32)
        table /= np.linalg.norm(table, axis=1, keepdims=True)
        found: Vectors = table[[place[t] for t in wanted]]
        return found

    def tokens(self, wanted: Sequence[str]) -> list[Tokens]:
        """Return each text's word pieces; none where the model does not read by them."""
        if not isinstance(self._embedder, TokenEmbedder):
            return [np.zeros((0, 1), np.float16)] * len(wanted)
        unique = list(dict.fromkeys(wanted))
        known = self._tokens(unique)
        missing = [t for t in unique if t not in known]
        if missing:
            fresh = dict(zip(missing, self._embedder.read(missing), strict=True))
            self._keep_readings(fresh)
            known.update({t: r.tokens.astype(np.float16) for t, r in fresh.items()})
        return [known[t] for t in wanted]

    def _keep_readings(self, fresh: dict[str, Reading]) -> None:
        """Keep the whole vectors too: the model has just made them."""
        half = {t: (r.vector.astype(np.float16), r.tokens.astype(np.float16)) for t, r in fresh.items()}
        self._keep("vectors", [(digest(t), vector.tobytes()) for t, (vector, _) in half.items()])
        self._keep(
            "tokens", [(digest(t), tokens.shape[1], tokens.tobytes()) for t, (_, tokens) in half.items()]
        )

    def _vectors(self, wanted: Sequence[str]) -> dict[str, Tokens]:
        size = self._embedder.dimension * 2
        rows = self._rows("SELECT text, vector FROM vectors WHERE model = ?", wanted)
        return {text: np.frombuffer(blob, np.float16) for text, (blob,) in rows.items() if len(blob) == size}

    def _tokens(self, wanted: Sequence[str]) -> dict[str, Tokens]:
        rows = self._rows("SELECT text, size, tokens FROM tokens WHERE model = ?", wanted)
        return {
            text: np.frombuffer(blob, np.float16).reshape(-1, size)
            for text, (size, blob) in rows.items()
            if size > 0 and len(blob) % (2 * size) == 0
        }

    def _rows(self, query: str, wanted: Sequence[str]) -> dict[str, list[Any]]:
        if self._path is None or not self._path.exists():
            return {}
        digests = {digest(t): t for t in wanted}
        try:
            with closing(sqlite3.connect(self._path)) as db:
                found = db.execute(query, (self._embedder.id,))
                return {digests[text]: rest for text, *rest in found if text in digests}
        except sqlite3.OperationalError:
            # One of before this table, or one that is busy or cannot be read here: as if it knew nothing.
            return {}
        except sqlite3.DatabaseError:
            # Only a cache: a broken one is made anew.
            self._path.unlink(missing_ok=True)
            return {}

    def _keep(self, table: str, rows: Sequence[tuple[str | int | bytes, ...]]) -> None:
        if self._path is None or not rows:
            return
        marks = ", ".join("?" * (len(rows[0]) + 1))
        with closing(sqlite3.connect(self._path)) as db, db:
            db.executescript(_TABLES)
            db.executemany(
                f"INSERT OR REPLACE INTO {table} VALUES ({marks})",
                [(self._embedder.id, *row) for row in rows],
            )


def digest(text: str) -> str:
    """Return what a text is kept under."""
    return hashlib.sha256(text.encode()).hexdigest()
