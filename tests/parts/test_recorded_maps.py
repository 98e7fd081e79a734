"""Real recordings as devices: every screen is located, ways are planned, and nothing crashes."""

from pathlib import Path

import pytest

from waypost.adapters.recorded import RecordedDevice, Recording, load_recording
from waypost.exploration import ExploreConfig, explore, preview
from waypost.mapping import Mapper, action_key, controls
from waypost.model import AppGraph, ExploreStop, Launch, NodeId, Observation
from waypost.planning import ShortestPath

NAMES = [
    "calendar_android",
    "a2dp_vol",
    *(f"autodroid_mit/{app}.json.gz" for app in ("calendar", "clock", "contacts", "firefox", "notes")),
]


def _mapped(recording: Recording) -> tuple[Mapper, dict[str, NodeId]]:
    """Fold a recording into a map, as an exploration that did just those steps."""
    mapper = Mapper(AppGraph(recording.screens[recording.start].app))
    looks = {
        name: Observation(screen, seen_at=n) for n, (name, screen) in enumerate(recording.screens.items())
    }
    nodes = {recording.start: mapper.enter(looks[recording.start])}
    for move in recording.moves:
        source = nodes.get(move.source) or mapper.enter(looks[move.source])
        nodes[move.source] = source
        key = action_key(move.action)
        nodes[move.target] = mapper.extend(source, move.action, key, looks[move.target]).target
    for name, look in looks.items():
        nodes.setdefault(name, mapper.enter(look))
    return mapper, {name: mapper.resolve(node) for name, node in nodes.items()}


@pytest.mark.shared
@pytest.mark.parametrize("name", NAMES)
def test_every_look_of_a_recording_is_located_and_every_page_that_was_gone_to_is_planned(
    shared: Path, name: str
) -> None:
    recording = load_recording(shared / name)
    mapper, nodes = _mapped(recording)
    for look in recording.screens:
        observation = Observation(recording.screens[look])
        assert mapper.locate(observation) is not None
        controls(observation.screen)
        preview(observation)
    planner, graph = ShortestPath(), mapper.graph
    assert graph.root is not None
    found = [planner.plan(graph, graph.root, node.id).found for node in graph.pages()]
    assert any(found)
    for plan in (planner.plan(graph, graph.root, n) for n in set(nodes.values())):
        at = graph.root
        for step in plan.steps:
            assert isinstance(step.action, Launch) or step.source == at
            at = step.target
        assert not plan.found or at == mapper.resolve(plan.goal)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["a2dp_vol", "autodroid_mit/notes.json.gz", "calendar_android"])
def test_a_recording_can_be_explored_and_guesses_nothing(shared: Path, name: str) -> None:
    recording = load_recording(shared / name)
    device = RecordedDevice(recording)
    mapper = Mapper(AppGraph(recording.screens[recording.start].app))
    stop = explore(device, mapper, ExploreConfig(actions=120), clock=lambda: 0.0)
    assert stop in (ExploreStop.COMPLETE, ExploreStop.OUT_OF_ACTIONS)
    assert any(s.reason == "not in the recording" for s in mapper.graph.skipped.values())
