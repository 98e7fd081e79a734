"""`waypost explain`, `export`: a map in, what it goes by and what is on it out."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.options import Json, MapName
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.mapping.explain import explain_pages
from waypost.parts.export import FOLDERS, FORMATS
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
