"""Arms x actors x tasks x seeds: a request in, episodes in a store out; resumed where it was cut off."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path

from waypost.bench import LookJudge
from waypost.bench.store import EpisodeStore, Key, Run
from waypost.bench.verdicts import TruthJudge, held
from waypost.errors import UsageError
from waypost.exploration import StartRecipe
from waypost.model import Observation, Task
from waypost.parts.armwords import NONE, arm_words
from waypost.parts.benchmaps import POLICIES, Stamp, checked, folder_of, make_map, shipped_manual, stamp_of
from waypost.parts.conditions import Condition, Opened, one
from waypost.parts.devices import DeviceOptions, DeviceSpec, open_device, parse_device
from waypost.parts.face import Map
from waypost.parts.formats import handbook_of
from waypost.parts.started import Started
from waypost.parts.suites import POCKET, Suite
from waypost.protocols import Device

__all__ = ["Comparison", "Job", "World", "compared", "jobs", "world_of"]

LOGIN = "login"
"""Tag of the tasks that start past their app's login."""


@dataclass(frozen=True, slots=True)
class World:
    """Where a suite is run."""

    suite: Suite
    device: DeviceSpec
    options: DeviceOptions = DeviceOptions()

    @property
    def phone(self) -> bool:
        """Whether it is the embedded phone, which knows the truth about itself."""
        return self.device.kind == "pocket"


@dataclass(frozen=True, slots=True)
class Comparison:
    worlds: tuple[World, ...]
    conditions: tuple[Condition, ...]
    store: Path
    maps: Path
    only: tuple[str, ...] = ()
    """Ids of tasks; all where empty."""
    explore: int | None = None
    """Make the maps that are missing, with so many actions each; 0 for as many as frontier takes."""
    seed: int = 0
    """Of the explorations."""
    workers: int = 1


@dataclass(frozen=True, slots=True)
class Job:
    """One cell, as it is handed to a worker."""

    world: World
    task: Task
    condition: Condition
    maps: Path
    key: Key = field(default=Key("", "", "", ""))


def jobs(request: Comparison) -> list[Job]:
    """Return every cell of a comparison, arm by arm within a task so that a cut leaves whole pairs."""
    found = []
    for world in request.worlds:
        tasks = [t for t in world.suite.tasks.tasks if not request.only or t.id in request.only]
        for task in tasks:
            for how in request.conditions:
                key = Key(world.suite.name, task.id, how.arm, how.who, how.seed)
                found.append(Job(world, task, how, request.maps, key))
    if not found:
        raise UsageError("No task is left to run; see --task")
    return found


def compared(
    request: Comparison,
    say: Callable[[str], None] = lambda line: None,
    done: Callable[[Run, int], None] = lambda run, total: None,
) -> EpisodeStore:
    """Run what the store lacks; every episode is kept as it ends, with the verdict of the world's judge."""
    store = EpisodeStore(request.store).open()
    _make_maps(request, say)
    todo = jobs(request)
    have = store.keys()
    left = [job for job in todo if job.key not in have]
    if len(left) < len(todo):
        say(f"{len(todo) - len(left)} of {len(todo)} episodes are in the store already")
    for run in _results(left, request.workers):
        store.add(run)
        done(run, len(left))
    return store


def _results(left: Sequence[Job], workers: int) -> Iterator[Run]:
    if workers <= 1:
        desk = _Desk()
        try:
            yield from map(desk.run, left)
        finally:
            desk.close()
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = iter(left)
        under_way: set[Future[Run]] = set()
        # Only a few ahead: whoever stops it loses what is under way, not a queue of hundreds.
        for job in waiting:
            under_way.add(pool.submit(_in_worker, job))
            if len(under_way) >= 2 * workers:
                ended, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                yield from (f.result() for f in ended)
        while under_way:
            ended, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            yield from (f.result() for f in ended)


_desks: list["_Desk"] = []
"""The one desk of a worker's process; its maps are opened once."""


def _in_worker(job: Job) -> Run:
    if not _desks:
        _desks.append(_Desk())
    return _desks[0].run(job)


class _Desk:
    """Runs cells one by one, with every map opened once."""

    def __init__(self) -> None:
        self._maps: dict[Path, tuple[Map, Stamp]] = {}

    def run(self, job: Job) -> Run:
        opened = Opened(_opener(job), _label, _shortest(job), time.monotonic)
        words = arm_words(job.condition.arm)
        memory = words.memory
        if memory != NONE:
            known, stamp = self._map(job, memory)
            if words.form == "handbook":
                # A manual that is missing is the user's to write, no fault of an episode.
                handbook_of(known)
            opened = replace(opened, map=known, stamp=stamp)
        run = one(job.world.suite.name, job.task, job.condition, opened)
        judge = TruthJudge(run.label) if job.world.phone else LookJudge()
        return replace(run, verdicts=(held(run, judge),))

    def _map(self, job: Job, memory: str) -> tuple[Map, Stamp]:
        folder = folder_of(job.maps, job.world.suite.name, memory, job.task.app)
        if folder not in self._maps:
            wanted = _wanted(job.world, memory, job.task.app)
            known = checked(folder, wanted, job.world.suite.tasks.tasks)

            self._maps[folder] = known, stamp_of(folder)
        return self._maps[folder]

    def close(self) -> None:
        for known, _ in self._maps.values():
            known.close()


def _wanted(world: World, memory: str, app: str) -> Stamp:
    tasks = world.suite.tasks
    return Stamp(world.suite.name, memory, app if world.phone else "", tasks.version)


def _opener(job: Job) -> Callable[[Task], Device]:
    world = job.world

    def opened(task: Task) -> Device:
        if world.phone:
            from waypost.adapters.pocket import PocketDevice
            from waypost.adapters.pocket.known import start_recipe

            # The phone itself is the same for every seed: seeds are the actor's.
            device: Device = PocketDevice(task.app, seed=0, shrink=3)
            lines = task.start or (start_recipe(task.app) if LOGIN in task.tags else ())
        else:
            device, lines = open_device(world.device, world.options), task.start
        return Started(device, StartRecipe.parse(lines, {})) if lines else device

    return opened


def _label(device: Device, look: Observation) -> str:
    from waypost.adapters.pocket import PocketDevice

    inner = getattr(device, "_device", device)
    return inner.label(look.seen_at) if isinstance(inner, PocketDevice) else ""


def _shortest(job: Job) -> Callable[[Task], int]:
    def shortest(task: Task) -> int:
        if not job.world.phone or task.target is None or task.shortest:
            return task.shortest
        from waypost.adapters.pocket.known import app_truth

        known = app_truth(task.app)
        ways = known.started if LOGIN in task.tags else known.shortest
        return min((ways[t.page] for t in task.targets if t.page in ways), default=0)

    return shortest


def _make_maps(request: Comparison, say: Callable[[str], None]) -> None:
    """Make what is missing, frontier first: the other policies get as many actions as it took."""
    memories = list(dict.fromkeys(arm_words(c.arm).memory for c in request.conditions))
    order = [m for m in (*POLICIES, *memories) if m in memories and m != NONE]
    for world in request.worlds:
        apps = sorted({t.app for t in _chosen(world, request)}) if world.phone else [""]
        for app in apps:
            actions = request.explore
            for memory in dict.fromkeys(order):
                folder = folder_of(request.maps, world.suite.name, memory, app)
                if (folder / "map.sqlite").is_file():
                    shipped_manual(folder, world.suite.name, app)
                    actions = actions or stamp_of(folder).actions
                    continue
                if request.explore is None:
                    raise UsageError(
                        f"There is no map in {str(folder)!r}; add --explore ACTIONS to have it made"
                    )
                say(f"exploring {world.suite.name} {app} for the arm {memory}")
                wanted = replace(_wanted(world, memory, app), seed=request.seed)
                made = make_map(folder, wanted, (world.device, world.options), actions or 0)
                shipped_manual(folder, world.suite.name, app)
                actions = actions or made.actions


def _chosen(world: World, request: Comparison) -> list[Task]:
    return [t for t in world.suite.tasks.tasks if not request.only or t.id in request.only]


def world_of(suite: Suite, device: str, options: DeviceOptions) -> World:
    """Say where a suite is run. Raises UsageError where that needs an address."""
    if device:
        return World(suite, parse_device(device), options)
    if suite.tasks.world == POCKET:
        return World(suite, DeviceSpec(POCKET), options)
    if suite.tasks.device and "{url}" not in suite.tasks.device:
        return World(suite, parse_device(suite.tasks.device), options)
    raise UsageError(
        f"Say where {suite.name} runs: --device {suite.name}=browser:http://127.0.0.1:PORT/ "
        f"(worlds/{suite.tasks.world}/run starts it)"
    )
