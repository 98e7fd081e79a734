"""`waypost explore`: a device in, a map out; `--dry-run` only says what the guard would leave alone."""

from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn

from waypost.cli.options import (
    AllowHost,
    Cdp,
    DeviceName,
    Faults,
    InitScript,
    Json,
    Seed,
    Start,
    StorageState,
    Uiautomator2,
    device_options,
)
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.exploration import Progress as Seen
from waypost.exploration import StartRecipe
from waypost.parts.devices import DeviceOptions
from waypost.parts.exploring import POLICIES, ExploreRequest, explored, previewed
from waypost.parts.recipes import read_recipe

__all__ = ["explore"]


def explore(
    device: DeviceName,
    map: Annotated[str, typer.Option("--map", metavar="MAP", help="Name or folder; resumed if there.")] = "",
    budget_actions: Annotated[
        int | None, typer.Option("--budget-actions", min=1, help="Most actions to take.")
    ] = None,
    budget_minutes: Annotated[
        float | None, typer.Option("--budget-minutes", min=0.01, help="Longest time to take.")
    ] = None,
    policy: Annotated[str, typer.Option("--policy", help=f"One of {', '.join(POLICIES)}.")] = "frontier",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what the guard would skip on the current page.")
    ] = False,
    pictures: Annotated[bool, typer.Option(help="Keep a screenshot of every new page.")] = True,
    start: Start = None,
    storage_state: StorageState = None,
    init_script: InitScript = None,
    allow_host: AllowHost = None,
    cdp: Cdp = "",
    seed: Seed = 0,
    faults: Faults = False,
    uiautomator2: Uiautomator2 = False,
    json: Json = False,
) -> None:
    """Walk an app by itself, and make a map of it."""
    with guarded(as_json=json):
        told = device_options(
            storage_state, init_script, allow_host, cdp, seed=seed, faults=faults, uiautomator2=uiautomator2
        )
        recipe = read_recipe(start)
        if dry_run:
            _preview(device, told, recipe, as_json=json)
            return
        if not map:
            raise UsageError("Say where to keep the map: --map NAME")
        request = ExploreRequest(budget_actions, budget_minutes, seed, policy, recipe, pictures)
        with _bar() as bar:
            task = bar.add_task("exploring", total=None, seen=" starting")

            def seen(now: Seen) -> None:
                bar.update(task, total=100, completed=100 * now.coverage, seen=_line(now))

            found = explored(device, map, request, options=told, progress=seen)
        if json:
            show(found.as_json())
        else:
            console.print(found.text(), markup=False)
        raise typer.Exit(Exit.DEVICE_FAULT if found.stop_reason == "device_lost" else Exit.OK)


def _preview(device: str, told: DeviceOptions, recipe: StartRecipe | None, *, as_json: bool) -> None:
    rows = previewed(device, told, recipe)
    if as_json:
        show({"skipped": rows})
        return
    for row in rows:
        console.print(f"would skip {row['element']}: {row['reason']}", markup=False)
    notes.print(f"{len(rows)} elements of this page would be left alone")


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(24), TextColumn("{task.fields[seen]}"), console=notes
    )


def _line(now: Seen) -> str:
    left = "" if now.eta is None else f", about {max(1, round(now.eta / 60))} min left"
    return (
        f"{now.pages} pages, {now.transitions} transitions, {now.actions} actions, "
        f"{now.coverage:.0%} of known elements{left}"
    )
