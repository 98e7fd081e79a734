"""The Python face: `waypost.explore(...)`, `waypost.open("budget").find(...)`, `.route(...)`, `.go(...)`.

A device name and a map name in; pages found, ways planned, arrivals verified out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from waypost.actors import Follower
from waypost.actors.items import item_names, without_items
from waypost.adapters.discreet import Discreet
from waypost.errors import MapError, UsageError
from waypost.exploration import StartRecipe
from waypost.guidance import block, route, silent
from waypost.library import Answer, Library, Retriever, distil
from waypost.mapping import Mapper, MapStore, StepSeen
from waypost.mapping.captions import captioned
from waypost.mapping.corrections import Corrections
from waypost.mapping.integrity import disagreements
from waypost.mapping.standing import forward
from waypost.model import AppGraph, Hypernode, NodeId, Observation, Plan, Record, Standing, Task
from waypost.navigate import NavigateConfig, arrival, navigate, not_on_map
from waypost.parts.devices import DeviceOptions, app_version, open_device, parse_device
from waypost.parts.folders import known_maps, map_folder
from waypost.parts.memory import embedder
from waypost.parts.origin import Origin, read_origin, taught, write_origin
from waypost.parts.outcome import Outcome, outcome
from waypost.parts.started import Started
from waypost.parts.stores import opened_store, stored
from waypost.planning import Staged
from waypost.protocols import Device, Vectors

__all__ = ["Map", "Way", "open_map"]


@dataclass(frozen=True, slots=True)
class Way:
    """Where a sentence leads, and how to get there."""

    answer: Answer
    plan: Plan | None
    """From the app's start; None where the page is not on the map."""
    text: str
    """The route for a person to read."""
    block: str
    """The destination block for an agent's prompt (TAG-Nav)."""


class Map:
    """An explored app that can be asked the way. Close it, or use it as a context manager."""

    def __init__(
        self, folder: Path, store: MapStore, *, listener: Callable[[StepSeen], None] | None = None
    ) -> None:
        self.folder = folder
        self.graph: AppGraph = store.load()
        self.mapper = Mapper(self.graph, store=store, listener=listener)
        self.planner = Staged()
        self._store = store
        self._library: Library | None = None
        self._retriever: Retriever | None = None
        self._items: frozenset[str] | None = None
        self._written: tuple[int, tuple[Record, ...]] = (0, ())
        """When the records were written, in nanoseconds, and what they say."""

    def __enter__(self) -> "Map":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files; calling it twice does no harm."""
        self._store.close()

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return unit rows for texts that the map holds, kept beside its records."""
        self._memory()
        assert self._library is not None
        return self._library.vectors(texts)

    def pages(self) -> list[Hypernode]:
        """Return the pages, nearest to the start first."""
        return sorted(self.graph.pages(), key=lambda n: (n.depth < 0, n.depth, n.name))

    def picture(self, image_hash: str) -> bytes:
        """Return a stored screenshot as PNG; empty where there is none."""
        return self._store.picture(image_hash)

    def picture_place(self, image_hash: str) -> str:
        """Say where a stored screenshot lies: a file, or an address."""
        return self._store.pictures.place(image_hash)

    def disagreements(self) -> list[str]:
        """List in which ways the map contradicts itself; nothing where it is whole."""
        return disagreements(self.mapper, self._store)

    def steps(self) -> list[tuple[NodeId, str, NodeId]]:
        """Return every step of the explorations, oldest first, as source, action key and target."""
        return [(s.source, s.key, s.target) for s in self._store.steps()]

    def taught(self, corrections: Corrections) -> None:
        """Go by other corrections from now on; the records follow when they are next asked for."""
        self.mapper.teach(corrections)
        self.mapper.commit()
        self._library = self._retriever = self._items = None

    def name_choosers(self) -> None:
        """Call choosers by what they choose, as far as the whole map tells."""
        for node, name in captioned(self.graph).items():
            self.mapper.rename(node, name)
        self.mapper.commit()

    def seen(self) -> tuple[Record, ...]:
        """Return what can be said of every page with no model, whatever stands in the records."""
        return distil(self.graph, self.planner)

    def remember(self, described: Mapping[NodeId, Record] | None = None) -> Library:
        """Write the destination records anew from the map as it stands; what was edited by hand is kept.

        `described` are records that a model has just written.
        """
        library = Library.build(self.folder, self.graph, self.planner, embedder(), described)
        origin = read_origin(self.folder)
        written = Origin(origin.device, origin.options, self.graph.steps, taught(self.folder))
        write_origin(self.folder, written)
        self._library, self._retriever = library, Retriever(library)
        return library

    def records(self) -> tuple[Record, ...]:
        """Return the destination records, written anew where the map has grown since."""
        self._memory()
        assert self._library is not None
        return self._library.records

    def written(self) -> tuple[Record, ...]:
        """Return the destination records as they were last written, perhaps before the map grew."""
        if self._library is not None:
            return self._library.records
        path = self.folder / "records.jsonl"
        stamp = path.stat().st_mtime_ns if path.is_file() else 0
        if stamp != self._written[0]:
            self._written = (stamp, Library.open(self.folder, embedder()).records if stamp else ())
        return self._written[1]

    def record_of(self, node: NodeId, *, fresh: bool = True) -> Record | None:
        """Return the record of a page; with `fresh`, written anew where the map has grown since."""
        rows = self.records() if fresh else self.written()
        return next((r for r in rows if self.mapper.resolve(r.node) == node), None)

    def find(self, sentence: str) -> Answer:
        """Find the page that a sentence means, or say that it is not on this map."""
        if not sentence.strip():
            raise UsageError("Say in a sentence where to go")
        memory = self._memory()
        if self._items is None:
            self._items = item_names(self.graph)
        return memory.answer(without_items(sentence, self._items))

    def route(self, sentence: str) -> Way:
        """Find the page that a sentence means, and plan the way from the app's start."""
        answer = self.find(sentence)
        if answer.record is None or self.graph.root is None:
            return Way(answer, None, "", "")
        plan = self.planner.plan(self.graph, self.graph.root, answer.record.node)
        return Way(answer, plan, route(plan, self.graph), block(sentence, answer.record, plan, self.graph))

    def go(
        self,
        sentence: str,
        device: str | Device | None = None,
        *,
        options: DeviceOptions | None = None,
        start: StartRecipe | None = None,
        limit: int = 40,
        stay: bool = False,
    ) -> Outcome:
        """Take the device to the page that a sentence means, with no model, and verify the arrival.

        `device` is one that is open, a name, or None for the one that the map was made on. With
        `stay` the app goes on from the page that it shows, else it is started afresh.
        """
        answer = self.find(sentence)
        task = Task("go", "", sentence.strip())
        if answer.record is None:
            return outcome(not_on_map(task), self.graph, answer)
        opened = self.opened(device, options) if device is None or isinstance(device, str) else device
        try:
            self.meet(opened)
            driven = Started(opened, start) if start else opened
            return self.follow(task, answer, driven, limit=limit, stay=stay)
        finally:
            if opened is not device:
                opened.close()

    def follow(
        self,
        task: Task,
        answer: Answer,
        device: Device,
        *,
        limit: int = 40,
        stay: bool = False,
        pictures: bool = False,
    ) -> Outcome:
        """Go to the page that `answer` found, which must be one; with `pictures`, keep the last screen's."""
        if answer.record is None:
            raise ValueError("there is no page to go to")
        device = Discreet.over(device)
        goal = self.mapper.resolve(answer.record.node)
        episode = navigate(
            task,
            device,
            Follower(self.mapper, self.planner, goal),
            silent,
            verify=arrival(self.mapper, goal),
            locate=self._locate,
            limit=limit,
            config=NavigateConfig(restart=not stay, last_pixels=pictures),
        )
        self.mapper.commit()
        return outcome(replace(episode, goal=goal), self.graph, answer)

    def trust(self) -> str:
        """Say that the app is of another version than the map; empty where it is not known to be."""
        if not self.graph.met:
            return ""
        steps = list(forward(self.graph))
        live = sum(t.standing is Standing.LIVE for t in steps)
        named = self.folder == map_folder(self.folder.name)
        return (
            f"This map is of version {self.graph.version}, and the app is {self.graph.met} now: {live} of "
            f"{len(steps)} steps are known to work on it; "
            f"`waypost verify {self.folder.name if named else self.folder}` tries the others"
        )

    def meet(self, device: Device) -> None:
        """Note which version of the app a device has; on another one, steps are trusted less."""
        self.mapper.meet(app_version(device, self.graph.app))
        self.mapper.commit()

    def _locate(self, observation: Observation) -> NodeId | None:
        found = self.mapper.locate(observation)
        return found.node if found else None

    def opened(self, device: str | None, options: DeviceOptions | None) -> Device:
        """Open a device, by default the one that the map was made on. Raises UsageError or DeviceError."""
        origin = read_origin(self.folder)
        if device is not None:
            spec = parse_device(device)
            same = origin.device is not None and spec.innermost.kind == origin.device.innermost.kind
            return open_device(spec, origin.options.overlaid(options) if same else options)
        if origin.device is None:
            raise UsageError("This map does not say which device it was made on; name one with --device")
        return open_device(origin.device, origin.options.overlaid(options))

    def _memory(self) -> Retriever:
        if self.graph.root is None:
            raise MapError(f"The map {self.folder.name!r} is empty; explore the app first")
        if self._retriever is None:
            origin = read_origin(self.folder)
            if (origin.distilled, origin.taught) == (self.graph.steps, taught(self.folder)):
                self._library = Library.open(self.folder, embedder())
                self._retriever = Retriever(self._library)
            else:
                self.remember()
        assert self._retriever is not None
        return self._retriever


def open_map(map: str | Path, *, readonly: bool = False) -> Map:
    """Open a map by its name or folder. Raises MapError with the cure where there is none."""
    folder = map_folder(map)
    if not stored(folder):
        known = f" Known maps: {', '.join(known_maps())}." if known_maps() else ""
        raise MapError(
            f"There is no map {str(map)!r}; make it with `waypost explore DEVICE --map {map}`.{known}"
        )
    store = opened_store(folder, readonly=readonly)
    try:
        return Map(folder, store)
    except BaseException:
        store.close()
        raise
