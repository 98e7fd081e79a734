"""The follower on the embedded phone, with the real map: what it claims is held against the phone's truth."""

from collections import deque

import pytest

from waypost.actors import Follower
from waypost.adapters.pocket import Faults, PocketDevice, load
from waypost.guidance import silent
from waypost.mapping import Mapper, controls, regrounded, settled
from waypost.model import AppGraph, Episode, NodeId, Observation, StopReason, Tap, Task
from waypost.navigate import arrival, navigate
from waypost.planning import ShortestPath

APP = "clock"


@pytest.fixture(scope="module")
def walked() -> tuple[Mapper, dict[NodeId, set[str]]]:
    """Try every harmless control of the first pages, each from a fresh start."""
    device = PocketDevice(APP)
    mapper = Mapper(AppGraph(load(APP).package))
    root = mapper.enter(settled(device))
    truth = {root: {device.where()}}
    waiting: deque[tuple[NodeId, tuple[Tap, ...]]] = deque([(root, ())])
    while waiting:
        node, way = waiting.popleft()
        for control in controls(_at(device, way).screen):
            action = control.action
            if not isinstance(action, Tap) or action.target is None or action.target.hazard:
                continue
            # What was done before may have changed the page: aim anew.
            fresh = {c.key: c.action for c in controls(_at(device, way).screen)}
            if control.key not in fresh:
                continue
            device.perform(fresh[control.key])
            step = mapper.extend(node, action, control.key, settled(device))
            if step.target not in truth and len(way) < 1:
                waiting.append((step.target, (*way, action)))
            truth.setdefault(step.target, set()).add(device.where())
    return mapper, truth


def _at(device: PocketDevice, way: tuple[Tap, ...]) -> Observation:
    device.restart()
    seen = settled(device)
    for action in way:
        device.perform(regrounded(action, seen.screen) or action)
        seen = settled(device)
    return seen


def _go(mapper: Mapper, goal: NodeId, device: PocketDevice) -> Episode:
    follower = Follower(mapper, ShortestPath(), goal)
    return navigate(Task("t", APP, "go"), device, follower, silent, verify=arrival(mapper, goal))


def test_every_page_of_the_map_is_reached_and_is_the_true_one(
    walked: tuple[Mapper, dict[NodeId, set[str]]],
) -> None:
    mapper, truth = walked
    pages = [n.id for n in mapper.graph.pages()]
    assert len(pages) >= 8
    for page in pages:
        device = PocketDevice(APP, seed=3)
        episode = _go(mapper, page, device)
        assert episode.stop is StopReason.ARRIVED
        assert device.where() in truth[page]
        assert not device.hazards_done


def test_with_every_fault_on_nothing_is_claimed_that_is_not_so(
    walked: tuple[Mapper, dict[NodeId, set[str]]],
) -> None:
    mapper, truth = walked
    arrived = 0
    pages = [n.id for n in mapper.graph.pages()]
    for seed, page in enumerate(pages):
        device = PocketDevice(APP, seed=seed, faults=Faults.all_on(seed))
        episode = _go(mapper, page, device)
        assert episode.verified == (episode.stop is StopReason.ARRIVED)
        if episode.claimed:
            assert device.where() in truth[page]
            arrived += 1
    assert arrived >= 0.8 * len(pages)
