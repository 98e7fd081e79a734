"""`waypost identity`: a folder of looks in, the page of each out."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.options import Json
from waypost.cli.output import console, guarded, notes, show
from waypost.parts.identity import clustered

__all__ = ["identity"]

identity = typer.Typer(
    name="identity", help="Sort looks into pages, and score how well that is done.", no_args_is_help=True
)


@identity.command()
def cluster(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder of looks in the neutral form, one JSON each.")
    ],
    app: Annotated[
        str, typer.Option("--app", help="Package or origin of the app; default: the one most looks have.")
    ] = "",
    json: Json = False,
) -> None:
    """Sort a folder of looks into pages; overlays and other apps are no page."""
    with guarded(as_json=json):
        found = clustered(folder, app)
        for file, why in found.faults.items():
            notes.print(f"left out: {file}: {why}", markup=False)
        if json:
            show(found.pages)
            return
        sizes = Counter(p for p in found.pages.values() if p is not None)
        for look, page in found.pages.items():
            console.print(f"{page or '-':8} {look}", markup=False)
        none = sum(p is None for p in found.pages.values())
        notes.print(
            f"{len(found.pages)} looks of {found.app or 'no app'}: {len(sizes)} pages, {none} looks of none",
            markup=False,
        )
