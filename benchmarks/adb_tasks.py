"""Run tasks with a map on a web app, directly and over adb: a task file in, both figures side by side out.

    python benchmarks/adb_tasks.py worlds/actual/tasks.yaml --map budget

The map says which web app it is of, and with which state it starts (`waypost explore browser:...`; for one
that was explored over adb, say `--device browser:URL --storage-state FILE` here). Both ways start each task
on a browser of its own in that state: over adb, it is served afresh by `waypost phone` in a process of its
own, behind Debian's adb with a server of its own.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from waypost.adapters.through import Through
from waypost.bench import Arm, LookJudge, Trial, figures, read_tasks, run, same_place
from waypost.model import Episode, Task
from waypost.parts.arms import mapped
from waypost.parts.devices import DeviceOptions, open_device, parse_device
from waypost.parts.face import Map, open_map
from waypost.parts.folders import map_folder
from waypost.parts.origin import read_origin


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class OverAdb(Through):
    """A device that is served in a process of its own, and driven through the real adb; closing ends it."""

    def __init__(self, name: str, state: Path | None) -> None:
        words = [sys.executable, "-m", "waypost", "phone", name, "--port", "0", "--json"]
        words += ["--storage-state", str(state)] if state else []
        self._phone = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self._phone.stdout is not None
        self._serial = json.loads(self._phone.stdout.readline())["serial"]
        subprocess.run(["adb", "connect", self._serial], check=True, capture_output=True)
        super().__init__(open_device(parse_device(f"adb:{self._serial}")))

    def close(self) -> None:
        self._device.close()
        subprocess.run(["adb", "disconnect", self._serial], check=False, capture_output=True)
        self._phone.terminate()
        self._phone.communicate()


@contextmanager
def own_server() -> Iterator[None]:
    """Point adb and whoever asks it to a server on a port of its own."""
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"ANDROID_ADB_SERVER_PORT": str(free_port()), "TMPDIR": home}
        try:
            yield
        finally:
            subprocess.run(["adb", "kill-server"], check=False, capture_output=True)


def tried(task: Task, arm: Arm, known: Map) -> Trial:
    def as_named(episode: Episode) -> bool:
        if episode.goal is None or episode.final is None:
            return False
        final, looks = episode.final.screen, known.graph.nodes[episode.goal].looks
        return any(same_place(look.observation.screen, final) for look in looks)

    (trial,) = run([task], {"map": arm}, LookJudge(), as_named=as_named)
    return trial


def told(way: str, trials: list[Trial], seconds: float) -> dict[str, object]:
    missed = [t.task.id for t in trials if not (t.success or t.abstained)]
    return {"way": way, **figures(trials)["map"].as_json(), "missed": missed, "seconds": round(seconds)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tasks", type=Path)
    parser.add_argument("--map", required=True)
    parser.add_argument("--device", default="", help="the web app: browser:URL; by default the map's own")
    parser.add_argument("--storage-state", type=Path)
    parser.add_argument("--way", choices=("direct", "adb", "both"), default="both")
    parser.add_argument("--first", type=int, default=0, help="only so many tasks")
    args = parser.parse_args()
    origin = read_origin(map_folder(args.map))
    web = args.device or str(origin.device)
    state = args.storage_state or origin.options.storage_state
    ways = {
        "direct": lambda _: open_device(parse_device(web), DeviceOptions(storage_state=state)),
        "adb": lambda _: OverAdb(web, state),
    }
    trials: dict[str, list[Trial]] = {way: [] for way in ways if args.way in (way, "both")}
    spent = dict.fromkeys(trials, 0.0)
    with own_server():
        known = open_map(args.map)
        for task in read_tasks(args.tasks).tasks[: args.first or None]:
            for way, done in trials.items():
                began = time.perf_counter()
                trial = tried(task, mapped(lambda _: known, ways[way]), known)
                spent[way] += time.perf_counter() - began
                done.append(trial)
                ended = "reached" if trial.success else "absent" if trial.abstained else trial.reason
                print(f"{way}: {task.id}: {ended}", file=sys.stderr, flush=True)
        known.close()
    print(json.dumps([told(w, t, spent[w]) for w, t in trials.items()], indent=2))


if __name__ == "__main__":
    main()
