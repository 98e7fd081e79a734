"""A map and a phone on a JVM in; how many of the map's steps still lead where it says, out.

    python -m worlds.framework.rewalked framework:127.0.0.1:5110 --map FOLDER [--steps 200] [--json]

Each page is opened by its activity, as `am start -n` does, so that only the step itself is walked. Steps from
and to the start page are left out: a page that stands for many menus is not opened so.
"""

import argparse
import json
import random
from collections import Counter
from pathlib import Path

from waypost.adapters.framework import FrameworkDevice
from waypost.errors import DeviceError
from waypost.mapping import Mapper, MapStore, regrounded
from waypost.model import PageKind, Transition

__all__ = ["main"]


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
    steps = [
        t
        for t in graph.transitions.values()
        if graph.nodes[t.source].kind is PageKind.PAGE and graph.root not in (t.source, t.target)
    ]
    random.Random(asked.seed).shuffle(steps)
    with FrameworkDevice(asked.device.removeprefix("framework:")) as device:
        found = Counter(_walked(device, mapper, step) for step in steps[: asked.steps])
    told = {"steps": len(steps), "tried": sum(found.values()), **dict(found.most_common())}
    print(json.dumps(told, indent=None if asked.json else 1))


def _walked(device: FrameworkDevice, mapper: Mapper, step: Transition) -> str:
    graph = mapper.graph
    try:
        device.open(graph.nodes[step.source].looks[0].observation.screen.activity)
        before = device.observe()
        at = mapper.locate(before)
        if at is None or mapper.resolve(at.node) != step.source:
            return "not the page that its activity opens with"
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
        return "led there again" if left else "led elsewhere"
    same = at is not None and mapper.resolve(at.node) == step.target
    return "led there again" if same else "led elsewhere"


if __name__ == "__main__":
    main()
