"""`waypost init`: a configuration file to write in, a look at the machine, and what to do first."""

from typing import Annotated

import typer

from waypost.cli.options import Json
from waypost.cli.output import Exit, console, guarded, show
from waypost.parts.configuring import begun
from waypost.parts.folders import known_maps
from waypost.parts.health import checked

__all__ = ["init"]

_FIRST = (
    ("waypost map get pocket", "maps to look at at once"),
    ("waypost view pocket-settings", "look at one"),
    ("waypost explore DEVICE --map NAME", "map an app of yours; docs/devices.md says what a device is"),
)


def init(
    again: Annotated[
        bool, typer.Option("--again", help="Write the configuration anew, over the one that is there.")
    ] = False,
    json: Json = False,
) -> None:
    """Begin: write a configuration file to fill in, check the machine, and say what to do first."""
    with guarded(as_json=json):
        path, written = begun(again=again)
        missing = [f for f in checked() if f.needed and not f.ok]
        maps = known_maps()
        if json:
            rows = [{"part": f.part, "found": f.found, "cure": f.cure} for f in missing]
            first = [line for line, _ in _FIRST]
            show({"config": str(path), "written": written, "maps": maps, "missing": rows, "first": first})
        else:
            console.print(
                f"{path}: {'written' if written else 'was there, and is left as it is'}", markup=False
            )
            for finding in missing:
                console.print(f"missing  {finding.part}: {finding.found}; {finding.cure}", markup=False)
            for line, why in _FIRST:
                console.print(f"  {line:36} {why}", markup=False)
        raise typer.Exit(Exit.NOT_REACHED if missing else Exit.OK)
