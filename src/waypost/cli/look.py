"""`waypost pages`, `explain`, `export`: a map in, what is on it out."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from waypost.cli.options import Json, MapName
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.mapping.explain import explain_pages
from waypost.model import Hypernode
from waypost.parts.export import FOLDERS, FORMATS
from waypost.parts.face import Map, open_map

__all__ = ["explain", "export", "pages"]


def pages(
    map: MapName,
    all: Annotated[bool, typer.Option("--all", help="Side states and other apps as well.")] = False,
    json: Json = False,
) -> None:
    """List the pages of a map, nearest to the start first."""
    with guarded(as_json=json), open_map(map, readonly=True) as opened:
        graph = opened.graph
        rows = list(graph.nodes.values()) if all else opened.pages()
        if json:
            show(
                {
                    "app": graph.app,
                    "root": graph.root,
                    "stop_reason": graph.stop.value,
                    "steps": graph.steps,
                    "pages": [_page(opened, n) for n in rows],
                    "skipped": [
                        {"page": s.node, "element": _label(s.action), "reason": s.reason}
                        for s in graph.skipped.values()
                    ],
                }
            )
            return
        table = Table("page", "name", "depth", "looks", "ways on", "untried", box=None, pad_edge=False)
        for node in rows:
            row = _page(opened, node)
            table.add_row(*(str(row[k]) for k in ("id", "name", "depth", "looks", "ways_on", "untried")))
        console.print(table)
        notes.print(f"{len(rows)} pages; exploration: {graph.stop.value} after {graph.steps} steps")


def _page(opened: Map, node: Hypernode) -> dict[str, Any]:
    graph = opened.graph
    return {
        "id": str(node.id),
        "name": node.name,
        "kind": node.kind.value,
        "overlay": node.overlay,
        "depth": node.depth,
        "looks": len(node.looks),
        "visits": node.visits,
        "ways_on": len({t.target for t in graph.leaving(node.id)} - {node.id}),
        "untried": len(graph.untried.get(node.id, ())),
        "activity": node.looks[0].observation.screen.activity if node.looks else "",
    }


def _label(action: Any) -> str:
    target = getattr(action, "target", None)
    return target.label or target.resource_id if target is not None else ""


def explain(
    map: MapName,
    a: Annotated[str, typer.Argument(metavar="PAGE", help="A page's id or name.")],
    b: Annotated[str, typer.Argument(metavar="PAGE", help="Another page, to be held against it.")] = "",
    json: Json = False,
) -> None:
    """Say what a page is recognised by, or what tells two pages apart."""
    with guarded(as_json=json), open_map(map, readonly=True) as opened:
        found = explain_pages(opened.mapper, a, b or a)
        if json:
            show(asdict(found))
        else:
            console.print(found.text, markup=False)


def export(
    map: MapName,
    format: Annotated[
        str, typer.Option("--format", help=f"One of {', '.join((*FORMATS, *FOLDERS))}.")
    ] = "jsonl",
    out: Annotated[
        Path | None,
        typer.Option("--out", help="File, or folder for several, to write; default: standard output."),
    ] = None,
    json: Json = False,
) -> None:
    """Write a map in a format that other tools read."""
    with guarded(as_json=json), open_map(map, readonly=True) as opened:
        if format in FOLDERS:
            _files(format, FOLDERS[format](opened.graph, opened.records()), out, as_json=json)
            return
        if format not in FORMATS:
            raise UsageError(f"{format!r} is no format; choose one of {', '.join((*FORMATS, *FOLDERS))}")
        if json and out is None:
            raise UsageError("--json tells what was written, so it needs --out FILE")
        text = FORMATS[format](opened.graph, opened.records())
        if out is None:
            typer.echo(text, nl=False)
            return
        try:
            out.write_text(text, encoding="utf-8")
        except OSError as e:
            raise UsageError(f"Cannot write {str(out)!r}: {e.strerror}") from e
        if json:
            show({"format": format, "file": str(out), "bytes": len(text.encode())})
        else:
            notes.print(f"wrote {out}", markup=False)
        raise typer.Exit(Exit.OK)


def _files(format: str, files: dict[str, str], out: Path | None, *, as_json: bool) -> None:
    if out is None:
        raise UsageError(f"{format} is a file for each page: name their folder with --out FOLDER")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (out / name).write_text(text, encoding="utf-8")
    except OSError as e:
        raise UsageError(f"Cannot write to {str(out)!r}: {e.strerror}") from e
    if as_json:
        show({"format": format, "folder": str(out), "files": sorted(files)})
    else:
        notes.print(f"wrote {len(files)} files to {out}", markup=False)
