"""Vectors in a real Milvus server, held to the same rules as those in memory."""

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.conformance.vector_index import VectorIndexSuite
from waypost.adapters.milvus import MilvusIndex
from waypost.errors import MapError, UsageError
from waypost.protocols import VectorIndex

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def empty_ones(milvus: str) -> Iterator[list[MilvusIndex]]:
    """Give empty collections for two numbers a vector, made side by side: the server loads each for 3 s."""
    with ThreadPoolExecutor(12) as pool:
        made = list(pool.map(lambda n: MilvusIndex(milvus, f"two_{n}", 2), range(12)))
    yield list(made)
    for index in made:
        index.close()


class TestMilvusIndex(VectorIndexSuite):
    counter = itertools.count()

    @pytest.fixture
    def make_index(
        self, milvus: str, empty_ones: list[MilvusIndex]
    ) -> Iterator[Callable[[int], VectorIndex[str]]]:
        more: list[MilvusIndex] = []

        def make(dimension: int) -> VectorIndex[str]:
            if dimension == 2 and empty_ones:
                return empty_ones.pop()
            more.append(MilvusIndex(milvus, f"more_{next(self.counter)}", dimension))
            return more[-1]

        yield make
        for index in more:
            index.drop()
            index.close()


def test_several_writers_at_once_lose_nothing(milvus: str) -> None:
    def write(writer: int) -> None:
        with MilvusIndex(milvus, "shared", 4) as index:
            for n in range(10):
                row = np.zeros((1, 4), np.float32)
                row[0, n % 4] = 1
                index.add([f"{writer}-{n}"], row)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    with MilvusIndex(milvus, "shared", 4, consistency="Strong") as index:
        assert len(index.search(np.ones(4, np.float32), 100)) == 40
    with pytest.raises(MapError, match="keeps 4 numbers a vector, not 5"):
        MilvusIndex(milvus, "shared", 5)


def test_what_was_added_is_there_when_it_is_opened_again(milvus: str) -> None:
    with MilvusIndex(milvus, "kept", 2) as index:
        index.add(["b", "a"], np.array([[1, 0], [1, 0]], np.float32))
    with MilvusIndex(milvus, "kept", 2, consistency="Strong") as index:
        assert [h.key for h in index.search(np.array([1, 0], np.float32), 3)] == ["b", "a"]
        index.drop()


def test_a_name_that_is_no_collection_and_a_server_that_is_none_are_told() -> None:
    with pytest.raises(UsageError, match="no name for a collection"):
        MilvusIndex("http://127.0.0.1:1", "x; y", 3)
    with pytest.raises(UsageError, match="no address"):
        MilvusIndex("here.db", "x", 3)
    with pytest.raises(MapError, match="No Milvus server"):
        MilvusIndex("http://127.0.0.1:1", "x", 3)
