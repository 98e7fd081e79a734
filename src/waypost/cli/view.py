"""`waypost view`: a map as a page to look at, on loopback or as one file."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from waypost.cli.options import Json, MapName
from waypost.cli.output import console, guarded, notes, show
from waypost.cli.stopping import told_to_stop
from waypost.errors import UsageError
from waypost.parts.face import open_map
from waypost.surface.view import Viewer, exported, serve_view

__all__ = ["view"]


def view(
    map: MapName,
    export: Annotated[
        Path | None,
        typer.Option("--export", metavar="FILE", help="Write one self-contained HTML file instead."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="OLD", help="The map of an earlier build, to be held against it."),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0: any.")] = 8766,
    open: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    json: Json = False,
) -> None:
    """Look at a map: pages, search, routes, coverage, changes, corrections, and an exploration as it runs."""
    with guarded(as_json=json):
        if export is not None:
            _export(map, against, export, as_json=json)
            return
        with told_to_stop() as stop:
            served = serve_view(Viewer(map, against), port=port)
            try:
                if json:
                    show({"url": served.url, "map": map})
                else:
                    console.print(
                        f"{map} can be looked at on {served.url}; stop it with Ctrl-C", markup=False
                    )
                    if open:
                        typer.launch(served.url)
                stop.wait()
            finally:
                served.close()


def _export(map: str, against: str | None, path: Path, *, as_json: bool) -> None:
    with open_map(map, readonly=True) as known, Progress(console=notes, transient=True) as bar:
        task = bar.add_task("writing", total=None)

        def told(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        old = open_map(against, readonly=True) if against else None
        try:
            text = exported(known, old, progress=told)
        finally:
            if old is not None:
                old.close()
        pages = len(known.pages())
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as e:
        raise UsageError(f"Cannot write {str(path)!r}: {e.strerror}") from e
    if as_json:
        show({"file": str(path), "bytes": len(text.encode()), "pages": pages})
    else:
        notes.print(f"wrote {path}: open it in any browser", markup=False)
