"""Two pages that prove to be one: nothing that was counted is lost or counted twice."""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mapping.looks import APP, Clock
from tests.mapping.test_store import PAGES, walk
from waypost.mapping.mapper import Mapper
from waypost.mapping.store import MapStore
from waypost.model import AppGraph, NodeId


def check(graph: AppGraph) -> None:
    """Assert what must hold of any graph: ends exist, tries are shared and add up."""
    tries: dict[tuple[NodeId, str], set[int]] = defaultdict(set)
    done: dict[tuple[NodeId, str], int] = defaultdict(int)
    for (source, key, target), t in graph.transitions.items():
        assert (t.source, t.key, t.target) == (source, key, target)
        assert {source, target} <= graph.nodes.keys()
        tries[source, key].add(t.tries)
        done[source, key] += t.successes
    assert all(tries[at] == {done[at]} for at in tries)
    assert sum(done.values()) == graph.steps
    assert {n for n, _ in graph.skipped} | set(graph.untried) <= graph.nodes.keys()
    assert graph.root in graph.nodes


@settings(max_examples=25, deadline=None)
@given(
    moves=st.lists(st.integers(0, 20), min_size=4, max_size=14),
    pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3),
)
def test_merging_keeps_every_count_and_survives_the_disk(
    tmp_path_factory: pytest.TempPathFactory, moves: list[int], pairs: list[tuple[int, int]]
) -> None:
    store = MapStore.create(tmp_path_factory.mktemp("m"), APP)
    mapper = Mapper(store.load(), store=store)
    walk(mapper, moves, Clock())
    check(mapper.graph)
    for a, b in pairs:
        pages = [n.id for n in mapper.graph.pages()]
        one, other = pages[a % len(pages)], pages[b % len(pages)]
        kept = mapper.merge(one, other)
        assert mapper.resolve(one) == mapper.resolve(other) == kept
        check(mapper.graph)
    mapper.commit()
    assert store.load() == mapper.graph
    walk(mapper, moves, Clock(), at=moves[-1] % len(PAGES))
    check(mapper.graph)
    assert store.load() == mapper.graph
    store.close()
