"""Whether exploring for long stays as it began: devices in; memory, speed and the map's state over time out.

    python -m benchmarks.endurance [--steps 100000] [--json]                       # the embedded phone's apps
    python -m benchmarks.endurance browser:http://127.0.0.1:5106/ --minutes 30 --storage-state state.json

Every device has its share of the steps, one after the other in one process: first our frontier, then, when
nothing is left, random walks that never end. Every `--every` steps a reading is taken. `growth` is what
memory grows by in 1,000 steps, and `slowing` what a step takes longer by, in %, both over the later half of
what came after the last new page (`settled_at`), when caches are full, with an interval of 95 % by a
bootstrap over blocks. A busy machine slows everything down, so a piece of work that never changes (reading
the evidence off the first look, the yardstick) is timed at each reading, and `slowing` is of a step's time
in yardsticks. Every other stretch is not timed, but its calls of functions are counted, which no other
program can change: `calls_percent_per_1000` is what they grow by. `quarters` tells the first and the last
quarter since the last new page apart, all three ways. At the end the map is held against itself (`waypost
map check`). `memory_mb` is what the process holds for itself alone, `elsewhere_mb` what the processes that
it started hold, such as a browser's.
"""

import argparse
import cProfile
import gc
import itertools
import json
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.adapters.pocket import apps
from waypost.exploration import ExploreConfig, Progress
from waypost.mapping.settle import settled
from waypost.mapping.signature import signature
from waypost.model import Screen
from waypost.parts.devices import DeviceOptions, open_device, parse_device
from waypost.parts.exploring import surveyed
from waypost.protocols import Device

__all__ = ["children", "endured", "resident"]

_ENDLESS = 10**9
_YARDSTICK = 20
"""Times that the work which never changes is done for one measure of it."""
_ROUNDS = 2_000
_MB = 1_048_576


@dataclass(frozen=True, slots=True)
class Reading:
    """How things stand after so many steps of a device."""

    steps: int
    seconds: float
    cpu: float
    yardstick_ms: float
    calls: float
    """Calls of functions a step since the last reading; 0 where time was taken instead."""
    memory_mb: float
    elsewhere_mb: float
    pages: int
    transitions: int


class _Watch:
    """Takes a reading every so many steps, whatever policy takes them."""

    def __init__(self, every: int, screen: Screen) -> None:
        self.every = every
        self.readings: list[Reading] = []
        self.steps = 0
        self._screen, self._aside = screen, 0.0
        self._counting: cProfile.Profile | None = None
        self._began, self._used = time.monotonic(), time.process_time()

    def seen(self, now: Progress) -> None:
        self.steps += 1
        if self.steps % self.every == 0:
            calls = self.stop()
            gc.collect()
            self.readings.append(self._reading(now, calls))
            print(f"  {self.readings[-1]}", file=sys.stderr, flush=True)
            if not calls:
                self._counting = cProfile.Profile()
                self._counting.enable()

    def stop(self) -> float:
        """Stop counting, and return the calls a step; 0 where nothing was counted."""
        counting, self._counting = self._counting, None
        if counting is None:
            return 0.0
        counting.disable()
        return sum(entry.callcount for entry in counting.getstats()) / self.every

    def _reading(self, now: Progress, calls: float) -> Reading:
        used = time.process_time()
        unremembered = signature.__wrapped__  # type: ignore[attr-defined]
        for _ in range(_YARDSTICK):
            unremembered(self._screen)
        yardstick = time.process_time() - used
        self._aside += yardstick
        return Reading(
            self.steps,
            round(time.monotonic() - self._began, 2),
            round(used + yardstick - self._used - self._aside, 3),
            round(1000 * yardstick / _YARDSTICK, 4),
            round(calls, 1),
            round(resident("self", "Anonymous") / _MB, 2),
            round(sum(map(resident, children())) / _MB, 1),
            now.pages,
            now.transitions,
        )


def endured(
    device: str, steps: int, minutes: float | None, every: int, options: DeviceOptions | None = None
) -> dict[str, Any]:
    """Explore one device for so long, into a folder that is thrown away."""
    opened = open_device(parse_device(device), options)
    watch = _Watch(every, settled(opened).screen)
    with tempfile.TemporaryDirectory() as folder:
        try:
            first = ExploreConfig(actions=steps, minutes=minutes, pictures=True)
            done = _explored(opened, Path(folder) / "map", first, watch)
            left = None if minutes is None else minutes - done["seconds"] / 60
            if watch.steps < steps and (left is None or left > 0):
                then = ExploreConfig("random", steps - watch.steps, left, walks=_ENDLESS, pictures=True)
                done = _explored(opened, Path(folder) / "map", then, watch)
        finally:
            watch.stop()
            opened.close()
    del done["seconds"]
    return {"device": device, "steps": watch.steps, **trends(watch.readings), **done} | {
        "readings": [asdict(r) for r in watch.readings]
    }


def _explored(device: Device, folder: Path, config: ExploreConfig, watch: _Watch) -> dict[str, Any]:
    began = time.monotonic()
    with surveyed(device, folder, config, progress=watch.seen) as known:
        stop = known.graph.stop.value
        seconds = time.monotonic() - began
        return {"stop": stop, "seconds": seconds, "disagreements": known.disagreements()}


def trends(readings: list[Reading]) -> dict[str, Any]:
    """Return how memory and the time of a step changed since the last new page came."""
    if not readings:
        return {}
    last = readings[-1]
    settled = next(r.steps for r in readings if r.pages == last.pages)
    rest = [r for r in readings if r.steps >= settled]
    told: dict[str, Any] = {
        "pages": last.pages,
        "transitions": last.transitions,
        "seconds_in_all": last.seconds,
        "cpu_s": last.cpu,
        "memory_mb": [readings[0].memory_mb, rest[0].memory_mb, last.memory_mb],
        "elsewhere_mb": [readings[0].elsewhere_mb, rest[0].elsewhere_mb, last.elsewhere_mb],
        "settled_at": settled,
    }
    if len(rest) < 32:
        return told
    told["quarters"] = {name: _quarters(values) for name, (_, values) in _costs(rest).items()}
    rest = rest[len(rest) // 2 :]
    thousands = np.array([r.steps for r in rest]) / 1000
    told["growth_mb_per_1000"] = _slope(thousands, np.array([r.memory_mb for r in rest]))
    costs = _costs(rest)
    told["cpu_ms_per_step"] = round(float(np.median(costs["cpu_ms_per_step"][1])), 3)
    told["slowing_percent_per_1000"] = _share(*costs["yardsticks_per_step"])
    told["calls_percent_per_1000"] = _share(*costs["calls_per_step"])
    return told


def _costs(readings: list[Reading]) -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return what a step cost, by three measures: where a stretch ended, in 1,000 steps, and its cost."""
    pairs = list(itertools.pairwise(readings))
    timed = [(a, b, 1000 * (b.cpu - a.cpu) / (b.steps - a.steps)) for a, b in pairs if not b.calls]
    ends = np.array([b.steps for _, b, _ in timed]) / 1000
    plain = [2 * took / (a.yardstick_ms + b.yardstick_ms) for a, b, took in timed]
    counted = [b for _, b in pairs if b.calls]
    return {
        "cpu_ms_per_step": (ends, np.array([took for _, _, took in timed])),
        "yardsticks_per_step": (ends, np.array(plain)),
        "calls_per_step": (np.array([b.steps for b in counted]) / 1000, np.array([b.calls for b in counted])),
    }


def _share(thousands: NDArray[np.float64], values: NDArray[np.float64]) -> dict[str, Any]:
    """Return the slope in % of the middle, not of the first: one odd stretch must not set the scale."""
    return _slope(thousands, 100 * values / np.median(values))


def _quarters(values: NDArray[np.float64]) -> list[float]:
    """Return the median of the first and of the last quarter."""
    n = len(values) // 4
    return [round(float(np.median(part)), 3) for part in (values[:n], values[-n:])]


def _slope(x: NDArray[np.float64], y: NDArray[np.float64]) -> dict[str, Any]:
    """Return the slope of a line, with an interval of 95 %: neighbours depend on each other, so blocks of
    residuals are drawn, not single ones.
    """
    slope, start = np.polyfit(x, y, 1)
    line = start + slope * x
    rest, dice = y - line, np.random.default_rng(7)
    block = max(2, round(len(x) ** 0.5))
    found = []
    for _ in range(_ROUNDS):
        heads = dice.integers(0, len(x) - block + 1, -(-len(x) // block))
        drawn = np.concatenate([rest[h : h + block] for h in heads])[: len(x)]
        found.append(np.polyfit(x, line + drawn, 1)[0])
    low, high = np.percentile(found, [2.5, 97.5])
    return {
        "slope": round(float(slope), 4),
        "ci95": [round(float(low), 4), round(float(high), 4)],
        "n": len(x),
    }


def resident(process: str, kind: str = "Pss") -> int:
    """Return the bytes of memory that a process holds; 0 for one that is gone.

    `Pss` counts its part of what it shares, which changes as others come and go; `Anonymous` is its own.
    """
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text("ascii", "replace")
    except OSError:
        return 0
    line = next((x for x in text.splitlines() if x.startswith(f"{kind}:")), ": 0")
    return 1024 * int(line.split()[1])


def children(of: str = "self") -> list[str]:
    """List the processes that descend from this one, or from another."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[path.parent.name] = path.read_text("ascii", "replace").rpartition(")")[2].split()[1]
        except OSError:
            continue
    me, found = Path("/proc/self").readlink().name if of == "self" else of, []
    for child in parents:
        up = parents.get(child)
        while up is not None and up != me:
            up = parents.get(up)
        if up == me:
            found.append(child)
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("devices", nargs="*", help="default: every app of the embedded phone")
    parser.add_argument("--steps", type=int, default=100_000, help="of all devices together")
    parser.add_argument("--minutes", type=float, help="of each device, where that is less")
    parser.add_argument("--every", type=int, default=200)
    parser.add_argument("--storage-state", type=Path)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    devices = asked.devices or [f"pocket:{app}" for app in apps()]
    options = DeviceOptions(storage_state=asked.storage_state)
    told = []
    for device in devices:
        print(device, file=sys.stderr, flush=True)
        told.append(endured(device, asked.steps // len(devices), asked.minutes, asked.every, options))
        if not asked.json:
            print(json.dumps({k: v for k, v in told[-1].items() if k != "readings"}), flush=True)
    if asked.json:
        print(json.dumps({"devices": told}))


if __name__ == "__main__":
    main()
