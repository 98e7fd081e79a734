"""`waypost facts`: an open map and devices that start from nothing in, what opens its gates out."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from waypost.actors import Follower
from waypost.errors import UsageError
from waypost.exploration import (
    Experiment,
    ExploreConfig,
    Finding,
    Hypothesis,
    StepAt,
    explore,
    learn_facts,
    likely,
)
from waypost.guidance import describe, silent
from waypost.mapping import Mapper, dismissal, regrounded, settled
from waypost.model import (
    AppGraph,
    NodeId,
    Observation,
    PageKind,
    Press,
    StopReason,
    Tap,
    Task,
    Transition,
    TransitionKind,
)
from waypost.navigate import NavigateConfig, arrival, navigate
from waypost.parts.devices import DeviceOptions, parse_device
from waypost.parts.face import Map
from waypost.parts.origin import read_origin
from waypost.planning import ShortestPath, hazard, returning
from waypost.protocols import Device

__all__ = ["Facts", "Walk", "facts_of", "learned"]

_LAYERS = 4
_ROUNDS = 3
"""Second looks: what was found behind a gate may open, or be, another one."""
_BEHIND = 120
"""Actions to explore with, each time that something new was found."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a map knows of facts."""

    declared: list[dict[str, Any]]
    steps: list[dict[str, Any]]
    """Steps that need or make something."""
    guesses: list[dict[str, Any]]
    """What exploration suggests and no experiment has shown."""

    def as_json(self) -> dict[str, Any]:
        return {"facts": self.declared, "steps": self.steps, "guesses": self.guesses}


def facts_of(known: Map) -> Facts:
    """List the facts of a map, the steps that speak of them, and what exploration suggests."""
    graph = known.graph
    declared = [
        {"name": f.name, "initial": f.initial, "volatile": f.volatile, "note": f.note}
        for f in sorted(graph.facts.values(), key=lambda f: f.name)
    ]
    steps = [
        {**_step(graph, t), "needs": list(t.preconditions), "makes": list(t.effects)}
        for t in graph.transitions.values()
        if t.preconditions or t.effects
    ]
    open_ = likely(known.steps(), graph)
    told = [
        {
            "step": _step(graph, graph.transitions[h.page, h.key, h.opened]),
            "instead_of": _name(graph, h.closed),
            "after": _likeliest(graph, h),
            "seen": h.support,
        }
        for h in open_
    ]
    return Facts(declared, steps, told)


def _likeliest(graph: AppGraph, guess: Hypothesis) -> dict[str, Any] | None:
    known = [c for c in guess.causes if c in graph.transitions]
    return _step(graph, graph.transitions[known[0]]) if known else None


def learned(
    known: Map,
    device: str | None = None,
    *,
    options: DeviceOptions | None = None,
    fresh: Callable[[], Device] | None = None,
) -> list[Finding]:
    """Look for gates that opened meanwhile, explore what lies behind them, and find out what opened them.

    A device that starts from nothing is led over every step of the map once, then into every dead end
    again: what leads elsewhere now was gated. Then each step is done on a device of its own: what does
    not lead there from nothing is gated too. `fresh` opens such a device; without it one is opened by
    its name, or by that of the map's origin. Raises UsageError for a kind whose state outlives its closing.
    """
    if fresh is None:
        fresh = _opener(known, device, options)
    make = fresh
    warm = _second_look(known, make())
    cold = _from_nothing(known, make)
    return learn_facts(known.mapper, [*cold, *warm], lambda: Walk(make(), known.graph))


def _from_nothing(known: Map, fresh: Callable[[], Device]) -> list[StepAt]:
    """Return where each action leads on a device on which nothing else was done."""
    done: list[StepAt] = []
    back = returning(known.graph.transitions.values())
    forward = [t for t in _steps(known.graph) if t.key not in back]
    # One outcome stands for the action: it is the same tap, whatever came of it.
    for step in {(t.source, t.key): t for t in forward}.values():
        walk = _Recording(fresh(), known.mapper, done)
        try:
            if walk.go(step.source):
                walk.do(step)
        finally:
            walk.close()
    known.mapper.commit()
    return done


def _second_look(known: Map, device: Device) -> list[StepAt]:
    """Return the steps of the look, oldest first; what is new is added to the map and explored."""
    mapper, graph = known.mapper, known.graph
    done: list[StepAt] = []
    try:
        tried = set[StepAt]()
        for _ in range(_ROUNDS):
            walk = _Recording(device, mapper, done)  # Anew: it walks by the map as it was when it was made.
            pages = len(graph.nodes)
            ends = _dead_ends(graph)
            rounds = [[t for t in _steps(graph) if _at(t) not in tried]]
            rounds.append([t for t in _steps(graph) if t.target in ends])
            for step in [step for turn in rounds for step in turn]:
                tried.add(_at(step))
                if _at(step) in graph.transitions and walk.go(step.source):
                    walk.do(step)
            mapper.commit()
            if len(graph.nodes) == pages:
                break
            explore(device, mapper, ExploreConfig(actions=_BEHIND, pictures=False), clock=time.monotonic)
    finally:
        device.close()
    return done


def _at(step: Transition) -> StepAt:
    return step.source, step.key, step.target


def _steps(graph: AppGraph) -> list[Transition]:
    """List what can be done again on purpose: controls that are harmless, known pages at both ends."""
    return [
        t
        for t in graph.transitions.values()
        if t.kind is TransitionKind.NAVIGATION
        and t.source != t.target
        and isinstance(t.action, Tap)
        and not hazard(t)
    ]


def _dead_ends(graph: AppGraph) -> set[NodeId]:
    """Name the pages that lead nowhere but back: what a shut gate shows instead of what was wanted."""
    back = returning(graph.transitions.values())
    onward = {t.source for t in _steps(graph) if t.key not in back}
    return {n.id for n in graph.pages() if n.id not in onward}


def _opener(known: Map, device: str | None, options: DeviceOptions | None) -> Callable[[], Device]:
    origin = read_origin(known.folder)
    spec = parse_device(device) if device is not None else origin.device
    if spec is None:
        raise UsageError("This map does not say which device it was made on; name one with --device")
    if spec.kind not in ("pocket", "browser"):
        raise UsageError(
            f"{str(spec)!r} keeps what was done on it; an experiment needs a device that starts from nothing"
        )
    return lambda: known.opened(device, options)


class _Recording(Experiment):
    """A device walked by the map itself, which grows by what is done."""

    def __init__(self, device: Device, mapper: Mapper, done: list[StepAt]) -> None:
        self._walk, self._mapper, self._done = Walk(device, mapper.graph), mapper, done

    def go(self, page: NodeId) -> bool:
        return self._walk.go(page)

    def do(self, step: Transition) -> NodeId | None:
        before = self._walk.look()
        if not self._walk.act(step, before):
            return None
        after = self._walk.uncovered()
        source, action = step.source, step.action
        seen = self._mapper.extend(source, action, step.key, after, before=before)
        self._done.append((seen.source, seen.key, seen.target))
        return seen.target

    def restart(self) -> None:
        self._walk.restart()

    def close(self) -> None:
        self._walk.close()


class Walk(Experiment):
    """A device walked by a copy of the map, so that a gate found shut does not count against its step."""

    def __init__(self, device: Device, graph: AppGraph) -> None:
        self._device = device
        copied = replace(
            graph,
            nodes=dict(graph.nodes),
            transitions=dict(graph.transitions),
            skipped=dict(graph.skipped),
            untried=dict(graph.untried),
        )
        self._mapper = Mapper(copied)

    def go(self, page: NodeId) -> bool:
        follower = Follower(self._mapper, ShortestPath(), page)
        episode = navigate(
            Task("experiment", "", ""),
            self._device,
            follower,
            silent,
            verify=arrival(self._mapper, page),
            config=NavigateConfig(restart=False),
        )
        return episode.stop is StopReason.ARRIVED

    def do(self, step: Transition) -> NodeId | None:
        if not self.act(step, self.look()):
            return None
        found = self._mapper.locate(self.uncovered())
        return found.node if found else None

    def look(self) -> Observation:
        return settled(self._device)

    def act(self, step: Transition, before: Observation) -> bool:
        """Do a step where its control is there and harmless; whether it was done."""
        aimed = regrounded(step.action, before.screen)
        if aimed is not None:
            self._device.perform(aimed)
        return aimed is not None

    def uncovered(self) -> Observation:
        """Look, once what lies over the page was dismissed."""
        for _ in range(_LAYERS):
            after = self.look()
            found = self._mapper.locate(after)
            if found is None or self._mapper.graph.nodes[found.node].kind is not PageKind.OVERLAY:
                break
            self._device.perform(dismissal(after.screen) or Press("back"))
        return after

    def restart(self) -> None:
        self._device.restart(self._mapper.graph.app)

    def close(self) -> None:
        self._device.close()


def _step(graph: AppGraph, step: Transition) -> dict[str, Any]:
    return {
        "from": _name(graph, step.source),
        "do": describe(step.action),
        "key": step.key,
        "to": _name(graph, step.target),
    }


def _name(graph: AppGraph, node: NodeId) -> str:
    known = graph.nodes.get(node)
    return known.name if known and known.name else node
