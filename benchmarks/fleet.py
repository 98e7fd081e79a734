"""How much sooner more devices are done: slow devices in, seconds, speed-up and equal maps out.

    python -m benchmarks.fleet [--devices 1,2,4,8] [--latency 0.15] [--json]

Each device is a small made-up app of 40 pages that answers as slowly as a phone: every action and every
look waits. `same` says whether the map has the same pages and ways as the one that a single device made.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.exploration.toy import Toy
from waypost.mapping import MapStore
from waypost.model import Action, AppGraph, Observation
from waypost.parts.fleet import FleetRequest, fleet

__all__ = ["speed_up"]

_PAGES, _WIDE = 40, 4


def _app() -> dict[str, dict[str, str]]:
    """Return pages in a tree, each with a title and buttons of its own."""
    heads = ("Amber", "Birch", "Cedar", "Dahlia", "Elder", "Fern", "Ginger", "Hazel")
    tails = ("garden", "harbour", "station", "market", "library")
    names = [f"{heads[n % 8]} {tails[n // 8]}" for n in range(_PAGES)]
    pages = {}
    for n, name in enumerate(names):
        below = range(_WIDE * n + 1, min(_PAGES, _WIDE * n + _WIDE + 1))
        pages[name] = {names[c]: names[c] for c in below} or {f"Leave {name}": names[0]}
    return pages


class Slow(Toy):
    """Waits as a phone does."""

    latency = 0.15

    def observe(self, *, pixels: bool = False) -> Observation:
        time.sleep(self.latency)
        return super().observe(pixels=pixels)

    def perform(self, action: Action) -> None:
        time.sleep(self.latency)
        super().perform(action)


def _shown(graph: AppGraph) -> tuple[Any, Any]:
    called = {n.id: n.looks[0].observation.screen.activity for n in graph.nodes.values()}
    ways = {
        (called[t.source], t.key, called[t.target])
        for t in graph.transitions.values()
        if t.key.startswith("tap")
    }
    return set(called.values()), ways


def speed_up(counts: tuple[int, ...] = (1, 2, 4, 8), latency: float = 0.15) -> list[dict[str, Any]]:
    """Explore the same app with each number of devices."""
    Slow.latency = latency
    rows: list[dict[str, Any]] = []
    first: Any = None
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            done = fleet(
                [Slow(_app()) for _ in range(count)], Path(folder) / "m", FleetRequest(pictures=False)
            )
            spent = time.perf_counter() - began
            store = MapStore.open(Path(folder) / "m", readonly=True)
            shown = _shown(store.load())
            store.close()
        first = first or (spent, shown)
        rows.append(
            {
                "devices": count,
                "seconds": round(spent, 1),
                "speed_up": round(first[0] / spent, 2),
                "actions": done.actions,
                "pages": done.pages,
                "same": shown == first[1],
                "stop": done.stop_reason,
            }
        )
    return rows


def main() -> None:
    """Print one row a number of devices."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--devices", default="1,2,4,8")
    parser.add_argument("--latency", type=float, default=0.15)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rows = speed_up(tuple(map(int, asked.devices.split(","))), asked.latency)
    if asked.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            print(" ".join(f"{k} {v}" for k, v in row.items()))


if __name__ == "__main__":
    main()
