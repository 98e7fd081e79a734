"""`waypost plan`, `facts`: pages and facts by name in, plans, PDDL files or learned facts out."""

from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.options import Device, Json, MapName, Seed, device_options
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.model import Terms
from waypost.parts.face import open_map
from waypost.parts.gating import facts_of, learned
from waypost.parts.planning import PLANNERS, PlanRequest, planned

__all__ = ["facts", "plan"]


def plan(
    map: MapName,
    visit: Annotated[
        list[str] | None, typer.Option("--visit", metavar="PAGE", help="Visit this page; may be repeated.")
    ] = None,
    either: Annotated[
        list[str] | None, typer.Option("--either", metavar="PAGE", help="Visit one of these.")
    ] = None,
    ordered: Annotated[bool, typer.Option("--ordered", help="Visit in the order given.")] = False,
    start: Annotated[str, typer.Option("--from", metavar="PAGE", help="Default: the app's start.")] = "",
    hold: Annotated[
        list[str] | None, typer.Option("--hold", metavar="FACT", help="What has to hold at the end.")
    ] = None,
    given: Annotated[
        list[str] | None, typer.Option("--given", metavar="FACT", help="What holds at the start.")
    ] = None,
    avoid: Annotated[
        list[str] | None, typer.Option("--avoid", metavar="PAGE", help="A page never to land on.")
    ] = None,
    hops: Annotated[int | None, typer.Option("--hops", min=0, help="Most steps.")] = None,
    alternatives: Annotated[
        int, typer.Option("--alternatives", min=1, help="That many ways through different pages.")
    ] = 1,
    planner: Annotated[
        str, typer.Option("--planner", help=f"One of {', '.join(PLANNERS)}, or a plug-in's.")
    ] = "default",
    pddl: Annotated[
        Path | None, typer.Option("--pddl", metavar="DIR", help="Write the problem as PDDL, too.")
    ] = None,
    json: Json = False,
) -> None:
    """Plan to several pages or facts at once; gates that the map knows of are opened on the way."""
    with guarded(as_json=json), open_map(map, readonly=True) as opened:
        request = PlanRequest(
            visit or (),
            either or (),
            ordered,
            start,
            hold or (),
            given or (),
            Terms(hops=hops),
            avoid or (),
            planner,
        )
        try:
            found = planned(opened, request, alternatives=alternatives, pddl=pddl)
        except OSError as e:
            raise UsageError(f"Cannot write {str(e.filename or pddl)!r}: {e.strerror}") from e
        if json:
            show(found.as_json())
        else:
            console.print(found.text, markup=False)
        raise typer.Exit(Exit.OK if found.plans and found.plans[0].found else Exit.NOT_REACHED)


def facts(
    map: MapName,
    learn: Annotated[
        bool, typer.Option("--learn", help="Test the guesses on the device, and keep what holds.")
    ] = False,
    device: Device = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """List what steps need and make, and what the exploration suggests."""
    with guarded(as_json=json), open_map(map, readonly=not learn) as opened:
        outcomes = []
        if learn:
            told = device_options(None, None, None, "", seed=seed)
            outcomes = learned(opened, device, options=told)
        known = facts_of(opened)
        if json:
            tried = [{"key": o.hypothesis.key, "holds": o.holds, "why": o.why} for o in outcomes]
            show({**known.as_json(), "tested": tried})
            return
        for row in known.steps:
            words = [f"needs {', '.join(row['needs'])}"] if row["needs"] else []
            words += [f"makes {', '.join(row['makes'])}"] if row["makes"] else []
            console.print(f"{row['from']}: {row['do']} -> {row['to']}  ({'; '.join(words)})", markup=False)
        for row in known.guesses:
            after = f" after {row['after']['do']} on {row['after']['from']}" if row["after"] else ""
            console.print(
                f"guess: on {row['step']['from']}, {row['step']['do']} leads to {row['step']['to']}"
                f" only{after}",
                markup=False,
            )
        notes.print(
            f"{len(known.steps)} steps speak of facts, {len(known.guesses)} guesses"
            + (f"; {sum(o.holds for o in outcomes)} of {len(outcomes)} tests held" if learn else "")
        )
