"""Go to every target of a world by its hand-made route: a running world in, a table of faults out.

    python -m worlds.verify NAME --url ADDRESS [--storage-state FILE] [--tasks FILE] [--only ID,ID]
        [--keep FOLDER]

Checked: each route arrives by the bench's own judge; no target passes on another's page or on the
start page; no label of several words on the target, or on the way, stands in the sentence.
"""

import argparse
import json
import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from worlds.routes import Step, labels, look_until, walk

from waypost.adapters.browser import BrowserConfig, BrowserDevice
from waypost.bench.judge import LookJudge
from waypost.bench.tasks import read_tasks
from waypost.errors import WaypostError
from waypost.model import ImageStatus, Observation, Screen, Task
from waypost.model.codec import decode, encode

__all__ = ["Routes", "Tour", "borrowed", "read_routes", "strangers", "words"]

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Routes:
    """What `routes.yaml` says."""

    ready: str
    """Pattern of a label that shows once the start page has loaded."""
    routes: dict[str, tuple[Step, ...]]
    """Steps by task id, macros written out."""
    fresh: tuple[str, ...] = ()
    """Tasks after which the browser is started anew, because its stored state has changed."""


def read_routes(path: Path) -> Routes:
    """Read a route file, and write its macros out."""
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    macros: dict[str, list[Step]] = data.get("macros", {})

    def written_out(steps: Iterable[Step]) -> tuple[Step, ...]:
        return tuple(
            s
            for step in steps
            for s in (macros[step] if isinstance(step, str) and step in macros else [step])
        )

    routes = {str(k): written_out(v) for k, v in data["routes"].items()}
    return Routes(str(data["ready"]), routes, tuple(data.get("fresh", ())))


def words(text: str) -> str:
    """Return lower-case words with single spaces, to compare wordings.

    >>> words("Don't  use a Server!")
    'don t use a server'
    """
    return " ".join(re.findall(r"\w+", text.casefold()))


def borrowed(sentence: str, shown: Iterable[str]) -> list[str]:
    """Return the labels of two or more words that stand word for word in a sentence.

    >>> borrowed("Open the cash flow chart", ["Cash Flow", "Chart", "Net Worth"])
    ['Cash Flow']
    """
    said = f" {words(sentence)} "
    return [x for x in dict.fromkeys(shown) if " " in words(x) and f" {words(x)} " in said]


@dataclass(slots=True)
class Tour:
    """One walk through all routes of a world; keeps what was seen at their ends."""

    device: BrowserDevice
    routes: Routes
    faults: list[str] = field(default_factory=list)
    ends: dict[str, Screen] = field(default_factory=dict)

    def start(self, *, again: bool) -> Observation:
        """Show the start page, loaded."""
        if again:
            self.device.restart()
        ready = re.compile(self.routes.ready)
        return look_until(self.device, lambda s: any(ready.search(x) for x in labels(s)))

    def go(self, task: Task, steps: tuple[Step, ...]) -> Observation:
        """Walk one route; a fault is noted, never raised."""
        judge = LookJudge()
        try:
            seen_labels = walk(self.device, steps)
        except WaypostError as e:
            self.faults.append(f"{task.id}: {e}")
            return self.device.observe(pixels=True)
        look_until(self.device, lambda s: judge.judge(task, Observation(s)).passed)
        seen = self.device.observe(pixels=True)
        verdict = judge.judge(task, seen)
        if not verdict.passed:
            self.faults.append(
                f"{task.id}: not there: {verdict.reason}; {'; '.join(labels(seen.screen))[:300]}"
            )
        for label in borrowed(task.instruction, [*seen_labels, *labels(seen.screen)]):
            self.faults.append(f"{task.id}: the sentence borrows {label!r} from the screen")
        return seen


def strangers(tasks: Iterable[Task], ends: dict[str, Screen]) -> list[str]:
    """Return where a target passes on a page that is not its own."""
    judge = LookJudge()
    return [
        f"{task.id}: also passes on the page of {other}"
        for task in tasks
        for other, screen in ends.items()
        if other != task.id and task.target is not None and judge.judge(task, Observation(screen)).passed
    ]


def main(arguments: list[str]) -> int:
    """Verify one world; 0 where everything holds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("world")
    parser.add_argument("--url", required=True)
    parser.add_argument("--storage-state", type=Path)
    parser.add_argument("--tasks", default="tasks.yaml", help="task file in the world's folder")
    parser.add_argument("--only", default="", help="ids, comma-separated")
    parser.add_argument(
        "--keep", type=Path, help="folder for what was seen at each end; earlier looks there count too"
    )
    asked = parser.parse_args(arguments)
    tasks = read_tasks(HERE / asked.world / asked.tasks).tasks
    routes = read_routes(HERE / asked.world / "routes.yaml")
    only = set(asked.only.split(",")) - {""}
    wanted = [t for t in tasks if t.id in routes.routes and (not only or t.id in only)]
    faults = _tour(asked, routes, wanted)
    print("\n".join(faults))
    print(f"{len(wanted)} routes, {len(faults)} faults")
    return 1 if faults else 0


def _tour(asked: Any, routes: Routes, wanted: list[Task]) -> list[str]:
    config = BrowserConfig(storage_state=asked.storage_state)
    tour = Tour(BrowserDevice(asked.url, config=config), routes)
    again = False
    try:
        _keep(asked.keep, "start", tour, tour.start(again=False))
        for task in wanted:
            began, before = time.monotonic(), len(tour.faults)
            tour.start(again=again)
            _keep(asked.keep, task.id, tour, tour.go(task, routes.routes[task.id]))
            print(
                f"{time.monotonic() - began:6.1f} s  {task.id}",
                *tour.faults[before:],
                sep="\n  ",
                file=sys.stderr,
            )
            again = task.id not in routes.fresh
            if not again:
                tour.device.close()
                tour.device = BrowserDevice(asked.url, config=config)
    finally:
        tour.device.close()
    every = read_tasks(HERE / asked.world / asked.tasks).tasks
    return [*tour.faults, *strangers(every, {**_kept(asked.keep), **tour.ends})]


def _keep(folder: Path | None, name: str, tour: Tour, seen: Observation) -> None:
    """Remember a look, on disk too where a folder is given."""
    tour.ends[name] = seen.screen
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(encode(seen.screen)), encoding="utf-8")
    if seen.image_status is ImageStatus.SHOWN:
        (folder / f"{name}.png").write_bytes(seen.image)


def _kept(folder: Path | None) -> dict[str, Screen]:
    """Return the looks of earlier tours."""
    files = folder.glob("*.json") if folder else ()
    return {f.stem: decode(Screen, json.loads(f.read_text(encoding="utf-8"))) for f in files}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
