from collections.abc import Callable

import pytest

from tests.conformance.vector_index import VectorIndexSuite
from waypost.adapters.vectors import FlatIndex
from waypost.protocols import VectorIndex


class TestFlatIndex(VectorIndexSuite):
    @pytest.fixture
    def make_index(self) -> Callable[[int], VectorIndex[str]]:
        return FlatIndex[str]
