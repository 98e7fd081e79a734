"""Nearest neighbours in a Milvus server: keys and unit rows in, the nearest keys out."""

import json
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.errors import MapError, UsageError
from waypost.protocols import Hit, Vectors

__all__ = ["MilvusIndex"]

_MOST = 16_384
"""Hits that a server returns at once."""
_BATCH = 2_000
"""Rows of one request: a few megabytes, of the 64 that a server takes."""
_LONGEST = 65_535
"""Bytes of a key."""


class MilvusIndex:
    """A collection of vectors that several programs share, one an app and field. Exact (`FLAT`).

    A search sees all that this index wrote; what another one wrote, as soon as the server has told its
    nodes, within a second or so. With `consistency="Strong"` it waits for that, some 0.3 s a search.
    Equal scores come in the order in which keys were first added, by the clocks of those who added them.
    """

    def __init__(
        self,
        where: str,
        collection: str,
        dimension: int,
        *,
        token: str = "",
        consistency: str = "Session",
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        """Open or make the collection; `where` is `http://HOST:19530`, `token` a key or `USER:PASSWORD`.

        Raises UsageError, or MapError where the server does not answer or keeps rows of another size.
        """
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,200}", collection):
            raise UsageError(f"{collection!r} is no name for a collection: letters, digits and _")
        if not re.match(r"(https?|tcp)://", where):
            raise UsageError(f"{where!r} is no address of a Milvus server, such as http://127.0.0.1:19530")
        try:
            from pymilvus import MilvusClient, MilvusException
        except ImportError as e:
            raise UsageError('Vectors in Milvus need its client: pip install "waypost[milvus]"') from e
        self._collection, self._dimension, self._error = collection, dimension, MilvusException
        self._consistency, self._clock, self._last = consistency, clock, 0
        try:
            self._client: Any = MilvusClient(where, token=token, timeout=10)
        except MilvusException as e:
            raise MapError(f"No Milvus server answers at {where!r}: {e.message}") from e
        try:
            self._opened()
        except MilvusException as e:
            self._client.close()
            raise MapError(f"Milvus does not keep {collection!r}: {e.message}") from e
        except MapError:
            self._client.close()
            raise

    def _opened(self) -> None:
        if not self._client.has_collection(self._collection):
            self._made()
        fields = self._client.describe_collection(self._collection)["fields"]
        kept = {field["name"]: field["params"].get("dim") for field in fields}
        if kept.get("vector") != self._dimension or not {"key", "seq"} <= set(kept):
            raise MapError(
                f"{self._collection!r} keeps {kept.get('vector', 'no')} numbers a vector, not "
                f"{self._dimension}; drop it, or choose another name"
            )
        # Another program may have got no further than making the collection.
        if not self._client.list_indexes(self._collection):
            index = self._client.prepare_index_params()
            index.add_index("vector", index_type="FLAT", metric_type="IP")
            self._client.create_index(self._collection, index)
        self._client.load_collection(self._collection)

    def _made(self) -> None:
        from pymilvus import DataType

        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("key", DataType.VARCHAR, is_primary=True, max_length=_LONGEST)
        schema.add_field("seq", DataType.INT64)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=self._dimension)
        self._client.create_collection(self._collection, schema=schema, consistency_level=self._consistency)

    def __enter__(self) -> "MilvusIndex":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection; calling it twice does no harm."""
        self._client.close()

    def drop(self) -> None:
        """Remove the collection with all that is in it."""
        self._client.drop_collection(self._collection)

    def add(self, keys: Sequence[str], vectors: Vectors) -> None:
        if vectors.shape != (len(keys), self._dimension):
            raise ValueError(f"{len(keys)} keys of {self._dimension} numbers, but rows {vectors.shape}")
        # Of a key given twice the last row counts; Milvus would keep either.
        rows = dict(zip(keys, np.asarray(vectors, np.float32), strict=True))
        wanted = list(rows)
        try:
            for start in range(0, len(wanted), _BATCH):
                batch = wanted[start : start + _BATCH]
                places = self._places(batch)
                told = [{"key": k, "seq": places[k], "vector": rows[k]} for k in batch]
                self._client.upsert(self._collection, told)
        except self._error as e:
            raise MapError(f"Milvus does not take the vectors: {e.message}") from e

    def _places(self, keys: Sequence[str]) -> dict[str, int]:
        """Return each key's place among equals: the one it has, else the next."""
        # Quoted as JSON does: the server knows the same escapes.
        said = ", ".join(json.dumps(key, ensure_ascii=False) for key in keys)
        found = self._client.query(
            self._collection,
            filter=f"key in [{said}]",
            output_fields=["key", "seq"],
            consistency_level=self._consistency,
        )
        places = {row["key"]: int(row["seq"]) for row in found}
        for key in keys:
            if key not in places:
                self._last = places[key] = max(self._last + 1, self._clock())
        return places

    def search(self, vector: NDArray[Any], k: int) -> list[Hit[str]]:
        """Return the k nearest. Raises ValueError for more than Milvus returns at once (16,384)."""
        if k > _MOST:
            raise ValueError(f"Milvus returns {_MOST} at most, not {k}")
        if k <= 0:
            return []
        asked = np.asarray(vector, np.float32).reshape(-1)
        # Among equals Milvus takes any: it is asked for more until all that equal the k-th best are there.
        wanted = min(2 * k + 8, _MOST)
        found = self._nearest(asked, wanted)
        while len(found) == wanted < _MOST and found[-1]["distance"] >= found[k - 1]["distance"]:
            wanted = min(8 * wanted, _MOST)
            found = self._nearest(asked, wanted)
        found.sort(key=lambda row: (-row["distance"], row["entity"]["seq"], row["entity"]["key"]))
        return [Hit(row["entity"]["key"], float(row["distance"])) for row in found[:k]]

    def _nearest(self, asked: NDArray[np.float32], wanted: int) -> list[Any]:
        try:
            (found,) = self._client.search(
                self._collection,
                data=[asked],
                limit=wanted,
                output_fields=["key", "seq"],
                search_params={"metric_type": "IP"},
                consistency_level=self._consistency,
            )
        except self._error as e:
            raise MapError(f"Milvus does not answer: {e.message}") from e
        return sorted(found, key=lambda row: -row["distance"])
