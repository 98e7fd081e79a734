"""Make the clean map of a world by hand: its routes walked once each in, a map for the arm `manual` out.

    python -m worlds.manual NAME --url ADDRESS --map STORE/maps/NAME/manual [--storage-state FILE]

Every route of routes.yaml is walked from a fresh start, taken down, and folded into the map, as `waypost
learn` does with anybody's episodes. Nothing of the tasks but where they end gets in: no id and no sentence.
"""

import argparse
import sys
from pathlib import Path

from worlds.routes import walk
from worlds.verify import HERE, Tour, read_routes

from waypost.adapters.browser import BrowserConfig, BrowserDevice
from waypost.bench.tasks import read_tasks
from waypost.errors import WaypostError
from waypost.mapping.settle import settled
from waypost.model import Episode
from waypost.parts.benchmaps import MANUAL, Stamp, stamp
from waypost.parts.devices import DeviceOptions, DeviceSpec
from waypost.parts.face import open_map
from waypost.parts.learning import learned
from waypost.parts.origin import Origin, write_origin
from waypost.parts.taped import Taped


def main(arguments: list[str]) -> int:
    """Walk and learn; 0 where every route could be walked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("world")
    parser.add_argument("--url", required=True)
    parser.add_argument("--map", type=Path, required=True)
    parser.add_argument("--storage-state", type=Path)
    asked = parser.parse_args(arguments)
    config = BrowserConfig(storage_state=asked.storage_state)
    routes = read_routes(HERE / asked.world / "routes.yaml")
    tasks = read_tasks(HERE / asked.world / "tasks.yaml")
    wanted = [t.id for t in tasks.tasks if t.id in routes.routes]
    episodes: list[Episode] = []
    lost = 0
    for number, name in enumerate(wanted):
        # A browser of its own for each: no route begins where another has left something.
        device = BrowserDevice(asked.url, config=config)
        taped = Taped(device)
        try:
            Tour(device, routes).start(again=False)
            settled(taped)
            walk(taped, routes.routes[name])
            episodes.append(taped.episode(f"route {number}", pixels=True))
        except WaypostError as e:
            lost += 1
            print(f"{name}: {e}", file=sys.stderr)
        finally:
            taped.close()
    learned(episodes, asked.map)
    options = DeviceOptions(storage_state=asked.storage_state)
    write_origin(asked.map, Origin(DeviceSpec("browser", asked.url), options))
    with open_map(asked.map) as known:
        known.remember()
        pages, steps = len(known.pages()), known.graph.steps
    stamp(asked.map, Stamp(asked.world, MANUAL, version=tasks.version, actions=steps))
    print(f"{len(episodes)} routes, {pages} pages, {steps} steps, {lost} routes lost")
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
