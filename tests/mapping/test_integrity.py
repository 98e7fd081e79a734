"""A map that agrees with itself is told so; one that was tampered with is told what is wrong."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mapping.looks import APP, Clock
from tests.mapping.test_store import walk
from waypost.mapping import Mapper, MapStore
from waypost.mapping.integrity import disagreements
from waypost.model import NodeId


@pytest.fixture
def grown(tmp_path: Path) -> Iterator[tuple[Mapper, MapStore]]:
    """Give a map of a few pages with its store."""
    store = MapStore.create(tmp_path / "m", APP, "1.0")
    mapper = Mapper(store.load(), store=store)
    walk(mapper, [1, 2, 3, 4, 6, 1, 1], Clock())
    yield mapper, store
    store.close()


def test_a_map_as_it_was_explored_agrees(grown: tuple[Mapper, MapStore]) -> None:
    mapper, store = grown
    assert mapper.graph.steps > 5
    assert disagreements(mapper, store) == []


def _lost_page(mapper: Mapper) -> None:
    node = next(t.target for t in mapper.graph.transitions.values())
    del mapper.graph.nodes[node]


def _other_count(mapper: Mapper) -> None:
    at, step = next(iter(mapper.graph.transitions.items()))
    mapper.graph.transitions[at] = replace(step, tries=step.tries + 5)


def _done_on_frontier(mapper: Mapper) -> None:
    step = next(iter(mapper.graph.transitions.values()))
    mapper.graph.untried[step.source] = (step.key,)


def _frontier_of_none(mapper: Mapper) -> None:
    mapper.graph.untried[NodeId("gone")] = ("x",)


def _unwritten_step(mapper: Mapper) -> None:
    mapper.graph.steps += 1


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (_lost_page, "has an end that is no page"),
        (_other_count, "was tried"),
        (_done_on_frontier, "is on the frontier, and was done"),
        (_frontier_of_none, "gone is on the frontier, and no page"),
        (_unwritten_step, "steps were counted"),
    ],
)
def test_what_disagrees_is_told(
    grown: tuple[Mapper, MapStore], harm: Callable[[Mapper], None], told: str
) -> None:
    mapper, store = grown
    harm(mapper)
    found = disagreements(mapper, store)
    assert any(told in line for line in found), found
    assert "what is written is not what is in memory" in found


def test_a_picture_that_is_gone_is_told(grown: tuple[Mapper, MapStore]) -> None:
    mapper, store = grown
    pictures = sorted((store.folder / "screens").glob("*.png"))
    pictures[0].unlink()
    assert disagreements(mapper, store) == [f"the picture {pictures[0].stem} is missing or damaged"]
