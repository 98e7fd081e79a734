"""`waypost fleet`: several devices in, one map an app that all of them grew out."""

from contextlib import nullcontext
from typing import Annotated

import typer

from waypost.adapters.rayed import joined_to
from waypost.cli.options import AllowHost, InitScript, Json, OnRay, Seed, StorageState, device_options
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.parts.fleet import Cluster, Fleeted, FleetProgress, FleetRequest
from waypost.parts.fleets import fleets

__all__ = ["fleet"]


def fleet(
    devices: Annotated[
        list[str],
        typer.Argument(metavar="DEVICE...", help="Devices, of one app or several; a name may repeat."),
    ],
    map: Annotated[str, typer.Option("--map", metavar="MAP", help="Name or folder; resumed if there.")] = "",
    copies: Annotated[int, typer.Option("--copies", min=1, max=64, help="Open each device so often.")] = 1,
    budget_actions: Annotated[
        int | None, typer.Option("--budget-actions", min=1, help="Most actions to take, of all together.")
    ] = None,
    ray: OnRay = None,
    pictures: Annotated[bool, typer.Option(help="Keep a screenshot of every new page.")] = True,
    storage_state: StorageState = None,
    init_script: InitScript = None,
    allow_host: AllowHost = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Explore apps on several devices at once, each app into one map."""
    with guarded(as_json=json):
        if not map:
            raise UsageError("Say where the map goes: waypost fleet DEVICE DEVICE --map NAME")
        told = device_options(storage_state, init_script, allow_host, "", seed=seed, faults=False)
        names = [name for name in devices for _ in range(copies)]
        address = "" if ray in (None, "local") else str(ray)
        with nullcontext() if ray is None else joined_to(address):
            found = fleets(
                names,
                map,
                FleetRequest(budget_actions, pictures, seed),
                options=told,
                crew=None if ray is None else lambda some: Cluster(some, options=told, address=address),
                progress=None if json else _told,
            )
        if json:
            show(found.maps[0].as_json() if len(found.maps) == 1 else found.as_json())
        else:
            for done in found.maps:
                _tell(done)
        if all(done.stop_reason == "device_lost" for done in found.maps):
            raise typer.Exit(Exit.DEVICE_FAULT)


def _tell(done: Fleeted) -> None:
    console.print(
        f"{done.pages} pages and {done.transitions} transitions of {done.app} in {done.map!r}, by "
        f"{done.devices} devices in {done.shares} shares and {done.actions} actions",
        markup=False,
    )
    if done.lost:
        console.print(f"{done.lost} devices were lost; the others did what was theirs", markup=False)


def _told(now: FleetProgress) -> None:
    notes.print(
        f"{now.pages} pages, {now.untried} untried, {now.actions} actions on {now.workers} devices",
        markup=False,
    )
