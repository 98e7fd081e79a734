"""`waypost map`: maps that come with the package are listed and installed; pictures are laid elsewhere."""

from typing import Annotated

import typer
from rich.table import Table

from waypost.cli.options import Json, MapName
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.parts.face import open_map
from waypost.parts.folders import known_maps, map_folder
from waypost.parts.seeds import install, seeds
from waypost.parts.stores import lay_pictures

__all__ = ["map_"]

map_ = typer.Typer(
    name="map",
    help="Maps that come with the package; whether one is whole, and where pictures lie.",
    no_args_is_help=True,
)


@map_.command("list")
def list_(json: Json = False) -> None:
    """List the maps that come with the package, and those that you have."""
    with guarded(as_json=json):
        offered, mine = seeds(), known_maps()
        if json:
            rows = [{"name": s.name, "about": s.about, "pages": s.pages, "bytes": s.bytes} for s in offered]
            show({"package": rows, "yours": mine})
            return
        table = Table("map", "pages", "about", box=None, pad_edge=False)
        for seed in offered:
            table.add_row(seed.name, str(seed.pages), seed.about)
        console.print(table)
        notes.print(f"yours: {', '.join(mine) or 'none yet'}", markup=False)


@map_.command()
def get(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="One of `waypost map list`; pocket: all of its.")
    ],
    again: Annotated[bool, typer.Option("--again", help="Put it in place of the one that is there.")] = False,
    json: Json = False,
) -> None:
    """Install a map from the package itself, so that find, route and view work at once."""
    with guarded(as_json=json):
        folders = install(name, again=again)
        if json:
            show({"maps": [{"name": f.name, "folder": str(f)} for f in folders]})
            return
        for folder in folders:
            console.print(folder.name, markup=False)
        notes.print(f"look at it: waypost view {folders[-1].name}", markup=False)


@map_.command()
def check(map: MapName, json: Json = False) -> None:
    """Hold a map against itself: counts, pictures, what is on disk, and whether looks find their pages."""
    with guarded(as_json=json), open_map(map, readonly=True) as known:
        wrong = known.disagreements()
        if json:
            show({"map": map, "disagreements": wrong})
        else:
            size = f"{len(known.graph.nodes)} pages and {len(known.graph.transitions)} transitions"
            for line in wrong or [f"{size}, all agree"]:
                console.print(line, markup=False)
        raise typer.Exit(Exit.NOT_REACHED if wrong else Exit.OK)


@map_.command()
def pictures(
    map: MapName,
    address: Annotated[
        str,
        typer.Argument(metavar="[ADDRESS]", help="s3://BUCKET/FOLDER or the like; none: the map's folder."),
    ] = "",
    json: Json = False,
) -> None:
    """Copy a map's pictures to another store, and keep them there from now on."""
    with guarded(as_json=json):
        folder = map_folder(map)
        copied = lay_pictures(folder, address)
        if json:
            show({"map": map, "pictures": address or str(folder / "screens"), "copied": copied})
            return
        console.print(f"{copied} pictures copied to {address or str(folder / 'screens')}", markup=False)
        notes.print("what lay where they were is still there; delete it when you like", markup=False)
