"""What `waypost bench` does beside running one file: suites, linting, comparisons, judging anew."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import typer
from rich.progress import Progress
from rich.table import Table

from waypost.bench.store import EpisodeStore, Run
from waypost.cli.output import Exit, console, notes, show
from waypost.errors import UsageError
from waypost.parts.acting import GuideMode
from waypost.parts.armwords import NONE, unfit
from waypost.parts.comparing import Comparison, compared, world_of
from waypost.parts.conditions import Condition
from waypost.parts.devices import DeviceOptions
from waypost.parts.judging import judged
from waypost.parts.linting import linted
from waypost.parts.models import ModelOptions
from waypost.parts.reporting import reported
from waypost.parts.suites import listed, suite

__all__ = ["Cells", "Places", "Told", "compare", "judged_anew", "show_faults", "show_list"]


@dataclass(frozen=True, slots=True)
class Told:
    """What holds for everything that is done with a store."""

    store: Path
    rescore: str
    judge: str
    report: Path | None
    as_json: bool
    model: ModelOptions


@dataclass(frozen=True, slots=True)
class Cells:
    """What is compared."""

    arms: list[str]
    actors: str
    seeds: int
    first_seed: int
    guide: str
    limit: int
    pictures: bool

    def conditions(self, model: ModelOptions) -> tuple[Condition, ...]:
        """Write out every arm with every actor and seed. Raises UsageError."""
        modes: tuple[GuideMode, ...] = ("closed", "open", "edit", "none")
        mode = next((m for m in modes if m == self.guide), None)
        if mode is None:
            raise UsageError(f"--guide is closed, open, edit or none, not {self.guide!r}")
        found = []
        for arm in self.arms or [NONE, "frontier"]:
            for actor in map(str.strip, self.actors.split(",")):
                if why := unfit(arm, actor):
                    raise UsageError(why)
                # The follower draws nothing by lot: another seed would be the same episode again.
                seeds = self.seeds if actor != "follower" or arm == NONE else 1
                for seed in range(self.first_seed, self.first_seed + seeds):
                    found.append(Condition(arm, actor, seed, mode, self.limit, self.pictures, model))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Places:
    """Where it is run."""

    suites: tuple[str, ...]
    devices: tuple[str, ...]
    """`SUITE=DEVICE`, or one device for all."""
    only: tuple[str, ...]
    workers: int
    explore: int | None


def show_list(tasks: list[str], maps: list[str], *, as_json: bool) -> NoReturn:
    """List the suites."""
    found = listed()
    if as_json:
        show(found)
    else:
        table = Table("suite", "tasks", "absent", "world", box=None, pad_edge=False)
        for name, row in found["suites"].items():
            table.add_row(name, str(row["tasks"]), str(row["absent"]), row["world"])
        console.print(table)
    raise typer.Exit(Exit.OK)


def show_faults(tasks: list[str], maps: list[str], *, as_json: bool) -> NoReturn:
    """Lint suites, against maps where some are named; exit code 1 where there is a fault."""
    names = tasks or list(listed()["suites"])
    faults = {name: linted(suite(name), maps) for name in names}
    if as_json:
        show({"suites": {name: [f.as_json() for f in found] for name, found in faults.items()}})
    else:
        for name, found in faults.items():
            console.print(f"{name}: {len(found)} faults", markup=False)
            for f in found:
                console.print(f"  {f.task}: {f.rule}: {f.text}", markup=False)
    raise typer.Exit(Exit.NOT_REACHED if any(faults.values()) else Exit.OK)


def compare(told: Told, cells: Cells, places: Places, options: DeviceOptions) -> NoReturn:
    """Run what a store lacks, and tell what all of it says."""
    if places.suites:
        devices = dict(_device(d) for d in places.devices)
        worlds = []
        for name in places.suites:
            found = suite(name)
            worlds.append(world_of(found, devices.get(found.name, devices.get("", "")), options))
        request = Comparison(
            worlds=tuple(worlds),
            conditions=cells.conditions(told.model),
            store=told.store,
            maps=told.store / "maps",
            only=places.only,
            explore=places.explore,
            workers=places.workers,
        )
        _run(request)
    elif not (told.store / "bench.json").is_file():
        raise UsageError(f"{str(told.store)!r} is no store of episodes yet; name the suites to run")
    _tell(told)


def _device(text: str) -> tuple[str, str]:
    name, sign, device = text.partition("=")
    return (name, device) if sign and ":" not in name else ("", text)


def _run(request: Comparison) -> None:
    count: Counter[str] = Counter()
    with Progress(console=notes, transient=True) as bar:
        row = bar.add_task("episodes", total=None)

        def done(run: Run, total: int) -> None:
            count[run.key.arm] += 1
            bar.update(row, total=total, completed=count.total(), description=f"{run.key.arm} {run.key.task}")

        compared(request, lambda line: notes.print(line, markup=False), done)


def judged_anew(told: Told) -> NoReturn:
    """Have another judge look at every stored episode."""
    store = EpisodeStore(told.store).open()
    count, name = judged(store, told.rescore, told.model)
    if told.as_json:
        show({"judged": count, "judge": name})
    else:
        console.print(f"{count} episodes judged by {name}", markup=False)
    if told.report is not None:
        reported(store, judge=name).write(told.report)
    raise typer.Exit(Exit.OK)


def _tell(told: Told) -> NoReturn:
    report = reported(EpisodeStore(told.store).open(), judge=told.judge)
    if told.report is not None:
        report.write(told.report)
        notes.print(f"report: {told.report}", markup=False)
    if told.as_json:
        show(report.as_json())
    else:
        console.print(report.text(), markup=False)
    raise typer.Exit(Exit.OK)
