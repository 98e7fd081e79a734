"""A device name and a map name in; an app explored, and what came of it, out."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from waypost.adapters.discreet import Discreet
from waypost.errors import DeviceError, UsageError
from waypost.exploration import ExploreConfig, Progress, StartRecipe, preview
from waypost.exploration import explore as run_explore
from waypost.guidance import describe
from waypost.mapping import StepSeen
from waypost.mapping.settle import settled
from waypost.model import AppGraph, Screen
from waypost.parts.devices import DeviceOptions, app_version, open_device, parse_device
from waypost.parts.face import Map, open_map
from waypost.parts.folders import map_folder
from waypost.parts.origin import Origin, write_origin
from waypost.parts.started import Started
from waypost.parts.stores import made_store
from waypost.protocols import Device

__all__ = ["POLICIES", "ExploreRequest", "Explored", "explored", "previewed", "surveyed"]

POLICIES = ("frontier", "auto_bfs", "state_dfs", "random")


@dataclass(frozen=True, slots=True)
class ExploreRequest:
    """How to explore; the budget that ends first ends it, with none it goes on until nothing is untried."""

    actions: int | None = None
    minutes: float | None = None
    seed: int = 0
    policy: str = "frontier"
    recipe: StartRecipe | None = None
    """Brings an app behind a login to its start state."""
    pictures: bool = True
    """Keep a screenshot of every new page."""

    def config(self) -> ExploreConfig:
        """Return it as the explorer takes it. Raises UsageError."""
        if self.policy not in POLICIES:
            raise UsageError(f"{self.policy!r} is no policy; choose one of {', '.join(POLICIES)}")
        return ExploreConfig(
            policy=self.policy,
            actions=self.actions,
            minutes=self.minutes,
            seed=self.seed,
            pictures=self.pictures,
        )


@dataclass(frozen=True, slots=True)
class Explored:
    """What an exploration left behind."""

    map: str
    app: str
    pages: int
    transitions: int
    actions: int
    """Steps on the map, over all explorations of it."""
    coverage: float
    """Share of the known elements that were tried, 0 to 1."""
    frontier: int
    """Known elements that were not tried."""
    skipped: int
    """Elements that the guard left alone; `waypost pages MAP --json` lists them with reasons."""
    records: int
    stop_reason: str
    seconds: float

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "coverage": round(self.coverage, 4), "seconds": round(self.seconds, 2)}

    def text(self) -> str:
        """Say it in a few lines."""
        return (
            f"{self.pages} pages and {self.transitions} transitions of {self.app} in {self.map!r}\n"
            f"{self.coverage:.0%} of the known elements tried, {self.frontier} left, "
            f"{self.skipped} skipped by the guard\n"
            f"stopped: {self.stop_reason} after {self.actions} actions, {self.seconds:.0f} s"
        )


def explored(
    device: str | Device,
    map: str | Path,
    request: ExploreRequest,
    *,
    options: DeviceOptions | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Explored:
    """Explore, remember, and say what came of it; an exploration that was cut off is taken up again."""
    folder = map_folder(map)
    config = request.config()
    began = time.monotonic()
    seen: list[Progress] = []

    def noted(now: Progress) -> None:
        seen[:] = [now]
        if progress is not None:
            progress(now)

    if isinstance(device, str):
        spec = parse_device(device)
        opened = open_device(spec, options)
        origin = Origin(spec, options or DeviceOptions())
    else:
        opened, origin = device, Origin()
    try:
        if origin.device is not None and origin.device.kind in ("adb", "wda", "framework"):
            opened.restart()  # A phone shows what was left open on it; a map begins where the app does.
        whole = "com.pocket" if str(origin.device) == "pocket" else ""
        with surveyed(opened, folder, config, request.recipe, progress=noted, app=whole) as known:
            write_origin(folder, origin)
            if known.mapper.teacher:
                known.mapper.teach(known.mapper.teacher.corrections)  # The whole map tells more.
            known.name_choosers()
            records = len(known.remember().records) if known.graph.root is not None else 0
            graph = known.graph
    finally:
        if opened is not device:
            opened.close()
    return Explored(
        map=str(map),
        app=graph.app,
        pages=sum(1 for _ in graph.pages()),
        transitions=len(graph.transitions),
        actions=graph.steps,
        coverage=seen[0].coverage if seen else 0.0,
        frontier=sum(len(keys) for keys in graph.untried.values()),
        skipped=len(graph.skipped),
        records=records,
        stop_reason=graph.stop.value,
        seconds=time.monotonic() - began,
    )


def explore(  # noqa: PLR0913 - the options of one command, flat, as a person types them
    device: str | Device,
    map: str | Path,
    *,
    actions: int | None = None,
    minutes: float | None = None,
    seed: int = 0,
    policy: str = "frontier",
    recipe: StartRecipe | None = None,
    options: DeviceOptions | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Map:
    """Explore an app into a map, and return the open map.

    `device` is a name (`pocket:mail`, `browser:http://127.0.0.1:5006/`) or an open device. A map that
    is there already is taken up where it ended.
    """
    request = ExploreRequest(actions, minutes, seed, policy, recipe)
    explored(device, map, request, options=options, progress=progress)
    return open_map(map)


def surveyed(  # noqa: PLR0913 - what is explored, where to, how, and who watches
    device: Device,
    folder: Path,
    config: ExploreConfig,
    recipe: StartRecipe | None = None,
    *,
    progress: Callable[[Progress], None] | None = None,
    listener: Callable[[StepSeen], None] | None = None,
    app: str = "",
) -> Map:
    """Explore an open device into a folder, and return the open map; the caller closes it.

    `app` is what to explore: the app that shows, or a name above several (`com.pocket`: all of them).
    """
    device = Discreet.over(device)
    first = settled(device)
    app = app or first.screen.app
    store = made_store(folder, app, *_provenance(device, first.screen, app))
    try:
        known = Map(folder, store, listener=listener)
        _fits(known.graph, app, folder)
        known.meet(device)
        run_explore(device, known.mapper, config, start=recipe, progress=progress, clock=time.monotonic)
        # An app that was updated meanwhile: what was seen of the one before has to prove itself anew.
        with suppress(DeviceError):
            known.meet(device)
    except BaseException:
        store.close()
        raise
    return known


def _provenance(device: Device, screen: Screen, app: str) -> tuple[str, str]:
    """Return the app's version and the device's profile, as far as this kind of device can tell them."""
    width, height = screen.size
    return app_version(device, app), str(getattr(device, "profile", f"{width}x{height}"))


def _fits(graph: AppGraph, app: str, folder: Path) -> None:
    if graph.app != app:
        raise UsageError(
            f"{folder.name!r} is a map of {graph.app}, and the device shows {app}; give another --map"
        )


def previewed(
    device: str, options: DeviceOptions | None = None, recipe: StartRecipe | None = None
) -> list[dict[str, str]]:
    """List what the guard would leave alone on the page that the device shows, and why. Touches nothing."""
    opened = open_device(parse_device(device), options)
    try:
        if recipe is not None:
            Started(opened, recipe).restart()
        return [{"element": describe(r.action), "reason": r.reason} for r in preview(settled(opened))]
    finally:
        opened.close()
