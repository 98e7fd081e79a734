"""The tour: pocket explored by three policies, its tasks tried with and without memory; figures out."""

import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from waypost.adapters.pocket import Faults, PocketDevice, apps
from waypost.adapters.pocket.known import app_truth, start_recipe
from waypost.bench import (
    Arm,
    ArmFigures,
    Coverage,
    LabelJudge,
    StepLog,
    Trial,
    Truth,
    coverage,
    figures,
    joined,
    read_tasks,
    run,
)
from waypost.exploration import ExploreConfig, StartRecipe
from waypost.mapping import StepSeen
from waypost.model import Observation, Task
from waypost.parts.arms import mapped, unmapped
from waypost.parts.exploring import surveyed
from waypost.parts.face import Map, open_map

__all__ = ["TourRequest", "Toured", "toured"]

POLICIES = ("frontier", "auto_bfs", "random")
ARMS = ("none", "random", "auto_bfs", "frontier")
_LOGIN = "login"
"""Tag of the tasks that start past the app's login."""
_CEILING = 4_000
"""Most actions an app; frontier stops by itself long before, the others get what frontier took."""


@dataclass(frozen=True, slots=True)
class TourRequest:
    folder: Path
    """Where the maps and the report go."""
    seed: int = 0
    faults: bool = False
    workers: int = 2
    apps: tuple[str, ...] = ()
    """Apps to tour; all of the phone's where empty."""


@dataclass(frozen=True, slots=True)
class Toured:
    explore: dict[str, Coverage]
    tasks: dict[str, ArmFigures]
    trials: tuple[Trial, ...]
    seconds: float
    folder: Path

    def as_json(self) -> dict[str, Any]:
        arms = {
            name: {
                "n": f.n,
                "success": round(f.success, 4),
                "absent_n": f.absent_n,
                "abstained": round(f.abstained, 4),
                "false_arrivals": f.false_arrivals,
                "spl": round(f.spl, 4),
                "ci95": [round(v, 4) for v in f.ci95],
            }
            for name, f in self.tasks.items()
        }
        explored = {name: c.as_json() for name, c in self.explore.items()}
        return {"explore": explored, "tasks": arms, "seconds": round(self.seconds, 1)}


@dataclass(frozen=True, slots=True)
class _Job:
    app: str
    policy: str
    folder: Path
    seed: int
    faults: bool
    actions: int


def toured(request: TourRequest, say: Callable[[str], None] = lambda line: None) -> Toured:
    """Run the tour; `say` hears a line at every stage."""
    began = time.monotonic()
    names = request.apps or apps()
    found: dict[str, list[Coverage]] = {policy: [] for policy in POLICIES}
    with ProcessPoolExecutor(request.workers, mp_context=get_context("spawn")) as pool:
        first = [_Job(a, "frontier", request.folder, request.seed, request.faults, _CEILING) for a in names]
        say(f"exploring {len(names)} apps of the pocket phone with the frontier policy")
        for job, seen in zip(first, pool.map(_surveyed, first), strict=True):
            found["frontier"].append(seen)
            say(f"  {job.app}: {seen.pages_found} of {seen.pages_true} pages in {seen.actions} actions")
        # The others get just as many actions as frontier needed.
        budgets = {job.app: seen.actions for job, seen in zip(first, found["frontier"], strict=True)}
        rest = [
            _Job(a, p, request.folder, request.seed, request.faults, budgets[a])
            for p in POLICIES[1:]
            for a in names
        ]
        say("the same number of actions for Auto-BFS (TAG-Nav) and a random walk")
        for job, seen in zip(rest, pool.map(_surveyed, rest), strict=True):
            found[job.policy].append(seen)
    say("remembering the pages, and trying the tasks")
    trials = tuple(_tried(request, names, say))
    return Toured(
        explore={policy: joined(rows) for policy, rows in found.items()},
        tasks=figures(trials),
        trials=trials,
        seconds=time.monotonic() - began,
        folder=request.folder,
    )


def _map_of(folder: Path, policy: str, app: str) -> Path:
    return folder / "maps" / policy / app


def _surveyed(job: _Job) -> Coverage:
    """Explore one app with one policy, and hold the map against the truth.

    An app with pages behind a login is explored past it first, and then as a stranger sees it.
    """
    log = StepLog(lambda at: "")
    folder = _map_of(job.folder, job.policy, job.app)
    recipe = _recipe(job.app)
    done = 0
    if recipe is not None:
        with _session(job, folder, log, recipe, job.actions // 2) as known:
            done = known.graph.steps
    with _session(job, folder, log, None, job.actions - done) as known:
        return coverage(known.graph, log, _truth(job.app), known.mapper.resolve)


def _session(job: _Job, folder: Path, log: StepLog, recipe: StartRecipe | None, actions: int) -> Map:
    faults = Faults.all_on(job.seed) if job.faults else None
    device = PocketDevice(job.app, seed=job.seed, faults=faults)
    log.label = device.label

    def noted(step: StepSeen) -> None:
        log.add(step.source, step.key, step.target, step.before_at, step.after_at)

    pictures = job.policy == "frontier"
    config = ExploreConfig(policy=job.policy, actions=max(1, actions), seed=job.seed, pictures=pictures)
    known = surveyed(device, folder, config, recipe, listener=noted)
    if device.hazards_done:
        raise AssertionError(f"exploration did something hazardous: {device.hazards_done[0]}")
    return known


def _truth(app: str) -> Truth:
    known = app_truth(app)
    return Truth(known.pages, known.reachable)


def _recipe(app: str) -> StartRecipe | None:
    lines = start_recipe(app)
    return StartRecipe.parse(lines, {}) if lines else None


@dataclass
class _Phone:
    """Opens a fresh phone for every task, and knows the truth about the last one."""

    seed: int
    last: PocketDevice | None = field(default=None)

    def __call__(self, task: Task) -> PocketDevice:
        self.last = PocketDevice(task.app, seed=self.seed)
        return self.last

    def label(self, look: Observation) -> str:
        assert self.last is not None
        return self.last.label(look.seen_at)


def _tried(request: TourRequest, names: tuple[str, ...], say: Callable[[str], None]) -> list[Trial]:
    with as_file(files("waypost.adapters.pocket") / "tasks.yaml") as path:
        tasks = [t for t in read_tasks(path).tasks if t.app in names]
    phone = _Phone(request.seed)
    trials: list[Trial] = []
    for app in names:
        maps = {p: open_map(_map_of(request.folder, p, app)) for p in POLICIES}
        try:
            arms = _arms(app, maps, phone, request.seed)
            asked = [t for t in tasks if t.app == app]
            trials += run(asked, arms, LabelJudge(phone.label), shortest=_shortest)
        finally:
            for known in maps.values():
                known.close()
        say(f"  {app}: {len(asked)} tasks tried in {len(arms)} ways")
    return trials


def _arms(app: str, maps: dict[str, Map], phone: _Phone, seed: int) -> dict[str, Arm]:
    arms: dict[str, Arm] = {"none": unmapped(phone, recipe=_task_recipe, seed=seed)}
    for policy in ARMS[1:]:
        arms[policy] = mapped(_always(maps[policy]), phone, recipe=_task_recipe)
    return arms


def _always(known: Map) -> Callable[[Task], Map]:
    return lambda task: known


def _task_recipe(task: Task) -> StartRecipe | None:
    return _recipe(task.app) if _LOGIN in task.tags else None


def _shortest(task: Task) -> int:
    if task.target is None:
        return 0
    known = app_truth(task.app)
    return (known.started if _LOGIN in task.tags else known.shortest).get(task.target.page, 0)
