"""A map that learns from episodes: what was lived is added, and a good way is never written over."""

from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files

import pytest

from waypost.actors import Lexical
from waypost.adapters.pocket import PocketDevice
from waypost.bench import read_tasks
from waypost.guidance import silent
from waypost.mapping import Mapper
from waypost.mapping.controls import controls
from waypost.mapping.pointing import pointed
from waypost.model import (
    Action,
    AppGraph,
    Bounds,
    Decision,
    Element,
    Episode,
    LongPress,
    NodeId,
    Plan,
    Press,
    Role,
    Screen,
    StopReason,
    Tap,
    Task,
    TypeText,
)
from waypost.navigate import navigate
from waypost.planning import ShortestPath


@cache
def judged(app: str, count: int) -> tuple[tuple[Episode, bool], ...]:
    """Let the baseline without memory try an app's first tasks; say of each whether it truly got there."""
    with as_file(files("waypost.adapters.pocket") / "tasks.yaml") as path:
        tasks = [t for t in read_tasks(path).tasks if t.app == app][:count]
    found = []
    for task in tasks:
        device = PocketDevice(app, shrink=3)
        episode = navigate(replace(task, app=""), device, Lexical(), silent, limit=25)
        ended = device.label(episode.final.seen_at) if episode.final else ""
        found.append((episode, episode.claimed and task.target is not None and ended == task.target.page))
    return tuple(found)


def lived(app: str, count: int) -> tuple[Episode, ...]:
    """Return the episodes alone."""
    return tuple(episode for episode, _ in judged(app, count))


def mapped(*episodes: Episode, app: str = "com.pocket.chat") -> Mapper:
    mapper = Mapper(AppGraph(app))
    for episode in episodes:
        mapper.absorb(episode)
    return mapper


def ways(graph: AppGraph, nodes: list[NodeId]) -> dict[NodeId, Plan]:
    assert graph.root is not None
    return {n: ShortestPath().plan(graph, graph.root, n) for n in nodes}


def test_pages_and_ways_that_were_lived_are_on_the_map() -> None:
    graph = mapped(*lived("chat", 4)).graph
    assert graph.root is not None
    plans = ways(graph, [n.id for n in graph.pages()])
    assert len(plans) >= 4
    assert all(p.found for p in plans.values())


def test_the_same_episode_again_adds_nothing_but_counts() -> None:
    (first, *_) = lived("chat", 4)
    once, twice = mapped(first).graph, mapped(first, first).graph
    assert set(once.nodes) == set(twice.nodes)
    assert set(once.transitions) == set(twice.transitions)


@pytest.mark.parametrize("stop", [StopReason.OUT_OF_STEPS, StopReason.LOOP, StopReason.FALSE_CLAIM])
def test_an_episode_that_did_not_arrive_leaves_every_known_way_as_it_was(stop: StopReason) -> None:
    episodes = lived("chat", 8)
    mapper = mapped(*(replace(e, stop=StopReason.ARRIVED) for e in episodes[:3]))
    graph = mapper.graph
    known, pages = dict(graph.transitions), list(graph.nodes)
    before = ways(graph, pages)
    for episode in episodes[3:]:
        mapper.absorb(replace(episode, stop=stop))
    assert len(graph.nodes) > len(pages)
    assert all(graph.transitions[at] == known[at] for at in known)
    assert ways(graph, pages) == before


def test_pages_that_only_a_broken_episode_showed_are_reached_its_way() -> None:
    broken = [replace(e, stop=StopReason.OUT_OF_STEPS) for e in lived("chat", 4)]
    whole = [replace(e, stop=StopReason.ARRIVED) for e in lived("chat", 4)]
    graph = mapped(*broken).graph
    assert len(list(graph.pages())) == len(list(mapped(*whole).graph.pages()))
    assert all(p.found for p in ways(graph, [n.id for n in graph.pages()]).values())


def test_an_actor_that_sees_only_pixels_is_learnt_from_as_well() -> None:
    seeing = lived("chat", 4)
    blind = [
        replace(e, steps=tuple(replace(s, decision=Decision(_bare(s.decision.action))) for s in e.steps))
        for e in seeing
    ]
    assert set(mapped(*blind).graph.transitions) == set(mapped(*seeing).graph.transitions)


def _bare(action: Action) -> Action:
    return replace(action, target=None) if isinstance(action, (Tap, LongPress, TypeText)) else action


def test_a_point_is_meant_for_the_smallest_control_under_it() -> None:
    small = Element(Role.BUTTON, text="Edit", bounds=Bounds(900, 320, 1000, 400), clickable=True)
    text = Element(Role.TEXT, text="Alarm", bounds=Bounds(0, 300, 800, 420))
    row = Element(Role.ITEM, bounds=Bounds(0, 300, 1080, 420), clickable=True, children=(text, small))
    screen = Screen(Element(bounds=Bounds(0, 0, 1080, 2400), children=(row,)))
    edit = pointed(Tap((950, 350)), screen)
    assert isinstance(edit, Tap)
    assert edit.target is not None
    assert edit.target.label == "Edit"
    assert edit.at == (950, 350)
    assert edit.target in [getattr(c.action, "target", None) for c in controls(screen)]
    assert pointed(Tap((50, 2000)), screen) == Tap((50, 2000))
    assert pointed(Press("back"), screen) == Press("back")


def test_an_episode_that_begins_with_a_permission_has_its_root_behind_it() -> None:
    episodes = lived("mail", 2)
    graph = mapped(*episodes, app="com.pocket.mail").graph
    assert graph.root is not None
    assert graph.nodes[graph.root].depth == 0


def test_an_episode_without_an_after_is_taken_as_far_as_it_goes() -> None:
    (first, *_) = lived("chat", 4)
    cut = Episode(Task("t", "", "x"), first.steps[:3], None, StopReason.DEVICE_LOST)
    graph = mapped(cut).graph
    assert graph.root is not None
    assert len(graph.transitions) <= 2


def test_an_empty_episode_changes_nothing() -> None:
    graph = mapped(Episode(Task("t", "", "x"), (), None, StopReason.NOT_ON_MAP)).graph
    assert not graph.nodes
