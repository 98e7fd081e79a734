"""`waypost explain`, `export`: a map in, what it goes by and what is on it out."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.options import Json, MapName
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.mapping.explain import explain_pages
from waypost.parts.export import FORMATS
from waypost.parts.face import open_map

__all__ = ["explain", "export"]


def explain(
    map: MapName,
    a: Annotated[str, typer.Argument(metavar="PAGE", help="A page's id or name; PAGE#N is one look.")],
    b: Annotated[
        str, typer.Argument(metavar="PAGE", help="Another page or look, to be held against it.")
    ] = "",
    json: Json = False,
) -> None:
    """Say what a page is recognised by, or what joins or parts two pages or two looks."""
    with guarded(as_json=json), open_map(map, readonly=True) as opened:
        found = explain_pages(opened.mapper, a, b or a)
        if json:
            show(asdict(found))
        else:
            console.print(found.text, markup=False)


def export(
    map: MapName,
    format: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "jsonl",
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write; default: standard output.")
    ] = None,
    json: Json = False,
) -> None:
    """Write a map in a format that other tools read."""
    with guarded(as_json=json), open_map(map, readonly=True) as opened:
        if format not in FORMATS:
            raise UsageError(f"{format!r} is no format; choose one of {', '.join(FORMATS)}")
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
