"""`waypost diff`, `verify`: two maps, or a map and a device, in; what changed, or what still holds, out."""

from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn

from waypost.cli.options import (
    AllowHost,
    Cdp,
    Device,
    Faults,
    InitScript,
    Json,
    MapName,
    Seed,
    Start,
    StorageState,
    Uiautomator2,
    device_options,
)
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.model import Standing
from waypost.parts.face import Map, open_map
from waypost.parts.folders import map_folder
from waypost.parts.recipes import read_recipe
from waypost.parts.versions import Verified, VerifyRequest, compared, diff_json, keep, verified
from waypost.versions import Diff, VerifyConfig, VerifyStop

__all__ = ["diff", "verify"]


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A map's name, or its folder.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="A later map of the same app.")],
    keep_over: Annotated[
        bool,
        typer.Option("--keep", help="Carry names, corrections and edited records over to NEW as well."),
    ] = False,
    json: Json = False,
) -> None:
    """Say what changed between two maps of one app: pages and routes."""
    with guarded(as_json=json), open_map(old, readonly=True) as before:
        if keep_over and before.folder.resolve() == map_folder(new).resolve():
            raise UsageError("--keep carries from one map to another; these two are one")
        with open_map(new, readonly=not keep_over) as after:
            found = compared(before, after)
            told = diff_json(before, after, found)
            if keep_over:
                kept = keep(before, after, found)
                told["kept"] = {"corrections": kept.corrections, "records": kept.records}
                if not json:
                    notes.print(f"kept {kept.corrections} corrections and {kept.records} edited records")
            if json:
                show(told)
            else:
                for line in _lines(found):
                    console.print(line, markup=False)
                for why in found.unsure:
                    notes.print(f"{why}: what is new or gone may merely not have been seen", markup=False)
                notes.print(f"{len(found.alignment.pairs)} pages stayed")
            raise typer.Exit(Exit.NOT_REACHED if found else Exit.OK)


def _lines(found: Diff) -> list[str]:
    lines = [f"+ {p.name}" for p in found.added] + [f"- {p.name}" for p in found.gone]
    lines += [f"> {m.new.name}: {' > '.join(m.was)}  ->  {' > '.join(m.now)}" for m in found.moved]
    lines += [f"= {r.old.name}: titled {r.was!r}, now {r.now!r}" for r in found.renamed]
    for c in found.changed:
        lines.append(
            f"~ {c.new.name}: " + ", ".join([f"+{n}" for n in c.added] + [f"-{n}" for n in c.removed])
        )
    lines += [f"! {b.source.name} -> {b.target.name}: {b.why}" for b in found.broken]
    return lines or ["no difference"]


def verify(
    map: MapName,
    device: Device = None,
    against: Annotated[
        str, typer.Option("--against", metavar="NEW", help="A newer map: walk only what it does not have.")
    ] = "",
    unverified: Annotated[
        bool, typer.Option("--unverified", help="Walk only what is not known to work on this version.")
    ] = False,
    budget_actions: Annotated[
        int | None, typer.Option("--budget-actions", min=1, help="Most actions to take.")
    ] = None,
    start: Start = None,
    storage_state: StorageState = None,
    init_script: InitScript = None,
    allow_host: AllowHost = None,
    cdp: Cdp = "",
    seed: Seed = 0,
    faults: Faults = False,
    uiautomator2: Uiautomator2 = False,
    json: Json = False,
) -> None:
    """Walk a map's steps again, and say of each whether it is live, stale or unknown."""
    with guarded(as_json=json), open_map(map) as opened:
        told = device_options(
            storage_state, init_script, allow_host, cdp, seed=seed, faults=faults, uiautomator2=uiautomator2
        )
        recipe = read_recipe(start)
        newer = open_map(against, readonly=True) if against else None
        try:
            with _bar() as bar:
                task = bar.add_task("verifying", total=None)
                found = verified(
                    opened,
                    lambda: opened.opened(device, told),
                    VerifyRequest(VerifyConfig(actions=budget_actions), newer, unverified, recipe),
                    progress=lambda done, total: bar.update(task, completed=done, total=total),
                )
        finally:
            if newer is not None:
                newer.close()
        _report(opened, found, as_json=json)
        lost = found.verification.stop is VerifyStop.DEVICE_LOST
        live = found.verification.count(Standing.LIVE) == len(found.verification.checked)
        raise typer.Exit(Exit.DEVICE_FAULT if lost else Exit.OK if live else Exit.NOT_REACHED)


def _report(opened: Map, found: Verified, *, as_json: bool) -> None:
    nodes, done = opened.graph.nodes, found.verification
    rows = [
        {
            "source": nodes[c.step.source].name,
            "target": nodes[c.step.target].name,
            "element": getattr(getattr(c.step.action, "target", None), "label", "") or c.step.key,
            "standing": c.standing.value,
            "why": c.why,
        }
        for c in done.checked
    ]
    counts = {s.value: done.count(s) for s in Standing}
    if as_json:
        about = {"map": opened.folder.name, "version": found.version, "carried": found.carried}
        show({**about, **counts, "actions": done.actions, "stop_reason": done.stop.value, "steps": rows})
        return
    for row in rows:
        if row["standing"] != Standing.LIVE or row["why"]:
            why = f": {row['why']}" if row["why"] else ""
            console.print(
                f"{row['standing']:7}  {row['source']} -> {row['target']} ({row['element']}){why}",
                markup=False,
            )
    told = ", ".join(f"{n} {s}" for s, n in counts.items())
    notes.print(
        f"{told}; {found.carried} known from the newer map; {done.actions} actions ({done.stop.value})"
    )


def _bar() -> Progress:
    return Progress(TextColumn("{task.description}"), BarColumn(24), console=notes)
