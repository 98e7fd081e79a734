"""Instructions in, what the prompt is to say of the way out; each is looked up once, however often asked."""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

from waypost.adapters.trees import parse
from waypost.errors import TreeError, WaypostError
from waypost.guidance import Replanning
from waypost.model import Observation, Record
from waypost.parts.face import Map, open_map

__all__ = ["MapTasks", "Told"]

_KEPT = 1000


@dataclass(frozen=True, slots=True)
class Told:
    """What is added to the prompt of a task."""

    text: str
    """The destination block; empty where the map has no such page, or no way to it."""
    page: str = ""
    """Name of the destination."""

    @property
    def tokens(self) -> int:
        """About how many tokens it is: four letters each, as no two models count alike."""
        return (len(self.text) + 3) // 4


class MapTasks:
    """Asks a map on a thread of its own, which alone owns its files; answers are kept by instruction."""

    def __init__(self, open: Callable[[], Map]) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="waypost-serve-map")
        self._kept: OrderedDict[str, Future[_Task]] = OrderedDict()
        self._lock = Lock()
        try:
            self._map = self._pool.submit(open).result()
        except BaseException:
            self._pool.shutdown()
            raise

    @classmethod
    def of(cls, map: str) -> "MapTasks":
        """Open a map by its name or folder. Raises MapError."""
        return cls(lambda: open_map(map, readonly=True))

    def warm(self) -> None:
        """Load what the first question would have to wait for."""
        self._pool.submit(lambda: self._map.find("the first page")).result()

    def told(self, instruction: str) -> Told:
        """Return what to say of a task; empty for an instruction that is none."""
        return self._task(instruction).told if instruction else Told("")

    def refreshed(self, instruction: str, tree: str) -> Told:
        """Return what to say where the agent stands now: the block, where it is, and its next step."""
        task = self._task(instruction) if instruction else _Task(Told(""))
        if task.record is None:
            return task.told
        try:
            screen = parse(tree).screen
        except TreeError:
            return task.told
        words = self._pool.submit(lambda: self._guide(instruction, task, Observation(screen))).result()
        return Told(words or task.told.text, task.told.page)

    def close(self) -> None:
        self._pool.submit(self._map.close).result()
        self._pool.shutdown()

    def _task(self, instruction: str) -> "_Task":
        """Ask once, whoever asks again meanwhile."""
        with self._lock:
            asked = self._kept.get(instruction)
            if asked is None:
                asked = self._kept[instruction] = self._pool.submit(self._ask, instruction)
                if len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(instruction)
        try:
            return asked.result()
        except WaypostError:
            # Asked anew next time: what was wrong may have been mended.
            with self._lock:
                if self._kept.get(instruction) is asked:
                    del self._kept[instruction]
            raise

    # On the thread that owns the map

    def _ask(self, instruction: str) -> "_Task":
        way = self._map.route(instruction)
        if way.answer.record is None or way.plan is None or not way.plan.found:
            return _Task(Told(""))
        return _Task(Told(way.block, way.answer.record.name), way.answer.record)

    def _guide(self, instruction: str, task: "_Task", look: Observation) -> str:
        if task.guide is None:
            assert task.record is not None
            task.guide = Replanning(instruction, self._map.mapper, self._map.planner, task.record)
        return task.guide(look)


@dataclass(slots=True)
class _Task:
    """What an instruction was found to mean."""

    told: Told
    record: Record | None = None
    guide: Replanning | None = None
    """Made at the first step that is told anew; touched on the thread that owns the map only."""
