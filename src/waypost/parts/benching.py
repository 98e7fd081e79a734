"""A task file and maps in, judged trials out: every arm on a fresh device a task."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from waypost.bench import Arm, LabelJudge, LookJudge, TaskSet, Trial, read_tasks, run, same_place
from waypost.errors import UsageError
from waypost.exploration import StartRecipe
from waypost.model import AppGraph, Episode, Observation, Task
from waypost.parts.acting import Acting, GuideMode
from waypost.parts.arms import acting_arm, mapped, unmapped
from waypost.parts.devices import DeviceOptions, DeviceSpec, open_device, parse_device
from waypost.parts.face import Map, open_map
from waypost.parts.folders import map_folder
from waypost.parts.origin import read_origin
from waypost.protocols import Device, Judge

__all__ = ["BenchRequest", "Benched", "benched"]


@dataclass(frozen=True, slots=True)
class BenchRequest:
    tasks: Path
    maps: tuple[str, ...] = ()
    """One arm each; where none is named, the map that is called like the world."""
    device: str = ""
    """Default: the one that the first map was made on."""
    options: DeviceOptions = DeviceOptions()
    recipe: StartRecipe | None = None
    baseline: bool = True
    """Run the no-memory arm as well."""
    seed: int = 0
    limit: int = 40
    only: tuple[str, ...] = ()
    """Ids of the tasks to run; all where empty."""
    acting: Acting | None = None
    """Who acts in place of the follower and of the no-memory baseline; None for these two."""
    mode: GuideMode = "closed"
    """How such an actor is told the way."""


@dataclass(frozen=True, slots=True)
class Benched:
    world: str
    device: str
    trials: Iterator[Trial]
    total: int
    """How many trials there will be."""


def benched(request: BenchRequest) -> Benched:
    """Make ready to run a bench; trials are run as they are asked for. Raises UsageError."""
    tasks = read_tasks(request.tasks)
    chosen = _chosen(tasks, request.only)
    names = request.maps or (tasks.world,)
    spec, options = _device(request, tasks, names[0])
    maps = [open_map(name) for name in names]
    fresh = _Fresh(spec, options)
    known = {"map" if len(names) == 1 else n: m for n, m in zip(names, maps, strict=True)}
    arms = _arms(request, known, fresh)
    graphs = {name: m.graph for name, m in known.items()}
    trials = _closing(maps, _run(chosen, arms, fresh.judge(chosen), graphs))
    return Benched(tasks.world, str(spec), trials, len(chosen) * len(arms))


def _arms(request: BenchRequest, known: dict[str, Map], fresh: "_Fresh") -> dict[str, Arm]:
    """Make the no-memory arm, where it is wanted, and one a map; with whoever was asked to act."""
    arms: dict[str, Arm] = {}

    def recipe(task: Task) -> StartRecipe | None:
        return request.recipe

    acting, limit = request.acting, request.limit
    if request.baseline and acting is not None and acting.choice.kind != "follower":
        arms["none"] = acting_arm(acting, fresh, recipe=recipe, limit=limit)
    elif request.baseline:
        arms["none"] = unmapped(fresh, recipe=recipe, seed=request.seed, limit=limit, pictures=True)
    for name, opened in known.items():

        def memory(task: Task, opened: Map = opened) -> Map:
            return opened

        if acting is not None:
            arms[name] = acting_arm(
                acting, fresh, memory=memory, mode=request.mode, recipe=recipe, limit=limit
            )
        else:
            arms[name] = mapped(memory, fresh, recipe=recipe, limit=limit, pictures=True)
    return arms


def _run(
    tasks: Sequence[Task], arms: dict[str, Arm], judge: Judge, graphs: dict[str, AppGraph]
) -> Iterator[Trial]:
    for task in tasks:
        for name, arm in arms.items():
            yield from run([task], {name: arm}, judge, as_named=_named(graphs.get(name)))


def _named(graph: AppGraph | None) -> Callable[[Episode], bool]:
    """Hold an episode's last look against the known looks of its goal, without the map's own eye."""

    def named(episode: Episode) -> bool:
        if graph is None or episode.goal is None or episode.final is None:
            return False
        looks = graph.nodes[episode.goal].looks
        return any(same_place(look.observation.screen, episode.final.screen) for look in looks)

    return named


class _Fresh:
    """Opens a device for every task, and remembers it for the world's own labels."""

    def __init__(self, spec: DeviceSpec, options: DeviceOptions) -> None:
        self._spec, self._options = spec, options
        self._last: Device | None = None

    def __call__(self, task: Task) -> Device:
        spec = self._spec
        if spec.kind == "pocket" and not spec.address:
            spec = DeviceSpec(spec.kind, task.app)
        self._last = open_device(spec, self._options, discreet=False)
        return self._last

    def judge(self, tasks: Sequence[Task]) -> Judge:
        """Use the world's ground truth where the tasks name it, else what the last look shows."""
        if not any(t.target and t.target.page for t in tasks):
            return LookJudge()
        if self._spec.kind != "pocket":
            raise UsageError(
                "These tasks name ground-truth pages, which only pocket knows; use 'url' and 'has'"
            )
        return LabelJudge(self._label)

    def _label(self, look: Observation) -> str:
        from waypost.adapters.pocket import PocketDevice

        assert isinstance(self._last, PocketDevice)
        return self._last.label(look.seen_at)


def _chosen(tasks: TaskSet, only: tuple[str, ...]) -> list[Task]:
    if unknown := set(only) - {t.id for t in tasks.tasks}:
        raise UsageError(f"There is no task {sorted(unknown)[0]!r} in this file")
    return [t for t in tasks.tasks if not only or t.id in only]


def _device(request: BenchRequest, tasks: TaskSet, name: str) -> tuple[DeviceSpec, DeviceOptions]:
    origin = read_origin(map_folder(name))
    options = origin.options.overlaid(request.options)
    if request.device:
        return parse_device(request.device), options
    if origin.device is not None:
        return origin.device, options
    if tasks.device and "{url}" not in tasks.device:
        return parse_device(tasks.device), options
    raise UsageError("Say on which device to run the tasks: --device DEVICE")


def _closing(maps: Sequence[Map], trials: Iterator[Trial]) -> Iterator[Trial]:
    try:
        yield from trials
    finally:
        for opened in maps:
            opened.close()
