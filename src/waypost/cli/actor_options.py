"""Options of the commands that let an actor act: who it is, and how it is told the way."""

import os
from typing import Annotated, TypeAlias

import typer

from waypost.cli.options import model_options
from waypost.cli.settings import shared
from waypost.errors import UsageError
from waypost.parts.acting import Acting, GuideMode, parse_actor

__all__ = ["ActorName", "Allow", "DialectName", "Telling", "Wrapped", "acting_options"]

_REPLY = 1_024
"""Most tokens of one reply of an actor: a thought and an action."""
ActorName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--actor",
        metavar="ACTOR",
        help="follower, lexical, noisy[:SLIP], vision:, dual:, handover:MODEL, or a plug-in's.",
    ),
]
DialectName: TypeAlias = Annotated[
    str, typer.Option("--dialect", help="Grammar that a model answers in; default: by its name.")
]
Telling: TypeAlias = Annotated[
    str, typer.Option("--guide", help="How an actor is told the way: closed (each step), open, edit or none.")
]
Wrapped: TypeAlias = Annotated[
    bool, typer.Option("--wrapped/--bare", help="Give a model its gate, loop breaker and memory.")
]
Allow: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="KIND", help="What a model may do all the same: pay, send, delete ..."),
]


def acting_options(
    actor: str,
    guide: str,
    model: tuple[str, bool, float],
    *,
    dialect: str,
    wrapped: bool,
    allow: list[str] | None,
    seed: int,
) -> tuple[Acting, GuideMode]:
    """Gather what was said of who acts; `model` is its address, whether it has eyes, and its time limit.

    Raises UsageError.
    """
    modes: tuple[GuideMode, ...] = ("closed", "open", "edit", "none")
    mode = next((m for m in modes if m == guide), None)
    if mode is None:
        raise UsageError(f"--guide is closed, open, edit or none, not {guide!r}")
    base_url, images, timeout = model
    name = os.environ.get("WAYPOST_LLM_MODEL") or shared("model")
    asked = model_options(name, base_url, images, (timeout, _REPLY))
    choice = parse_actor(actor, asked, dialect=dialect, wrapped=wrapped, allowed=allow or (), seed=seed)
    return Acting(choice), mode
