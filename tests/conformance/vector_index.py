"""What every vector index must do. Subclass, and provide the fixture `make_index`."""

from collections.abc import Callable

import numpy as np
import pytest

from waypost.protocols import VectorIndex, Vectors

__all__ = ["VectorIndexSuite"]


def _unit(*rows: tuple[float, ...]) -> Vectors:
    table = np.array(rows, np.float32)
    unit: Vectors = table / np.linalg.norm(table, axis=1, keepdims=True)
    return unit


class VectorIndexSuite:
    def test_the_nearest_come_first_with_their_cosine(
        self, make_index: Callable[[int], VectorIndex[str]]
    ) -> None:
        index = make_index(2)
        index.add(["east", "north", "west"], _unit((1, 0), (0, 1), (-1, 0)))
        hits = index.search(np.array([0.6, 0.8], np.float32), 3)
        assert [h.key for h in hits] == ["north", "east", "west"]
        assert [round(h.score, 4) for h in hits] == [0.8, 0.6, -0.6]

    def test_ties_keep_the_order_of_insertion(self, make_index: Callable[[int], VectorIndex[str]]) -> None:
        index = make_index(2)
        index.add(["b", "a"], _unit((1, 0), (1, 0)))
        index.add(["c"], _unit((1, 0)))
        assert [h.key for h in index.search(np.array([1, 0], np.float32), 3)] == ["b", "a", "c"]

    def test_a_known_key_is_replaced(self, make_index: Callable[[int], VectorIndex[str]]) -> None:
        index = make_index(2)
        index.add(["a", "b"], _unit((1, 0), (0, 1)))
        index.add(["a"], _unit((-1, 0)))
        hits = index.search(np.array([1, 0], np.float32), 9)
        assert [(h.key, round(h.score)) for h in hits] == [("b", 0), ("a", -1)]

    def test_an_empty_index_finds_nothing(self, make_index: Callable[[int], VectorIndex[str]]) -> None:
        assert make_index(2).search(np.array([1, 0], np.float32), 3) == []

    def test_no_more_than_k_are_returned(self, make_index: Callable[[int], VectorIndex[str]]) -> None:
        index = make_index(2)
        index.add(["a", "b"], _unit((1, 0), (0, 1)))
        assert len(index.search(np.array([1, 0], np.float32), 1)) == 1
        assert index.search(np.array([1, 0], np.float32), 0) == []

    def test_rows_of_another_shape_are_refused(self, make_index: Callable[[int], VectorIndex[str]]) -> None:
        with pytest.raises(ValueError, match="rows"):
            make_index(2).add(["a"], _unit((1, 0, 0)))
