"""`waypost distil` and `learn`: maps and a model, or episodes, in; a better memory out."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

from waypost.cli.options import (
    Json,
    ModelCache,
    ModelImages,
    ModelName,
    ModelTimeout,
    ModelTokens,
    ModelUrl,
    OnRay,
    PriceReceived,
    PriceSent,
    Workers,
    model_options,
)
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.library.describing import NoteStatus
from waypost.parts.distilling import Distilled, DistilRequest, Estimate, distilled, estimated
from waypost.parts.face import Map, open_map
from waypost.parts.learning import learned
from waypost.parts.models import ModelOptions, OpenModel, from_cluster, open_model

__all__ = ["distil", "learn"]


@dataclass(frozen=True, slots=True)
class _Offline:
    """What was written with no model."""

    records: int
    chunks: int

    def as_json(self) -> dict[str, Any]:
        return {"records": self.records, "chunks": self.chunks}


def distil(
    maps: Annotated[list[str], typer.Argument(metavar="MAP...", help="Names or folders of maps.")],
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
    ray: OnRay = None,
    json: Json = False,
) -> None:
    """Write the records of maps anew: with no model from what was seen, with one in its words."""
    with guarded(as_json=json):
        if page and len(maps) > 1:
            raise UsageError("--page chooses pages of one map; name one")
        request, prices = DistilRequest(tuple(page or ()), workers, chunks), (price_sent, price_received)
        told = model_options(
            model, base_url, images, (timeout, max_tokens), prices=prices, workers=workers, cache=reply_cache
        )
        with _opened(told, ray) as opened:
            done = [_one(name, opened, request, prices, dry_run=dry_run) for name in maps]
            spent = opened.spent() if opened else {"calls": 0, "cost": 0.0}
        if json:
            rows = [{"map": name, **d.as_json()} for name, d in zip(maps, done, strict=True)]
            told_of = done[0].as_json() if len(maps) == 1 else {"maps": rows}
            show(told_of if dry_run else told_of | {"spent": spent})
        else:
            for name, each in zip(maps, done, strict=True):
                _tell(name if len(maps) > 1 else "", each, prices)
            if opened and not dry_run:
                _tell_spent(spent)
        failed = any(isinstance(d, Distilled) and d.model_failed for d in done)
        raise typer.Exit(Exit.MODEL_FAULT if failed else Exit.OK)


@contextmanager
def _opened(told: ModelOptions, ray: str | None) -> Iterator[OpenModel | None]:
    if not told.model:
        yield None
    elif ray is None:
        yield open_model(told)
    else:
        with from_cluster(told, "" if ray == "local" else ray) as opened:
            yield opened


def _one(
    name: str,
    model: OpenModel | None,
    request: DistilRequest,
    prices: tuple[float, float],
    *,
    dry_run: bool,
) -> Distilled | Estimate | _Offline:
    with open_map(name, readonly=dry_run) as known:
        if known.graph.root is None:
            raise UsageError(f"The map {name!r} is empty; explore the app first")
        if model is None:
            return _offline(known, request, dry_run=dry_run)
        return estimated(known, model, request, prices) if dry_run else _described(known, model, request)


def _offline(known: Map, request: DistilRequest, *, dry_run: bool) -> _Offline:
    if request.pages:
        raise UsageError("--page chooses what a model describes; name it with --model")
    if dry_run:
        raise UsageError("Without a model nothing costs anything; name one with --model")
    from waypost.library.chunks import explored_chunks, write_chunks

    records = len(known.remember().records)
    found = explored_chunks(known.graph, known.planner) if request.chunks else ()
    if request.chunks:
        write_chunks(known.folder, found)
    return _Offline(records, len(found))


def _described(known: Map, opened: OpenModel, request: DistilRequest) -> Distilled:
    with Progress(console=notes, transient=True) as bar:
        row = bar.add_task(
            "describing", total=(len(request.pages) or len(known.seen())) * (1 + request.chunks)
        )

        def seen(name: str, status: NoteStatus) -> None:
            bar.update(row, advance=1, description=f"{status.value}: {name[:30]}".replace("[", r"\["))

        return distilled(known, opened, request, seen)


def _tell(name: str, found: Distilled | Estimate | _Offline, prices: tuple[float, float]) -> None:
    head = f"{name}: " if name else ""
    match found:
        case _Offline():
            console.print(
                f"{head}{found.records} records written from what was seen; no model was asked", markup=False
            )
        case Estimate():
            console.print(head + _estimate(found, prices), markup=False)
        case Distilled():
            counts = ", ".join(f"{n} {status}" for status, n in found.counts().items() if n)
            console.print(f"{head}{found.records} records; pages: {counts or 'none'}", markup=False)
            for page in found.pages:
                if page.fault and page.status is not NoteStatus.LEFT:
                    notes.print(f"  {page.name}: {page.status.value}: {page.fault}", markup=False)


def _estimate(found: Estimate, prices: tuple[float, float]) -> str:
    cost = (
        f", cost about {found.cost:.4f}"
        if any(prices)
        else "; say --price-sent and --price-received for a cost"
    )
    return (
        f"{found.pages} pages, {found.cached} answered already: {found.pages - found.cached} questions with "
        f"{found.pictures} pictures, about {found.tokens_sent} tokens sent and "
        f"{found.tokens_received} received{cost}"
    )


def _tell_spent(spent: dict[str, Any]) -> None:
    tokens = f"{spent['tokens_sent']} tokens sent, {spent['tokens_received']} received"
    cost = f", cost {spent['cost']:.4f}" if spent["cost"] else ""
    console.print(f"{spent['calls']} calls, {spent['cached']} from the cache, {tokens}{cost}", markup=False)


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
