"""Run tasks with a map on a web app, directly and over adb: a task file in, both figures side by side out.

    python benchmarks/adb_tasks.py worlds/actual/tasks.yaml --map budget

The map says which web app it is of, and with which state it starts (`waypost explore browser:...`, or
`adb:...` with `--device browser:URL --storage-state FILE` here). Both ways start each task on a browser of
its own in that state: over adb, it is served afresh by `waypost phone` in a process of its own, on one port
throughout, behind Debian's adb with a server of its own.
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
from dataclasses import replace
from pathlib import Path

from waypost.bench import Trial, figures, read_tasks
from waypost.parts.benching import BenchRequest, benched
from waypost.parts.devices import DeviceOptions
from waypost.parts.folders import map_folder
from waypost.parts.origin import read_origin


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(device: str, state: Path | None, port: int) -> Iterator[None]:
    """Serve a device in a process of its own, connected to."""
    words = [sys.executable, "-m", "waypost", "phone", device, "--port", str(port), "--json"]
    words += ["--storage-state", str(state)] if state else []
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as phone:
        assert phone.stdout is not None
        phone.stdout.readline()
        subprocess.run(["adb", "connect", f"127.0.0.1:{port}"], check=True, capture_output=True)
        try:
            yield
        finally:
            subprocess.run(["adb", "disconnect", f"127.0.0.1:{port}"], check=False, capture_output=True)
            phone.terminate()


def tried(request: BenchRequest) -> Trial:
    """Run the one task that a request asks for."""
    (trial,) = benched(request).trials
    return trial


def told(way: str, trials: list[Trial], seconds: float) -> dict[str, object]:
    counted = figures(trials)["map"]
    missed = [t.task.id for t in trials if not (t.success or t.abstained)]
    return {"way": way, **counted.as_json(), "missed": missed, "seconds": round(seconds)}


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
    request = BenchRequest(
        args.tasks, (args.map,), web, DeviceOptions(storage_state=state), baseline=False, seed=0
    )
    tasks = read_tasks(args.tasks).tasks[: args.first or None]
    trials: dict[str, list[Trial]] = {"direct": [], "adb": []}
    spent = {"direct": 0.0, "adb": 0.0}
    port = free_port()
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"ANDROID_ADB_SERVER_PORT": str(free_port()), "TMPDIR": home}
        for task in tasks:
            for way in ("direct", "adb"):
                if args.way not in (way, "both"):
                    continue
                only = replace(request, only=(task.id,))
                began = time.perf_counter()
                if way == "direct":
                    trial = tried(only)
                else:
                    with served(web, state, port):
                        trial = tried(replace(only, device=f"adb:127.0.0.1:{port}"))
                spent[way] += time.perf_counter() - began
                trials[way].append(trial)
                ended = "reached" if trial.success else "absent" if trial.abstained else trial.reason
                print(f"{way}: {task.id}: {ended}", file=sys.stderr)
        subprocess.run(["adb", "kill-server"], check=False, capture_output=True)
    print(json.dumps([told(w, t, spent[w]) for w, t in trials.items() if t], indent=2))


if __name__ == "__main__":
    main()
