"""What exploration costs besides the device: a device in, the share of its time that Waypost adds out.

    python -m benchmarks.overhead pocket:settings [--actions 200] [--json]
    python -m benchmarks.overhead browser:http://127.0.0.1:5106/ --storage-state state.json --actions 150

`overhead` is everything that exploration does while the device does nothing (recognising, choosing, writing
the map), as a share of the time that the device takes; `steps_per_s` counts actions. The embedded phone is
a program of a few hundred microseconds a step: a share of its time says nothing about phones, and is
given as `ms_per_step` only.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from waypost.model import Action, Observation
from waypost.parts.devices import DeviceOptions, open_device, parse_device
from waypost.parts.exploring import ExploreRequest, surveyed
from waypost.protocols import Device

__all__ = ["overhead"]


class Watched:
    """Hands everything on to a device, and adds up how long that takes."""

    def __init__(self, inner: Device) -> None:
        self._inner = inner
        self.spent = 0.0
        self.acted = self.looked = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def observe(self, *, pixels: bool = False) -> Observation:
        began = time.perf_counter()
        try:
            return self._inner.observe(pixels=pixels)
        finally:
            self.spent += time.perf_counter() - began
            self.looked += 1

    def perform(self, action: Action) -> None:
        began = time.perf_counter()
        try:
            self._inner.perform(action)
        finally:
            self.spent += time.perf_counter() - began
            self.acted += 1

    def restart(self, app: str = "") -> None:
        began = time.perf_counter()
        try:
            self._inner.restart(app)
        finally:
            self.spent += time.perf_counter() - began


def overhead(device: str, actions: int = 200, options: DeviceOptions | None = None) -> dict[str, Any]:
    """Explore into a folder that is thrown away."""
    watched = Watched(open_device(parse_device(device), options))
    try:
        with tempfile.TemporaryDirectory() as folder:
            began, used = time.perf_counter(), time.process_time()
            request = ExploreRequest(actions=actions)
            with surveyed(watched, Path(folder) / "map", request.config()) as known:
                whole, cpu = time.perf_counter() - began, time.process_time() - used
                pages = sum(1 for _ in known.graph.pages())
    finally:
        watched.close()
    own = whole - watched.spent
    return {
        "device": device,
        "actions": watched.acted,
        "looks": watched.looked,
        "pages": pages,
        "steps_per_s": round(watched.acted / whole, 2),
        "device_s": round(watched.spent, 3),
        "own_s": round(own, 3),
        "process_cpu_s": round(cpu, 3),
        "ms_per_step": round(1000 * own / max(1, watched.acted), 3),
        "overhead": round(own / watched.spent, 4),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("device")
    parser.add_argument("--actions", type=int, default=200)
    parser.add_argument("--storage-state", type=Path)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    told = overhead(asked.device, asked.actions, DeviceOptions(storage_state=asked.storage_state))
    print(json.dumps(told, indent=None if asked.json else 1))


if __name__ == "__main__":
    main()
