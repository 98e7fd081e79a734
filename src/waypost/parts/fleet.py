"""Several devices explore one app: device names and a map in, one map that all of them grew out."""

import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from waypost.adapters.discreet import Discreet
from waypost.adapters.rayed import RayWorkers
from waypost.errors import DeviceError, UsageError
from waypost.exploration import ExploreConfig
from waypost.exploration.sharing import Job, Keys, Log, Walk, copied, replay, settle, shares, walk
from waypost.mapping import MapStore
from waypost.mapping.settle import settled
from waypost.model import ExploreStop, NodeId
from waypost.parts.devices import DeviceOptions, app_version, open_device, parse_device
from waypost.parts.face import Map
from waypost.parts.folders import map_folder
from waypost.parts.origin import Origin, write_origin
from waypost.parts.stores import made_store
from waypost.protocols import Device

__all__ = ["Cluster", "Crew", "FleetProgress", "FleetRequest", "Fleeted", "Threads", "fleet"]

_SLICE = 12
"""Untried controls that a worker is given at most: more, and what it finds is told late to the others."""
_PER_KEY = 3
"""Actions that trying one takes, with the way there."""


@dataclass(frozen=True, slots=True)
class FleetRequest:
    """How to explore with several devices."""

    actions: int | None = None
    """Of all devices together."""
    pictures: bool = True
    seed: int = 0
    halted: Callable[[], bool] = lambda: False
    """Asked before each share is handed out: whether to hand out no more."""


@dataclass(frozen=True, slots=True)
class FleetProgress:
    """One reading of the whole, after each share that came back."""

    workers: int
    pages: int
    transitions: int
    actions: int
    untried: int
    lost: int


@dataclass(frozen=True, slots=True)
class Fleeted:
    """What a fleet left behind."""

    map: str
    app: str
    devices: int
    lost: int
    """Devices that were lost; what they had been given was done by others."""
    pages: int
    transitions: int
    actions: int
    frontier: int
    shares: int
    stop_reason: str
    seconds: float

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "seconds": round(self.seconds, 2)}


class Crew(Protocol):
    """Workers, each with a device; every one does one job at a time."""

    def __len__(self) -> int: ...

    def begin(self, worker: int, job: Job) -> None:
        """Give a worker a job; returns at once."""
        ...

    def next(self) -> tuple[int, Walk | None]:
        """Wait for a worker to be done; None instead of a walk where it is gone for good."""
        ...

    def close(self) -> None: ...


class Threads:
    """Workers in threads of this process: devices wait far more than they compute."""

    def __init__(self, devices: Sequence[Device]) -> None:
        self._devices = list(devices)
        self._pools = [ThreadPoolExecutor(1, f"waypost-fleet-{n}") for n in range(len(devices))]
        self._done: queue.Queue[tuple[int, Walk | BaseException | None]] = queue.Queue()

    def __len__(self) -> int:
        return len(self._devices)

    def begin(self, worker: int, job: Job) -> None:
        self._pools[worker].submit(self._work, worker, job)

    def _work(self, worker: int, job: Job) -> None:
        try:
            self._done.put((worker, walk(self._devices[worker], job, clock=time.monotonic)))
        except DeviceError:
            self._done.put((worker, None))
        except BaseException as e:  # Told where it is waited for.
            self._done.put((worker, e))

    def next(self) -> tuple[int, Walk | None]:
        worker, done = self._done.get()
        if isinstance(done, BaseException):
            raise done
        return worker, done

    def close(self) -> None:
        for pool, device in zip(self._pools, self._devices, strict=True):
            pool.shutdown(wait=True, cancel_futures=True)
            device.close()


class Cluster:
    """Workers in processes of a Ray cluster, on as many machines as it has; each opens its device there."""

    def __init__(
        self, devices: Sequence[str | Device], *, options: DeviceOptions | None = None, address: str = ""
    ) -> None:
        makers = [partial(_opened, d, options) for d in devices]
        self.workers = RayWorkers(makers, address)

    def __len__(self) -> int:
        return len(self.workers)

    def begin(self, worker: int, job: Job) -> None:
        self.workers.begin(worker, _walked, job)

    def next(self) -> tuple[int, Walk | None]:
        return self.workers.next()

    def close(self) -> None:
        self.workers.close()


def _walked(device: Device, job: Job) -> Walk:
    return walk(device, job, clock=time.monotonic)


def fleet(
    devices: Sequence[str | Device],
    map: str | Path,
    request: FleetRequest,
    *,
    options: DeviceOptions | None = None,
    crew: Callable[[Sequence[str | Device]], Crew] | None = None,
    progress: Callable[[FleetProgress], None] | None = None,
) -> Fleeted:
    """Explore with all devices until nothing is untried; a map that is there already is taken up.

    `crew` makes the workers, threads unless told. Raises UsageError for no device, DeviceError where all
    are lost before anything was seen.
    """
    if not devices:
        raise UsageError("A fleet needs a device: waypost fleet DEVICE DEVICE ... --map MAP")
    began, folder = time.monotonic(), map_folder(map)
    opened = [_opened(d, options) for d in devices] if crew is None else []
    first = opened[0] if opened else _opened(devices[0], options)
    try:
        store, app = _store(first, folder)
    finally:
        if not opened:
            first.close()
    team = Threads(opened) if crew is None else crew(devices)
    try:
        with Map(folder, store) as known:
            run = _Run(known, team, request, progress)
            run.all()
            named = devices[0] if isinstance(devices[0], str) else ""
            write_origin(
                folder, Origin(parse_device(named), options or DeviceOptions()) if named else Origin()
            )
            known.name_choosers()
            if known.graph.root is not None:
                known.remember()
            graph = known.graph
    finally:
        team.close()
    return Fleeted(
        map=str(map),
        app=app,
        devices=len(devices),
        lost=run.lost,
        pages=sum(1 for _ in graph.pages()),
        transitions=len(graph.transitions),
        actions=run.actions,
        frontier=sum(len(keys) for keys in graph.untried.values()),
        shares=run.jobs,
        stop_reason=graph.stop.value,
        seconds=time.monotonic() - began,
    )


def _opened(device: str | Device, options: DeviceOptions | None) -> Device:
    return open_device(parse_device(device), options) if isinstance(device, str) else Discreet.over(device)


def _store(device: Device, folder: Path) -> tuple[MapStore, str]:
    look = settled(device)
    app = look.screen.app
    width, height = look.screen.size
    profile = str(getattr(device, "profile", f"{width}x{height}"))
    store = made_store(folder, app, app_version(device, app), profile)
    known = store.load().app
    if known != app:
        store.close()
        raise UsageError(
            f"{folder.name!r} is a map of {known}, and the device shows {app}; give another --map"
        )
    return store, app


class _Run:
    """Hands out shares and takes walks in, until there is nothing left to hand out."""

    def __init__(
        self,
        known: Map,
        crew: Crew,
        request: FleetRequest,
        progress: Callable[[FleetProgress], None] | None,
    ) -> None:
        self._known, self._crew, self._request, self._progress = known, crew, request, progress
        self.jobs = self.actions = self.lost = 0
        self.log = Log()
        self._busy: dict[int, Keys] = {}
        self._granted: dict[int, int] = {}
        """Actions that a worker may still take."""
        self._idle = list(range(len(crew)))
        self._fruitless: dict[tuple[NodeId, str], int] = {}

    def all(self) -> None:
        mapper = self._known.mapper
        mapper.stop(ExploreStop.RUNNING)
        stop = ExploreStop.COMPLETE
        try:
            self._look_around()
            while True:
                while self._idle and not self._over() and (share := self._share()) is not None:
                    self._begin(self._idle.pop(0), share)
                if not self._busy:
                    break
                self._take(*self._crew.next())
            if self._request.halted() and any(self._known.graph.untried.values()):
                stop = ExploreStop.INTERRUPTED
            elif self._spent():
                stop = ExploreStop.OUT_OF_ACTIONS
            elif not self._idle:
                stop = ExploreStop.DEVICE_LOST
        except KeyboardInterrupt:
            stop = ExploreStop.INTERRUPTED
        mapper.stop(stop)
        mapper.commit()

    def _look_around(self) -> None:
        """Let one worker see the first page: before, there is nothing to share."""
        while self._known.graph.root is None and self._idle:
            self._begin(self._idle.pop(0), {}, actions=2)
            self._take(*self._crew.next())

    def _over(self) -> bool:
        return self._spent() or self._request.halted()

    def _spent(self) -> bool:
        limit = self._request.actions
        return limit is not None and self.actions + sum(self._granted.values()) >= limit

    def _share(self) -> dict[NodeId, tuple[str, ...]] | None:
        """Return what the next worker is to try; an even part of what is left, and nothing twice in vain."""
        graph = self._known.graph
        free = sum(len(k) for k in graph.untried.values()) - sum(
            len(k) for s in self._busy.values() for k in s.values()
        )
        most = max(1, min(_SLICE, -(-free // len(self._crew))))
        tired: dict[NodeId, tuple[str, ...]] = {}
        for (node, key), times in self._fruitless.items():
            if times >= 2:
                tired[node] = (*tired.get(node, ()), key)
        return shares(graph, [*self._busy.values(), tired], most) or None

    def _begin(self, worker: int, share: Keys, *, actions: int | None = None) -> None:
        keys = sum(len(k) for k in share.values())
        wanted = actions or max(8, _PER_KEY * keys + 4)
        if self._request.actions is not None:
            left = self._request.actions - self.actions - sum(self._granted.values())
            wanted = max(1, min(wanted, left))
        self._granted[worker] = wanted
        config = ExploreConfig(
            actions=wanted, seed=self._request.seed + self.jobs, pictures=self._request.pictures
        )
        self._busy[worker] = share
        self._crew.begin(worker, Job(self.jobs, copied(self._known.graph), share, config))
        self.jobs += 1

    def _take(self, worker: int, done: Walk | None) -> None:
        share = self._busy.pop(worker)
        del self._granted[worker]
        if done is None:
            self.lost += 1
        else:
            self._merge(done)
            if done.stop is ExploreStop.DEVICE_LOST:
                self.lost += 1
            else:
                self._idle.append(worker)
        for node, keys in share.items():
            left = self._known.graph.untried.get(self._known.mapper.resolve(node), ())
            for key in (k for k in keys if k in left and done is not None):
                self._fruitless[node, key] = self._fruitless.get((node, key), 0) + 1
        graph = self._known.graph
        if self._progress is not None:
            untried = sum(len(k) for k in graph.untried.values())
            pages = sum(1 for _ in graph.pages())
            workers = len(self._crew) - self.lost
            self._progress(
                FleetProgress(workers, pages, len(graph.transitions), self.actions, untried, self.lost)
            )

    def _merge(self, done: Walk) -> None:
        mapper = self._known.mapper
        self.log |= done.log
        self.actions += done.actions
        replay(mapper, done.log)
        settle(mapper, done.left)
        mapper.commit()
