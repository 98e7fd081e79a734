"""`waypost fleet`: several devices in, one map that all of them grew out."""

from typing import Annotated

import typer

from waypost.cli.options import AllowHost, InitScript, Json, Seed, StorageState, device_options
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.parts.fleet import Cluster, FleetProgress, FleetRequest
from waypost.parts.fleet import fleet as run_fleet

__all__ = ["fleet"]


def fleet(
    devices: Annotated[
        list[str], typer.Argument(metavar="DEVICE...", help="Devices that show one app; a name may repeat.")
    ],
    map: Annotated[str, typer.Option("--map", metavar="MAP", help="Name or folder; resumed if there.")] = "",
    copies: Annotated[int, typer.Option("--copies", min=1, max=64, help="Open each device so often.")] = 1,
    budget_actions: Annotated[
        int | None, typer.Option("--budget-actions", min=1, help="Most actions to take, of all together.")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option("--ray", metavar="ADDRESS", help="Work on a Ray cluster: HOST:PORT, or local."),
    ] = None,
    pictures: Annotated[bool, typer.Option(help="Keep a screenshot of every new page.")] = True,
    storage_state: StorageState = None,
    init_script: InitScript = None,
    allow_host: AllowHost = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Explore one app on several devices at once, into one map."""
    with guarded(as_json=json):
        if not map:
            raise UsageError("Say where the map goes: waypost fleet DEVICE DEVICE --map NAME")
        told = device_options(storage_state, init_script, allow_host, "", seed=seed, faults=False)
        names = [name for name in devices for _ in range(copies)]
        address = "" if ray in (None, "local") else str(ray)
        done = run_fleet(
            names,
            map,
            FleetRequest(budget_actions, pictures, seed),
            options=told,
            crew=None if ray is None else lambda found: Cluster(found, options=told, address=address),
            progress=None if json else _told,
        )
        if json:
            show(done.as_json())
        else:
            console.print(
                f"{done.pages} pages and {done.transitions} transitions of {done.app} in {done.map!r}, by "
                f"{done.devices} devices in {done.shares} shares and {done.actions} actions",
                markup=False,
            )
            if done.lost:
                console.print(f"{done.lost} devices were lost; the others did what was theirs", markup=False)
        if done.stop_reason == "device_lost":
            raise typer.Exit(Exit.DEVICE_FAULT)


def _told(now: FleetProgress) -> None:
    notes.print(
        f"{now.pages} pages, {now.untried} untried, {now.actions} actions on {now.workers} devices",
        markup=False,
    )
