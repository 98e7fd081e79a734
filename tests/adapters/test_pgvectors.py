"""Vectors in a real PostgreSQL with pgvector, held to the same rules as those in memory."""

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from tests.conformance.vector_index import VectorIndexSuite
from waypost.adapters.pgvectors import PgVectorIndex
from waypost.errors import MapError, UsageError
from waypost.protocols import VectorIndex

pytestmark = pytest.mark.slow
_numbers = itertools.count()
"""One table a test: they share a server, and an object's id comes back."""


class TestPgVectorIndex(VectorIndexSuite):
    @pytest.fixture
    def make_index(self, postgres: str) -> Iterator[Callable[[int], VectorIndex[str]]]:
        made: list[PgVectorIndex] = []

        def make(dimension: int) -> VectorIndex[str]:
            made.append(PgVectorIndex(postgres, f"t{next(_numbers)}", dimension))
            return made[-1]

        yield make
        for index in made:
            index.close()


def test_several_writers_at_once_lose_nothing(postgres: str) -> None:
    def write(writer: int) -> None:
        with PgVectorIndex(postgres, "shared", 4) as index:
            for n in range(10):
                row = np.zeros((1, 4), np.float32)
                row[0, n % 4] = 1
                index.add([f"{writer}-{n}"], row)

    with PgVectorIndex(postgres, "shared", 4) as index:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(write, range(4)))
        assert len(index.search(np.ones(4, np.float32), 100)) == 40


def test_several_may_open_a_table_that_is_not_there_yet(postgres: str) -> None:
    opened = Barrier(8)

    def open_it(_: int) -> int:
        opened.wait(timeout=60)
        with PgVectorIndex(postgres, "fresh", 4) as index:
            return len(index.search(np.ones(4, np.float32), 3))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(open_it, range(8))) == [0] * 8


def test_a_name_that_is_no_table_and_a_server_that_is_none_are_told() -> None:
    with pytest.raises(UsageError, match="no name for a table"):
        PgVectorIndex("", "x; DROP TABLE y", 3)
    with pytest.raises(MapError, match="PostgreSQL"):
        PgVectorIndex("postgresql://127.0.0.1:1/none?connect_timeout=2", "x", 3)
