"""`waypost across`: a sentence that spans apps in, a plan over their maps, or the journey itself, out."""

import os
from typing import Annotated

import typer

from waypost.cli.actor_options import ActorName, Allow, DialectName, Wrapped, acting_options
from waypost.cli.options import (
    Device,
    Json,
    ModelImages,
    ModelTimeout,
    ModelUrl,
    Seed,
    Sentence,
    device_options,
    model_options,
)
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.cli.settings import shared
from waypost.errors import UsageError
from waypost.model.codec import encode
from waypost.parts.spanning import Installed, Journey, journeyed, subtask_planner, told

__all__ = ["across"]


def across(
    sentence: Sentence,
    map: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="MAP", help="Map of an installed app; may be repeated. Default: all."),
    ] = None,
    by: Annotated[str, typer.Option("--by", metavar="rules|MODEL", help="Who plans.")] = "rules",
    go: Annotated[bool, typer.Option("--go", help="Go the way on --device, app by app.")] = False,
    device: Device = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most actions in each app.")] = 40,
    seed: Seed = 0,
    actor: ActorName = "follower",
    dialect: DialectName = "",
    wrapped: Wrapped = True,
    allow: Allow = None,
    base_url: ModelUrl = "",
    images: ModelImages = True,
    timeout: ModelTimeout = 120.0,
    json: Json = False,
) -> None:
    """Plan a task that spans apps: its parts, the pages that they need, the ways, what is carried over."""
    with guarded(as_json=json), Installed(map or (), readonly=not go) as installed:
        name = os.environ.get("WAYPOST_LLM_MODEL") or shared("model")
        model = model_options(name if by == "model" else by, base_url, images, (timeout, 2_048))
        plan = installed.plan(sentence, subtask_planner(by, model))
        if not go:
            if json:
                show({"found": plan.found, "plan": encode(plan)})
            else:
                console.print(told(plan, installed.maps), markup=False)
            raise typer.Exit(Exit.OK if plan.found else Exit.NOT_REACHED)
        if device is None:
            raise UsageError("--go wants --device: one that has all the apps, such as pocket")
        asked = base_url, images, timeout
        acting, _ = acting_options(
            actor, "closed", asked, dialect=dialect, wrapped=wrapped, allow=allow, seed=seed
        )
        options = device_options(None, None, None, "", seed=seed)
        journey = journeyed(plan, installed, device, acting, options=options, limit=limit)
        if json:
            show(journey.as_json())
        else:
            notes.print(told(plan, installed.maps), markup=False)
            _print(journey)
        raise typer.Exit(Exit.OK if journey.reached else Exit.NOT_REACHED)


def _print(journey: Journey) -> None:
    for n, (leg, found) in enumerate(zip(journey.plan.legs, journey.outcomes, strict=False), 1):
        end = f"reached {found.title!r}" if found.verified else f"not reached ({found.stop_reason})"
        console.print(f"{n}. {leg.subtask.app or 'no installed app'}: {end}", markup=False)
        for value in (c for c in journey.carried if c.leg == n - 1):
            console.print(f"   {value.name}: {value.value or '(not seen)'}", markup=False)
