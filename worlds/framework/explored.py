"""A phone on a JVM, served and explored through the real adb in; how the map stands against the truth, out.

    python -m worlds.framework.explored framework:5110 --map FOLDER [--minutes 15] [--apk FILE] [--json]

The truth is what the phone says of itself beside each look: the activity, what it was started with, and the
windows over it. With the APK, the map is held against the tree that the labels of its activities make, too.
Nothing of either reaches whoever explores.
"""

import argparse
import contextlib
import json
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from waypost.adapters.apk import read_apk, static_graph
from waypost.adapters.framework import FrameworkDevice
from waypost.adapters.phone import Phone
from waypost.adapters.through import Through
from waypost.bench.coverage import StepLog, Truth, coverage
from waypost.exploration import ExploreConfig
from waypost.mapping import StepSeen
from waypost.model import NodeId, Observation
from waypost.parts.devices import open_device, parse_device
from waypost.parts.exploring import Map, surveyed
from waypost.parts.origin import Origin, write_origin
from waypost.protocols import Device

__all__ = ["Labelled", "main", "served"]


class Labelled(Through):
    """A device over adb whose looks are kept with what the phone behind it says they show."""

    def __init__(self, device: Device, phone: FrameworkDevice, first: str = "") -> None:
        super().__init__(device)
        self._phone, self._first = phone, first
        self.labels: dict[float, str] = {}
        self.looks: dict[float, Observation] = {}

    def observe(self, *, pixels: bool = False) -> Observation:
        seen = self._device.observe(pixels=pixels)
        self.labels[seen.seen_at] = page(self._phone.where())
        self.looks[seen.seen_at] = replace(seen, image=b"")
        return seen

    def restart(self, app: str = "") -> None:
        """Start the app afresh; by the activity that was named, where one was."""
        if self._first:
            self._phone.open(self._first)
        else:
            self._device.restart(app)


def page(where: str) -> str:
    """Return the true page as a label; empty for what is no page of the app."""
    # A popup's window is named by its address in memory, which is another one each time.
    parts = where.split("+")
    kinds = [p.partition(":")[0] for p in parts[1:]]
    return "" if where in ("", "home", "outside", "crash") else "+".join([parts[0], *kinds])


def tree(apk: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return the samples and menus, as true pages, of an app that lists its activities by their labels."""
    claimed = static_graph(read_apk(apk))
    menus, samples = set[str](), set[str]()
    for t in claimed.transitions.values():
        if ":row:" in t.key:
            lister, _, path = t.source.partition("#")
            menus.add(f"{lister}|{path}")
            if "#" not in t.target:
                samples.add(str(t.target))
    return frozenset(samples), frozenset(menus)


def covered(apk: Path, pages: frozenset[str]) -> dict[str, int]:
    """Count what of an app's tree was seen."""
    samples, menus = tree(apk)
    activities = {p.split("|")[0].split("+")[0] for p in pages}
    # A menu is started with its path among what else it is told.
    told = {f"{p.split('|')[0]}|{p.partition('Path=')[2].split(',')[0]}" for p in pages if "+" not in p}
    return {
        "samples": len(samples),
        "samples_seen": len(samples & activities),
        "menus": len(menus),
        "menus_seen": len(menus & told),
    }


def logged(steps: list[StepSeen], labelled: Labelled, known: Map) -> StepLog:
    """Return the steps as the finished map has them: those of pages that were parted are placed anew."""
    log = StepLog(lambda at: labelled.labels.get(at, ""))
    parted = frozenset(known.mapper.levels.parted)

    def placed(node: NodeId, at: float) -> NodeId:
        found = known.mapper.locate(labelled.looks[at]) if node in parted else None
        return found.node if found is not None else node

    for s in steps:
        if labelled.labels.get(s.before_at) and labelled.labels.get(s.after_at):
            ends = placed(s.source, s.before_at), placed(s.target, s.after_at)
            log.add(ends[0], s.key, ends[1], s.before_at, s.after_at)
    return log


@contextlib.contextmanager
def served(address: str) -> Iterator[tuple[Device, FrameworkDevice]]:
    """Serve the phone, and give it as the real adb shows it, behind an adb server of its own."""
    phone = FrameworkDevice(address.removeprefix("framework:"))
    with tempfile.TemporaryDirectory() as home, Phone(phone, port=0) as handset:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        os.environ |= {"ANDROID_ADB_SERVER_PORT": str(port), "TMPDIR": home}
        try:
            subprocess.run(["adb", "connect", handset.serial], check=True, capture_output=True)
            device = open_device(parse_device(f"adb:{handset.serial}"))
            yield device, phone
            device.close()
        finally:
            subprocess.run(["adb", "kill-server"], check=False, capture_output=True)


def main() -> None:
    """Explore, and hold the map against the phone's own words."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("device", help="framework:HOST:PORT")
    parser.add_argument("--map", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--actions", type=int)
    parser.add_argument("--apk", type=Path, help="the app's package, for its tree of labels")
    parser.add_argument(
        "--first", default="", help="the activity to start by, where the app's own hides the rest"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    steps: list[StepSeen] = []
    with served(asked.device) as (device, phone):
        labelled = Labelled(device, phone, asked.first)
        labelled.restart()
        began = time.monotonic()
        config = ExploreConfig(actions=asked.actions, minutes=asked.minutes, seed=asked.seed)
        with surveyed(labelled, asked.map, config, listener=steps.append) as known:
            write_origin(asked.map, Origin(parse_device(asked.device)))
            known.name_choosers()
            known.remember()
            seconds = time.monotonic() - began
            pages = frozenset(filter(None, labelled.labels.values()))
            log = logged(steps, labelled, known)
            found = coverage(known.graph, log, Truth(pages, pages), known.mapper.resolve)
        told = {
            **found.as_json(),
            "activities_seen": len({p.split("|")[0].split("+")[0] for p in pages}),
            **(covered(asked.apk, pages) if asked.apk else {}),
            "deaths": len(phone.deaths),
            "left_the_app": len(phone.left),
            "seconds": round(seconds),
            "actions_a_second": round(len(steps) / seconds, 3),
            "split": found.split,
            "merged": found.merged,
        }
    print(json.dumps(told, indent=None if asked.json else 1))


if __name__ == "__main__":
    main()
