"""Tasks behind a gate in a real web app: I Hate Money with a project that has nobody in it.

A bill can be added, and a participant changed, only once there is one; and `Add` adds one only once a name
was typed. Hand-made ways are walked once each, each from a database and a browser that start from nothing.
What typing and unfolding bring about is told by hand, in `facts.yaml`, as users do: neither outlives a
relaunch, so that experiments do not find it. Pages are then gone to from nothing by one follower with two
planners: with facts, and the shortest path alone. Whether one was truly reached is read off its address and
labels.
"""

import json
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.acting_worlds import ROOT, served
from worlds.routes import find, labels, look_until
from worlds.stage import cache_of

from waypost.actors import Follower
from waypost.adapters.browser import BrowserDevice
from waypost.bench.judge import LookJudge
from waypost.bench.stats import wilson
from waypost.guidance import silent
from waypost.model import Episode, NodeId, Observation, Tap, Target, Task, TypeText
from waypost.navigate import arrival, navigate
from waypost.parts.face import Map, open_map
from waypost.parts.learning import learned
from waypost.parts.taped import Taped
from waypost.planning import ShortestPath, Staged
from waypost.protocols import Planner

__all__ = ["browser_gates"]

_NAME = "ihatemoney"
_MENU, _ADD = "Toggle navigation", ["=Add participant", "Add"]
_OPEN = {
    "bills": ([], Target(url="/trip/$", has=("^Nothing to list yet",))),
    "navigation": ([_MENU], Target(has=("^Settle$", "^Statistics$"))),
    "settling": ([_MENU, "Settle"], Target(url="/trip/settle_bills")),
    "statistics": ([_MENU, "Statistics"], Target(url="/trip/statistics")),
    "project": ([_MENU, "Trip"], Target(has=("^History$", "^Settings$"))),
    "history": ([_MENU, "Trip", "History"], Target(url="/trip/history")),
    "settings": ([_MENU, "Trip", "Settings"], Target(url="/trip/edit$")),
    "welcome": (["#! money[?]"], Target(url="/$")),
}
_GATED = {
    "bill": ([*_ADD, "Add a new bill"], Target(has=("^Add a bill$", "^More options$"))),
    "payer": (
        [*_ADD, "Add a new bill", "Who paid[?] Payer"],
        Target(has=("^Who paid[?] Payer$", "^Ann$"), lacks=("^Add a bill$",)),
    ),
    "participants": (_ADD, Target(url="/trip/$", has=("^Ann$", "^Add your first bill$"))),
    "weight": ([*_ADD, "Ann", "edit"], Target(url="/trip/members/[0-9]+/edit", has=("^Weight$",))),
}
_REPEATS = {"gated": 3, "open": 1}
_FACTS = """\
facts:
  name typed: {{volatile: true, note: "lost when the page is loaded anew"}}
  participant unfolded: {{volatile: true}}
steps:
  - {{from: {form}, do: Add participant, makes: [name typed]}}
  - {{from: {form}, do: Add, needs: [name typed]}}
  - {{from: {listed}, do: {row}, makes: [participant unfolded]}}
  - {{from: {listed}, do: edit, needs: [participant unfolded]}}
"""
"""As a user writes it; the row of a participant is known by where it is tapped, for it has no role."""


def browser_gates() -> list[dict[str, Any]]:
    """Return the map's size, and a row for each planner and kind of task."""
    with tempfile.TemporaryDirectory() as home, served(_NAME) as url, _project(url) as fresh:
        folder = Path(home) / "map"
        episodes = {name: _walked(fresh, *way) for name, way in {**_OPEN, **_GATED}.items()}
        learned(list(episodes.values()), folder)
        with open_map(folder) as known:
            told = _FACTS.format(**_names(known, episodes))
        (folder / "facts.yaml").write_text(told, encoding="utf-8")
        with open_map(folder) as known:
            rows: list[dict[str, Any]] = [{"pages": len(known.pages()), "facts": sorted(known.graph.facts)}]
            for kind, ways in (("gated", _GATED), ("open", _OPEN)):
                goals = {n: (_page(known, episodes[n]), target) for n, (_, target) in ways.items()}
                for arm, planner in (("with_facts", Staged()), ("shortest_path", ShortestPath())):
                    told = _told(known, planner, goals, fresh, _REPEATS[kind])
                    rows.append({"planner": arm, "tasks": kind, **told})
            return rows


def _names(known: Map, episodes: Mapping[str, Episode]) -> dict[str, str]:
    """Name the pages and the row that the file speaks of, quoted for YAML."""
    form, listed = (_page(known, episodes[n]) for n in ("bills", "participants"))
    row = next(t.key for t in known.graph.leaving(listed) if t.target == listed)
    return {"form": json.dumps(form), "listed": json.dumps(listed), "row": json.dumps(row)}


def _page(known: Map, walked: Episode) -> NodeId:
    """Return the page that a walk ended on."""
    found = known.mapper.locate(walked.final) if walked.final is not None else None
    assert found is not None
    return known.mapper.resolve(found.node)


def _told(
    known: Map,
    planner: Planner,
    goals: Mapping[str, tuple[NodeId, Target]],
    fresh: Callable[[], BrowserDevice],
    repeats: int,
) -> dict[str, Any]:
    """Go to every page so many times, and say how often it was truly reached."""
    good: list[bool] = []
    steps, missed = 0, set[str]()
    for name, (page, target) in goals.items():
        for _ in range(repeats):
            reached, actions = _go(known, planner, page, target, fresh())
            good.append(reached)
            steps += actions
            missed |= set() if reached else {name}
    low, high = wilson(sum(good), len(good))
    return {
        "reached": sum(good),
        "of": len(good),
        "share": round(sum(good) / len(good), 4),
        "interval": [round(low, 4), round(high, 4)],
        "steps": steps,
        "missed": sorted(missed),
    }


def _go(
    known: Map, planner: Planner, page: NodeId, target: Target, device: BrowserDevice
) -> tuple[bool, int]:
    try:
        follower = Follower(known.mapper, planner, page)
        episode = navigate(
            Task("gate", "", "go there"), device, follower, silent, verify=arrival(known.mapper, page)
        )
        return episode.final is not None and _there(target, episode.final), episode.actions
    finally:
        device.close()


def _there(target: Target, seen: Observation) -> bool:
    return LookJudge().judge(Task("there", "", "", target), seen).passed


def _walked(fresh: Callable[[], BrowserDevice], steps: list[str], target: Target) -> Episode:
    """Tap what is named, one by one; `=NAME` types a name into the field that is called so."""
    device = Taped(fresh())
    try:
        _walk(device, steps, target)
        return device.episode(" > ".join(steps), pixels=True)
    finally:
        device.close()


def _walk(device: Taped, steps: list[str], target: Target) -> None:
    device.restart()
    look_until(device, lambda s: any("Add a new bill" in x for x in labels(s)))
    for step in steps:
        row = {"tap": f".*{step[1:]}.*", "role": "field"} if step.startswith("=") else {"tap": step}
        screen = look_until(device, lambda s, row=row: find(s, row) is not None).screen
        element = find(screen, row)
        if element is None:
            raise RuntimeError(f"nothing visible is called {row!r}: {labels(screen)}")
        at = element.bounds.center
        device.perform(TypeText("Ann", at) if step.startswith("=") else Tap(at))
    if not _there(target, look_until(device, lambda s: _there(target, Observation(s)))):
        raise RuntimeError(f"the way {steps!r} does not lead to {target!r}")


@contextmanager
def _project(url: str) -> Iterator[Callable[[], BrowserDevice]]:
    """Make the empty project; yields what opens a browser on it with everything as it was at first."""
    cache = cache_of(_NAME)
    made = subprocess.run(
        [str(cache / "venv/bin/python"), str(ROOT / f"worlds/{_NAME}/empty.py"), str(cache / "settings.py")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    start = url.removesuffix("/demo") + made.stdout.split()[-1]
    with tempfile.TemporaryDirectory() as aside:
        kept = Path(aside) / "kept.db"
        _copied(cache / "live.db", kept)

        def fresh() -> BrowserDevice:
            # By the database's own means: the server has it open.
            _copied(kept, cache / "live.db")
            return BrowserDevice(start)

        yield fresh


def _copied(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target)) as other:
        one.backup(other)
