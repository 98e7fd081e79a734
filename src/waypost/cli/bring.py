"""`waypost import`: another tool's map in, a map of ours out, with what could not be used."""

from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.options import Json
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.parts.importing import FORMATS, imported

__all__ = ["bring"]

_SHOWN = 12


def bring(
    format: Annotated[str, typer.Argument(metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")],
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The other tool's file or folder.")],
    map: Annotated[str, typer.Option("--map", metavar="MAP", help="Name or folder of the map to make.")],
    json: Json = False,
) -> None:
    """Make a map of what another tool recorded; nothing of it counts as verified."""
    with guarded(as_json=json):
        found = imported(format, path, map)
        if json:
            show(found.as_json())
            raise typer.Exit(Exit.OK)
        app = found.app or "an unnamed app"
        held = f"{found.pages} pages with {found.looks} looks, {found.transitions} transitions"
        console.print(
            f"{held}, {found.records} records of {app} in {found.map!r}; none is verified", markup=False
        )
        for fault in found.faults[:_SHOWN]:
            where = f"{fault.file}:{fault.line}" if fault.line else fault.file
            notes.print(f"  left out: {where}: {fault.why}", markup=False)
        if len(found.faults) > _SHOWN:
            notes.print(f"  and {len(found.faults) - _SHOWN} more; --json lists all")
        raise typer.Exit(Exit.OK)
