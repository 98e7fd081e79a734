"""`waypost facts`: an open map and devices that start from nothing in, what opens its gates out."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from waypost.actors import Follower
from waypost.errors import UsageError
from waypost.exploration import Experiment, Finding, guesses, learn_facts
from waypost.guidance import describe, silent
from waypost.mapping import Mapper, dismissal, regrounded, settled
from waypost.model import AppGraph, NodeId, PageKind, Press, StopReason, Task, Transition
from waypost.navigate import NavigateConfig, arrival, navigate
from waypost.parts.devices import DeviceOptions, open_device, parse_device
from waypost.parts.face import Map
from waypost.parts.origin import read_origin
from waypost.planning import ShortestPath
from waypost.protocols import Device

__all__ = ["Facts", "facts_of", "learned"]

_LAYERS = 4


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
    open_ = [
        h
        for h in guesses(known.steps())
        if (at := (h.page, h.key, h.opened)) in graph.transitions and not graph.transitions[at].preconditions
    ]
    told = [
        {
            "step": _step(graph, graph.transitions[h.page, h.key, h.opened]),
            "instead_of": _name(graph, h.closed),
            "after": _step(graph, graph.transitions[h.cause]) if h.cause in graph.transitions else None,
            "seen": h.support,
        }
        for h in open_
    ]
    return Facts(declared, steps, told)


def learned(
    known: Map,
    device: str | None = None,
    *,
    options: DeviceOptions | None = None,
    fresh: Callable[[], Device] | None = None,
) -> list[Finding]:
    """Test what the exploration suggests, each guess on a device that starts from nothing.

    `fresh` opens one; without it the device is opened anew by its name, or by that of the map's origin.
    Raises UsageError for a kind of device whose state outlives its closing.
    """
    if fresh is None:
        fresh = _opener(known, device, options)
    make = fresh
    return learn_facts(known.mapper, known.steps(), lambda: _Walk(make(), known.graph))


def _opener(known: Map, device: str | None, options: DeviceOptions | None) -> Callable[[], Device]:
    origin = read_origin(known.folder)
    spec = parse_device(device) if device is not None else origin.device
    if spec is None:
        raise UsageError("This map does not say which device it was made on; name one with --device")
    if spec.kind not in ("pocket", "browser"):
        raise UsageError(
            f"{str(spec)!r} keeps what was done on it; an experiment needs a device that starts from nothing"
        )
    told = origin.options.overlaid(options)
    return lambda: open_device(spec, told)


class _Walk(Experiment):
    """A device walked by a copy of the map, so that a gate found shut does not count against its step."""

    def __init__(self, device: Device, graph: AppGraph) -> None:
        self._device = device
        copied = replace(graph, nodes=dict(graph.nodes), transitions=dict(graph.transitions))
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
        screen = settled(self._device).screen
        self._device.perform(regrounded(step.action, screen) or step.action)
        for _ in range(_LAYERS):
            after = settled(self._device)
            found = self._mapper.locate(after)
            if found is None or self._mapper.graph.nodes[found.node].kind is not PageKind.OVERLAY:
                return found.node if found else None
            self._device.perform(dismissal(after.screen) or Press("back"))
        return None

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
