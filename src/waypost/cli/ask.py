"""`waypost find`, `route`, `go`: a sentence in, a page, a way, an arrival out."""

from typing import Annotated, Any

import typer

from waypost.cli.actor_options import ActorName, Allow, DialectName, Telling, Wrapped, acting_options
from waypost.cli.options import (
    AllowHost,
    Cdp,
    Device,
    Faults,
    InitScript,
    Json,
    MapName,
    ModelImages,
    ModelTimeout,
    ModelUrl,
    Seed,
    Sentence,
    Start,
    StorageState,
    Uiautomator2,
    device_options,
)
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.library import Answer, Found
from waypost.model.codec import encode
from waypost.parts.acting import went
from waypost.parts.face import Map, open_map
from waypost.parts.recipes import read_recipe

__all__ = ["find", "go", "route"]


def find(map: MapName, sentence: Sentence, json: Json = False) -> None:
    """Find the page that a sentence means, or say that it is not on the map."""
    with guarded(as_json=json), open_map(map, readonly=True) as opened:
        answer = opened.find(sentence)
        if json:
            show({**_answer(answer), **_version(opened)})
        elif answer.record is None:
            console.print(f"Not on this map ({answer.confidence:.0%} sure): {answer.reason}", markup=False)
        else:
            console.print(answer.record.name, style="bold", markup=False)
            console.print(answer.record.summary, markup=False)
            way = " > ".join(answer.record.waypoints)
            console.print(f"Way: {way}\nConfidence: {answer.confidence:.0%}", markup=False)
        if not json:
            _doubt(opened)
        raise typer.Exit(Exit.OK if answer.record else Exit.NOT_REACHED)


def route(
    map: MapName,
    sentence: Sentence,
    block: Annotated[bool, typer.Option("--block", help="Print the block for an agent's prompt.")] = False,
    json: Json = False,
) -> None:
    """Plan the way from the app's start to the page that a sentence means."""
    with guarded(as_json=json), open_map(map, readonly=True) as opened:
        way = opened.route(sentence)
        if json:
            plan = encode(way.plan) if way.plan else None
            told = {"plan": plan, "text": way.text, "block": way.block}
            show({**_answer(way.answer), **told, **_version(opened)})
        elif way.answer.record is None:
            console.print(f"Not on this map: {way.answer.reason}", markup=False)
        else:
            console.print(way.block if block else way.text, markup=False)
        if not json:
            _doubt(opened)
        raise typer.Exit(Exit.OK if way.plan and way.plan.found else Exit.NOT_REACHED)


def go(
    map: MapName,
    sentence: Sentence,
    device: Device = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most actions to take.")] = 40,
    stay: Annotated[bool, typer.Option("--stay", help="Go from the page that shows; no restart.")] = False,
    start: Start = None,
    storage_state: StorageState = None,
    init_script: InitScript = None,
    allow_host: AllowHost = None,
    cdp: Cdp = "",
    seed: Seed = 0,
    faults: Faults = False,
    uiautomator2: Uiautomator2 = False,
    actor: ActorName = "follower",
    guide: Telling = "closed",
    dialect: DialectName = "",
    wrapped: Wrapped = True,
    allow: Allow = None,
    base_url: ModelUrl = "",
    images: ModelImages = True,
    timeout: ModelTimeout = 120.0,
    json: Json = False,
) -> None:
    """Take the device to the page that a sentence means, and verify the arrival."""
    with guarded(as_json=json), open_map(map) as opened:
        told = device_options(
            storage_state, init_script, allow_host, cdp, seed=seed, faults=faults, uiautomator2=uiautomator2
        )
        if stay and start:
            raise UsageError("--stay goes on from the page that shows; leave out --start")
        recipe = read_recipe(start)
        asked = base_url, images, timeout
        acting, mode = acting_options(
            actor, guide, asked, dialect=dialect, wrapped=wrapped, allow=allow, seed=seed
        )
        stays = stay or bool(cdp)
        if acting.choice.kind == "follower":
            found = opened.go(sentence, device, options=told, start=recipe, limit=limit, stay=stays)
        else:
            found = went(
                opened,
                sentence,
                acting,
                device,
                options=told,
                start=recipe,
                limit=limit,
                stay=stays,
                mode=mode,
            )
        if json:
            spent = {"spent": acting.spent()} if acting.spent() else {}
            show({**found.as_json(), **_version(opened), **spent})
        else:
            _doubt(opened)
            for step in found.steps:
                notes.print(f"  {step['action']}  ->  {step['seen_page']}", markup=False)
            console.print(_told(found.status, found.title, found.answer, found.stop_reason), markup=False)
        if found.stop_reason == "reply_broken":
            notes.print(f"  {found.episode.note if found.episode else ''}", markup=False)
            raise typer.Exit(Exit.MODEL_FAULT)
        if found.stop_reason == "device_lost":
            raise typer.Exit(Exit.DEVICE_FAULT)
        raise typer.Exit(Exit.OK if found.status == "reached" else Exit.NOT_REACHED)


def _version(opened: Map) -> dict[str, str]:
    """Say that the app is of another version than the map; nothing where it is not known to be."""
    return {"trust": opened.trust()} if opened.trust() else {}


def _doubt(opened: Map) -> None:
    if opened.trust():
        notes.print(opened.trust(), markup=False)


def _told(status: str, title: str, answer: str, stop: str) -> str:
    match status:
        case "reached":
            return f"Reached {title!r}, and verified it."
        case "not_on_map":
            return f"Not on this map: {answer}"
        case _:
            return f"Not reached ({stop}): {answer or 'no reason was given'}"


def _answer(answer: Answer) -> dict[str, Any]:
    record = answer.record
    return {
        "found": record is not None,
        "page": str(record.node) if record else None,
        "name": record.name if record else None,
        "summary": record.summary if record else None,
        "waypoints": list(record.waypoints) if record else [],
        "hints": list(record.hints) if record else [],
        "confidence": round(answer.confidence, 4),
        "reason": answer.reason,
        "candidates": [_candidate(c) for c in answer.candidates],
    }


def _candidate(found: Found) -> dict[str, Any]:
    return {
        "page": str(found.record.node),
        "name": found.record.name,
        "score": round(found.score, 4),
        "why": list(found.why),
    }
