"""The tour: pocket explored by three policies, its tasks tried with and without memory; figures out."""

import gc
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from waypost.adapters.pocket import Faults, Frames, PocketDevice, apps, load
from waypost.adapters.pocket.known import app_truth, gate_recipe, start_recipe
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
from waypost.model import Episode, NodeId, Observation, Screen, Task
from waypost.parts.arms import mapped, unmapped
from waypost.parts.exploring import surveyed
from waypost.parts.face import Map, open_map

__all__ = ["TourRequest", "Toured", "toured"]

POLICIES = ("frontier", "auto_bfs", "random")
ARMS = ("none", "random", "auto_bfs", "frontier")
_SHRINK = 3
"""The tour's pictures are 360x800, as a browser's in CSS pixels."""
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
        arms = {name: f.as_json() for name, f in self.tasks.items()}
        explored = {name: c.as_json() for name, c in self.explore.items()}
        return {"explore": explored, "tasks": arms, "seconds": round(self.seconds, 1)}


@dataclass(frozen=True, slots=True)
class _Job:
    app: str
    folder: Path
    seed: int
    faults: bool


def toured(request: TourRequest, say: Callable[[str], None] = lambda line: None) -> Toured:
    """Run the tour; `say` hears a line at every stage."""
    began = time.monotonic()
    names = request.apps or apps()
    say(f"exploring {len(names)} apps of the pocket phone, and trying tasks with and without memory")
    explore: dict[str, list[Coverage]] = {policy: [] for policy in POLICIES}
    trials: list[Trial] = []
    jobs = [_Job(app, request.folder, request.seed, request.faults) for app in names]
    spawn = get_context("spawn")
    with ProcessPoolExecutor(request.workers, mp_context=spawn, initializer=_seldom_collect) as pool:
        # The app with the most pages first: a long one at the end would keep one worker waiting.
        under_way = {job: pool.submit(_toured, job) for job in sorted(jobs, key=_size, reverse=True)}
        for job in jobs:
            done = under_way[job].result()
            for policy in POLICIES:
                explore[policy].append(done.explore[policy])
            trials += done.trials
            seen = done.explore["frontier"]
            reached = sum(t.success for t in done.trials if t.arm == "frontier")
            asked = sum(t.task.target is not None for t in done.trials if t.arm == "frontier")
            say(
                f"  {job.app}: {seen.pages_found} of {seen.pages_true} pages in {seen.actions} actions;"
                f" {reached} of {asked} tasks reached"
            )
    return Toured(
        explore={policy: joined(rows) for policy, rows in explore.items()},
        tasks=figures(trials),
        trials=tuple(trials),
        seconds=time.monotonic() - began,
        folder=request.folder,
    )


def _size(job: _Job) -> int:
    return len(load(job.app).pages)


def _seldom_collect() -> None:
    """Set a worker up for trees made by the million that hold no cycle: looking for some took a seventh."""
    gc.set_threshold(100_000, 20, 50)


@dataclass(frozen=True, slots=True)
class _Done:
    explore: dict[str, Coverage]
    trials: list[Trial]


def _toured(job: _Job) -> _Done:
    """Do one app, from the first look to the last task."""
    # All see one app, so that what one phone has laid out the next shows without doing it again.
    frames = Frames()
    frontier = _surveyed(job, "frontier", _CEILING, frames)
    # The others get just as many actions as frontier needed.
    others = {policy: _surveyed(job, policy, frontier.actions, frames) for policy in POLICIES[1:]}
    explore = {"frontier": frontier, **others}
    return _Done(explore, _tried(job, {policy: c.stands for policy, c in explore.items()}, frames))


def _map_of(folder: Path, policy: str, app: str) -> Path:
    return folder / "maps" / policy / app


def _surveyed(job: _Job, policy: str, actions: int, frames: Frames) -> Coverage:
    """Explore one app with one policy, and hold the map against the truth."""
    faults = Faults.all_on(job.seed) if job.faults else None
    device = PocketDevice(job.app, seed=job.seed, faults=faults, shrink=_SHRINK, frames=frames)
    log = StepLog(device.label)

    def noted(step: StepSeen) -> None:
        log.add(step.source, step.key, step.target, step.before_at, step.after_at)

    pictures = policy == "frontier"
    config = ExploreConfig(policy=policy, actions=actions, seed=job.seed, pictures=pictures)
    folder, recipe = _map_of(job.folder, policy, job.app), _recipe(gate_recipe(job.app))
    with surveyed(device, folder, config, recipe, listener=noted) as known:
        if device.hazards_done:
            raise AssertionError(f"exploration did something hazardous: {device.hazards_done[0]}")
        return coverage(known.graph, log, _truth(job.app), known.mapper.resolve)


def _truth(app: str) -> Truth:
    known = app_truth(app)
    return Truth(known.pages, known.reachable)


def _recipe(lines: tuple[str, ...]) -> StartRecipe | None:
    return StartRecipe.parse(lines, {}) if lines else None


@dataclass
class _Phone:
    """Opens a fresh phone for every task, and knows the truth about the last one."""

    seed: int
    frames: Frames
    last: PocketDevice | None = None

    def __call__(self, task: Task) -> PocketDevice:
        self.last = PocketDevice(task.app, seed=self.seed, shrink=_SHRINK, frames=self.frames)
        return self.last

    def label(self, look: Observation) -> str:
        assert self.last is not None
        return self.last.label(look.seen_at)


def _tried(job: _Job, stands: dict[str, Mapping[NodeId, str]], frames: Frames) -> list[Trial]:
    with as_file(files("waypost.adapters.pocket") / "tasks.yaml") as path:
        tasks = [t for t in read_tasks(path).tasks if t.app == job.app]
    phone = _Phone(job.seed, frames)
    maps = {p: open_map(_map_of(job.folder, p, job.app)) for p in POLICIES}
    try:
        judge = LabelJudge(phone.label)
        trials: list[Trial] = []
        for name, arm in _arms(maps, phone, job.seed).items():
            named = _named(phone, stands.get(name, {}))
            trials += map(_light, run(tasks, {name: arm}, judge, shortest=_shortest, as_named=named))
        return trials
    finally:
        for known in maps.values():
            known.close()


def _named(phone: _Phone, stands: Mapping[NodeId, str]) -> Callable[[Episode], bool]:
    """Say whether an episode ended on the true page that its goal on the map stands for."""

    def named(episode: Episode) -> bool:
        if episode.goal is None or episode.final is None:
            return False
        return stands.get(episode.goal) == phone.label(episode.final)

    return named


def _light(trial: Trial) -> Trial:
    """Leave out the looks on the way: they would be carried between processes for nothing."""
    blank = Observation(Screen())
    steps = tuple(replace(step, observation=blank) for step in trial.episode.steps)
    return replace(trial, episode=replace(trial.episode, steps=steps))


def _arms(maps: dict[str, Map], phone: _Phone, seed: int) -> dict[str, Arm]:
    arms: dict[str, Arm] = {"none": unmapped(phone, recipe=_task_recipe, seed=seed)}
    for policy in ARMS[1:]:
        pictures = policy == "frontier"
        arms[policy] = mapped(_always(maps[policy]), phone, recipe=_task_recipe, pictures=pictures)
    return arms


def _always(known: Map) -> Callable[[Task], Map]:
    return lambda task: known


def _task_recipe(task: Task) -> StartRecipe | None:
    return _recipe(start_recipe(task.app)) if _LOGIN in task.tags else None


def _shortest(task: Task) -> int:
    if task.target is None:
        return 0
    known = app_truth(task.app)
    return (known.started if _LOGIN in task.tags else known.shortest).get(task.target.page, 0)
