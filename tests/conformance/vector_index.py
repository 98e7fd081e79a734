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

    def test_of_more_ties_than_asked_for_the_first_are_returned(
        self, make_index: Callable[[int], VectorIndex[str]]
    ) -> None:
        index = make_index(2)
        keys = [f"k{n * 7 % 40}" for n in range(40)]
        for part in (keys[:25], keys[25:]):
            index.add(part, _unit(*[(1, 0)] * len(part)))
        index.add(keys[:1], _unit((1, 0)))
        assert [h.key for h in index.search(np.array([1, 0], np.float32), 3)] == keys[:3]

    def test_of_a_key_given_twice_the_last_row_counts(
        self, make_index: Callable[[int], VectorIndex[str]]
    ) -> None:
        index = make_index(2)
        index.add(["a", "b", "a"], _unit((1, 0), (0, 1), (0, 1)))
        hits = index.search(np.array([0, 1], np.float32), 9)
        assert [(h.key, round(h.score)) for h in hits] == [("a", 1), ("b", 1)]

    def test_keys_are_any_text(self, make_index: Callable[[int], VectorIndex[str]]) -> None:
        index = make_index(2)
        keys = [
            'he said "x"',
            "it's",
            "back\\slash",
            "two\nlines\tand a tab",
            "设置",
            "a b > c",
            "",
            "é",
            "%_",
        ]
        index.add(keys, _unit(*[(1, 0)] * len(keys)))
        index.add(keys, _unit(*[(0, 1)] * len(keys)))
        hits = index.search(np.array([0, 1], np.float32), 99)
        assert [(h.key, round(h.score)) for h in hits] == [(key, 1) for key in keys]

    def test_nothing_is_added_for_no_keys(self, make_index: Callable[[int], VectorIndex[str]]) -> None:
        index = make_index(2)
        index.add([], np.zeros((0, 2), np.float32))
        assert index.search(np.array([1, 0], np.float32), 3) == []

    def test_the_nearest_of_many_are_those_of_the_plain_product(
        self, make_index: Callable[[int], VectorIndex[str]]
    ) -> None:
        dice = np.random.default_rng(3)
        rows = _unit(*map(tuple, dice.standard_normal((3_000, 24))))
        keys = [f"{n:04}" for n in range(len(rows))]
        index = make_index(24)
        index.add(keys, rows)
        for asked in dice.standard_normal((5, 24)).astype(np.float32):
            best = np.argsort(-(rows @ asked), kind="stable")[:10]
            assert [h.key for h in index.search(asked, 10)] == [keys[i] for i in best]

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
