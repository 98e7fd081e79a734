"""`waypost static`: an Android package in, a map of what its code and resources claim out."""

from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.options import Json
from waypost.cli.output import console, guarded, show
from waypost.parts.static import static_map

__all__ = ["static"]


def static(
    apk: Annotated[Path, typer.Argument(metavar="APK", help="The app's package, a file.")],
    explored: Annotated[
        str | None, typer.Option("--with", metavar="MAP", help="An explored map of the same app, to merge.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("--map", metavar="MAP", help="Write the result as a map of that name.")
    ] = None,
    json: Json = False,
) -> None:
    """Read an app's activities, menus, layouts and intents from its package; every step is unverified."""
    with guarded(as_json=json):
        found = static_map(apk, explored=explored, out=out)
        if json:
            show(found.as_json())
        else:
            console.print(found.text(), markup=False)
