"""A map and a phone on a JVM in; how many of the map's steps still lead where it says, out.

    python -m worlds.framework.rewalked framework:127.0.0.1:5110 --map FOLDER [--steps 200] [--json]

Each page is opened by its activity, as `am start -n` does, so that only the step itself is walked. What an
activity does not open with (a dialog, a menu of the app, what was scrolled to) is gone to by the map instead.
"""

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path

from waypost.actors import Follower
from waypost.adapters.framework import FrameworkDevice
from waypost.errors import DeviceError
from waypost.guidance import silent
from waypost.mapping import Mapper, MapStore, regrounded
from waypost.model import PageKind, Press, Task, Transition
from waypost.navigate import arrival, navigate
from waypost.planning import ShortestPath

__all__ = ["main"]

_AGAIN = "led there again"
_HOPS = 20
"""Actions that may be spent on the way to a page."""


def main() -> None:
    """Walk so many steps of a map again, chosen at random, and count what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("device", help="framework:HOST:PORT")
    parser.add_argument("--map", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    mapper = Mapper(MapStore.open(asked.map, readonly=True).load())
    graph = mapper.graph
    steps = [t for t in graph.transitions.values() if graph.nodes[t.source].kind is PageKind.PAGE]
    random.Random(asked.seed).shuffle(steps)
    with FrameworkDevice(asked.device.removeprefix("framework:")) as device:
        came = [(_walked(device, mapper, step), step) for step in steps[: asked.steps]]
    found = Counter(what for what, _ in came)
    for what, step in came:
        if what != _AGAIN:
            ends = graph.nodes[step.source].name, graph.nodes[step.target].name
            print(f"{what}: {ends[0]} -> {step.key} -> {ends[1]}", file=sys.stderr)
    told = {"steps": len(steps), "tried": sum(found.values()), **dict(found.most_common())}
    print(json.dumps(told, indent=None if asked.json else 1))


def _walked(device: FrameworkDevice, mapper: Mapper, step: Transition) -> str:
    graph = mapper.graph
    try:
        if not _stands(device, mapper, step):
            return "its page was not reached"
        before = device.observe()
        aimed = getattr(step.action, "target", None) is not None
        action = regrounded(step.action, before.screen) if aimed else step.action
        if action is None:
            return "its control is not in view"
        device.perform(action)
    except DeviceError:
        return "could not be done"
    after = device.observe()
    at = mapper.locate(after)
    if graph.nodes[step.target].kind is not PageKind.PAGE:
        left = bool(after.screen.overlay) or after.screen.app != graph.app
        return _AGAIN if left else "led elsewhere"
    same = at is not None and mapper.resolve(at.node) == step.target
    return _AGAIN if same else "led elsewhere"


def _stands(device: FrameworkDevice, mapper: Mapper, step: Transition) -> bool:
    """Bring the phone to the page that a step is taken from; for Back, by the way that was once come."""
    page = step.source
    if not isinstance(step.action, Press):
        device.open(mapper.graph.nodes[page].looks[0].observation.screen.activity)
        at = mapper.locate(device.observe())
        if at is not None and at.node == page:
            return True
    device.restart()
    follower = Follower(mapper, ShortestPath(), page)
    task = Task("rewalk", mapper.graph.app, "")
    return (
        navigate(task, device, follower, silent, verify=arrival(mapper, page), limit=_HOPS).verified is True
    )


if __name__ == "__main__":
    main()
