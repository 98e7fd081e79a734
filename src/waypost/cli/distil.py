"""`waypost distil` and `learn`: a map and a model, or episodes, in; a better memory out."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from waypost.cli.options import (
    Json,
    MapName,
    ModelCache,
    ModelImages,
    ModelName,
    ModelTimeout,
    ModelTokens,
    ModelUrl,
    PriceReceived,
    PriceSent,
    Workers,
    model_options,
)
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.library.describing import NoteStatus
from waypost.parts.distilling import Distilled, DistilRequest, distilled, estimated
from waypost.parts.face import Map, open_map
from waypost.parts.learning import learned
from waypost.parts.models import OpenModel, open_model

__all__ = ["distil", "learn"]


def distil(
    map: MapName,
    model: ModelName = "",
    page: Annotated[
        list[str] | None, typer.Option("--page", help="Only this page, by id or name; may be repeated.")
    ] = None,
    chunks: Annotated[bool, typer.Option("--chunks", help="Write MapAgent's page chunks as well.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would cost.")] = False,
    base_url: ModelUrl = "",
    images: ModelImages = True,
    timeout: ModelTimeout = 120.0,
    max_tokens: ModelTokens = 2048,
    price_sent: PriceSent = 0.0,
    price_received: PriceReceived = 0.0,
    workers: Workers = 4,
    reply_cache: ModelCache = None,
    json: Json = False,
) -> None:
    """Write a map's records anew: with no model from what was seen, with one in its words."""
    with guarded(as_json=json), open_map(map, readonly=dry_run) as known:
        if known.graph.root is None:
            raise UsageError(f"The map {map!r} is empty; explore the app first")
        request = DistilRequest(tuple(page or ()), workers, chunks)
        if not model:
            _offline(known, request, dry_run=dry_run, as_json=json)
            return
        prices = (price_sent, price_received)
        told = model_options(
            model, base_url, images, (timeout, max_tokens), prices=prices, workers=workers, cache=reply_cache
        )
        opened = open_model(told)
        if dry_run:
            _estimate(known, opened, request, prices, as_json=json)
            return
        found = _described(known, opened, request)
        if json:
            show(found.as_json())
        else:
            _tell(found)
        raise typer.Exit(Exit.MODEL_FAULT if found.model_failed else Exit.OK)


def _offline(known: Map, request: DistilRequest, *, dry_run: bool, as_json: bool) -> None:
    if request.pages:
        raise UsageError("--page chooses what a model describes; name it with --model")
    if dry_run:
        raise UsageError("Without a model nothing costs anything; name one with --model")
    from waypost.library.chunks import explored_chunks, write_chunks

    records = len(known.remember().records)
    found = explored_chunks(known.graph, known.planner) if request.chunks else ()
    if request.chunks:
        write_chunks(known.folder, found)
    if as_json:
        show({"records": records, "chunks": len(found), "spent": {"calls": 0, "cost": 0.0}})
    else:
        console.print(f"{records} records written from what was seen; no model was asked")


def _estimate(
    known: Map, opened: OpenModel, request: DistilRequest, prices: tuple[float, float], *, as_json: bool
) -> None:
    found = estimated(known, opened, request, prices)
    if as_json:
        show(found.as_json())
        return
    cost = (
        f", cost about {found.cost:.4f}"
        if any(prices)
        else "; say --price-sent and --price-received for a cost"
    )
    console.print(
        f"{found.pages} pages, {found.cached} answered already: {found.pages - found.cached} questions with "
        f"{found.pictures} pictures, about {found.tokens_sent} tokens sent and "
        f"{found.tokens_received} received{cost}",
        markup=False,
    )


def _described(known: Map, opened: OpenModel, request: DistilRequest) -> Distilled:
    with Progress(console=notes, transient=True) as bar:
        row = bar.add_task(
            "describing", total=(len(request.pages) or len(known.seen())) * (1 + request.chunks)
        )

        def seen(name: str, status: NoteStatus) -> None:
            bar.update(row, advance=1, description=f"{status.value}: {name[:30]}".replace("[", r"\["))

        return distilled(known, opened, request, seen)


def _tell(found: Distilled) -> None:
    counts = ", ".join(f"{n} {status}" for status, n in found.counts().items() if n)
    spent = found.spent
    tokens = f"{spent['tokens_sent']} tokens sent, {spent['tokens_received']} received"
    cost = f", cost {spent['cost']:.4f}" if spent["cost"] else ""
    console.print(f"{found.records} records; pages: {counts or 'none'}", markup=False)
    console.print(f"{spent['calls']} calls, {spent['cached']} from the cache, {tokens}{cost}", markup=False)
    for page in found.pages:
        if page.fault and page.status is not NoteStatus.LEFT:
            notes.print(f"  {page.name}: {page.status.value}: {page.fault}", markup=False)


def learn(
    episodes: Annotated[
        Path, typer.Argument(metavar="EPISODES", help="A file of episodes, as `bench --episodes` writes it.")
    ],
    map: Annotated[
        str, typer.Option("--map", metavar="MAP", help="Name or folder; made where there is none.")
    ],
    device: Annotated[
        str, typer.Option("--device", metavar="DEVICE", help="Device for `go`, where the episodes name none.")
    ] = "",
    json: Json = False,
) -> None:
    """Let a map learn from episodes of any actor."""
    with guarded(as_json=json):
        found = learned(episodes, map, device=device)
        if json:
            show(found.as_json())
        else:
            console.print(
                f"{found.episodes} episodes learnt: {found.new_pages} new pages of {found.pages}, "
                f"{found.new_transitions} new transitions of {found.transitions}, {found.records} records",
                markup=False,
            )
            for line, why in found.passed_over:
                notes.print(f"  line {line} passed over: {why}", markup=False)
        raise typer.Exit(Exit.OK if found.episodes else Exit.NOT_REACHED)
