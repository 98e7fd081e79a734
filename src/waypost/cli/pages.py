"""`waypost pages`: a map in, its pages out; and what a user corrects on them, one correction a call."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.table import Table

from waypost.cli.options import Json, MapName
from waypost.cli.output import console, guarded, notes, show
from waypost.errors import UsageError
from waypost.mapping import page_called
from waypost.model import Hypernode
from waypost.parts import correcting
from waypost.parts.correcting import Corrected
from waypost.parts.face import Map, open_map

__all__ = ["pages"]

_Pair = tuple[str, str]


def pages(
    map: MapName,
    all: Annotated[bool, typer.Option("--all", help="Side states and other apps as well.")] = False,
    looks: Annotated[
        str, typer.Option("--looks", metavar="PAGE", help="List the looks of one page, by number.")
    ] = "",
    merge: Annotated[_Pair, typer.Option("--merge", metavar="PAGE PAGE", help="The two are one page.")] = (
        "",
        "",
    ),
    split: Annotated[
        _Pair,
        typer.Option("--split", metavar="PAGE LOOKS", help="Looks of a page, such as 2,4-6, are another."),
    ] = ("", ""),
    rename: Annotated[
        _Pair, typer.Option("--rename", metavar="PAGE NAME", help="Call the page so, whatever it shows.")
    ] = ("", ""),
    pin: Annotated[
        str,
        typer.Option("--pin", metavar="PAGE", help="The page is one as it stands; nothing is joined to it."),
    ] = "",
    ignore_region: Annotated[
        _Pair,
        typer.Option(
            "--ignore-region",
            metavar="PAGE REGION",
            help='No evidence there: #ID, ROLE#ID, ROLE"LABEL", or LEFT,TOP,RIGHT,BOTTOM (px or %).',
        ),
    ] = ("", ""),
    undo: Annotated[bool, typer.Option("--undo", help="Take the last correction back.")] = False,
    json: Json = False,
) -> None:
    """List the pages of a map, nearest to the start first, or correct what they are."""
    wanted: list[Callable[[Map], Corrected]] = []
    if any(merge):
        wanted.append(lambda m: correcting.merge(m, *merge))
    if any(split):
        wanted.append(lambda m: correcting.split(m, *split))
    if any(rename):
        wanted.append(lambda m: correcting.rename(m, *rename))
    if pin:
        wanted.append(lambda m: correcting.pin(m, pin))
    if any(ignore_region):
        wanted.append(lambda m: correcting.ignore(m, *ignore_region))
    if undo:
        wanted.append(correcting.undo)
    with guarded(as_json=json):
        if len(wanted) > 1 or (wanted and (looks or all)):
            raise UsageError(
                "One thing at a time: each correction is a call of its own, so that --undo is plain"
            )
        with open_map(map, readonly=not wanted) as opened:
            if wanted:
                _told(wanted[0](opened), as_json=json)
            elif looks:
                _looks(opened, page_called(opened.mapper, looks), as_json=json)
            else:
                _list(opened, whole=all, as_json=json)


def _told(done: Corrected, *, as_json: bool) -> None:
    if as_json:
        rows = [{"id": str(n.id), "name": n.name, "looks": len(n.looks)} for n in done.pages]
        show({"correction": done.said, "pages": rows, "corrections": done.count, "file": done.file})
        return
    for node in done.pages:
        console.print(f"{node.id}  {node.name}", markup=False)
    notes.print(f"{done.said}; {done.count} corrections in {done.file}", markup=False)


def _looks(opened: Map, node: Hypernode, *, as_json: bool) -> None:
    rows = []
    read = [opened.mapper.read(k.observation.screen) for k in node.looks]
    shown = [s.selected | s.rows | s.labels | s.scrolled | s.said for s in read]
    common = frozenset.intersection(*shown) if len(shown) > 1 else frozenset()
    for number, (look, s) in enumerate(zip(node.looks, read, strict=True), 1):
        told = [*sorted(s.selected), *sorted(shown[number - 1] - common - s.selected)][:4]
        picture = opened.picture_place(look.image_hash) if look.image_hash else ""
        row = {"look": number, "visits": look.visits, "title": s.title, "shows": told}
        rows.append(row | {"picture": picture})
    if as_json:
        show({"page": str(node.id), "name": node.name, "looks": rows})
        return
    table = Table("look", "visits", "title", "shows", "picture", box=None, pad_edge=False)
    for row in rows:
        shows = ", ".join(row["shows"]) if isinstance(row["shows"], list) else ""
        table.add_row(str(row["look"]), str(row["visits"]), str(row["title"]), shows, str(row["picture"]))
    console.print(table)


def _list(opened: Map, *, whole: bool, as_json: bool) -> None:
    graph = opened.graph
    rows = list(graph.nodes.values()) if whole else opened.pages()
    made = opened.mapper.teacher.corrections.made
    if as_json:
        show(
            {
                "app": graph.app,
                "version": graph.version,
                "met_version": graph.met,
                "root": graph.root,
                "stop_reason": graph.stop.value,
                "steps": graph.steps,
                "pages": [_page(opened, n) for n in rows],
                "corrections": [correcting.told(c) for c in made],
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
    for correction in made:
        notes.print(f"corrected: {correcting.told(correction)}", markup=False)
    if opened.trust():
        notes.print(opened.trust(), markup=False)
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
