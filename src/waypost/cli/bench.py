"""`waypost bench`: a task file in, a table with intervals out."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress
from rich.table import Table

from waypost.bench import ArmFigures, Trial, figures
from waypost.bench.report import Picture, ReportData, arm_rows, render
from waypost.cli.actor_options import ActorName, Allow, DialectName, Telling, Wrapped, acting_options
from waypost.cli.comparing import Cells, Places, Told, compare, judged_anew, show_faults, show_list
from waypost.cli.options import (
    AllowHost,
    Cdp,
    Faults,
    InitScript,
    Json,
    ModelImages,
    ModelTimeout,
    ModelUrl,
    Seed,
    Start,
    StorageState,
    Uiautomator2,
    device_options,
    model_options,
)
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.guidance import narrated
from waypost.navigate.episodes import append_episode
from waypost.parts.benching import BenchRequest, benched
from waypost.parts.recipes import read_recipe
from waypost.parts.suites import suite

__all__ = ["arms_json", "arms_table", "bench"]


def bench(
    tasks: Annotated[
        list[str] | None, typer.Argument(metavar="TASKS", help="A task file (YAML), or suites by name.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the suites that come with Waypost.")] = False,
    lint: Annotated[bool, typer.Option("--lint", help="Say what is wrong with tasks; run none.")] = False,
    store: Annotated[
        Path | None, typer.Option("--store", help="Compare arms; keep every episode here, and resume.")
    ] = None,
    arm: Annotated[
        list[str] | None,
        typer.Option(
            "--arm", help="none, or random, auto_bfs, frontier, manual, with +kg_rag, +open ... behind."
        ),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Seeds of the actors, from --seed on.")] = 1,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Devices at once.")] = 1,
    explore: Annotated[
        int | None, typer.Option("--explore", min=0, help="Make missing maps with so many actions; 0: all.")
    ] = None,
    pictures: Annotated[bool, typer.Option(help="With --store: a screenshot of every look.")] = False,
    rescore: Annotated[
        str,
        typer.Option("--rescore", metavar="JUDGE", help="Judge a store anew: look, truth, model:NAME, FILE."),
    ] = "",
    judge: Annotated[
        str, typer.Option("--judge", help="Whose verdicts count, where there are several.")
    ] = "",
    map: Annotated[
        list[str] | None, typer.Option("--map", metavar="MAP", help="A map to test; may be repeated.")
    ] = None,
    device: Annotated[
        list[str] | None,
        typer.Option(
            "--device", metavar="DEVICE", help="Default: the one the map was made on; SUITE=DEVICE."
        ),
    ] = None,
    baseline: Annotated[bool, typer.Option(help="Run the no-memory arm as well.")] = True,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most actions a task.")] = 40,
    task: Annotated[list[str] | None, typer.Option("--task", help="Only this task; may be repeated.")] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", help="Write a report; of a store: .html, .md or .json by its name."),
    ] = None,
    episodes: Annotated[
        Path | None, typer.Option("--episodes", help="Add every episode to this file, for `waypost learn`.")
    ] = None,
    start: Start = None,
    storage_state: StorageState = None,
    init_script: InitScript = None,
    allow_host: AllowHost = None,
    cdp: Cdp = "",
    seed: Seed = 0,
    faults: Faults = False,
    uiautomator2: Uiautomator2 = False,
    actor: ActorName = "",
    guide: Telling = "closed",
    dialect: DialectName = "",
    wrapped: Wrapped = True,
    allow: Allow = None,
    base_url: ModelUrl = "",
    images: ModelImages = True,
    timeout: ModelTimeout = 120.0,
    json: Json = False,
) -> None:
    """Run tasks with and without memory under a strict judge."""
    with guarded(as_json=json):
        asked = base_url, images, timeout
        if list_ or lint:
            (show_list if list_ else show_faults)(tasks or [], map or [], as_json=json)
        if store is not None:
            model = model_options(os.environ.get("WAYPOST_LLM_MODEL", ""), base_url, images, (timeout, 1_024))
            stored = Told(store, rescore, judge, report, json, model)
            if rescore:
                judged_anew(stored)
            cells = Cells(arm or [], actor or "follower", seeds, seed, guide, limit, pictures)
            places = Places(tuple(tasks or ()), tuple(device or ()), tuple(task or ()), workers, explore)
            options = device_options(storage_state, init_script, allow_host, cdp, seed=0, faults=False)
            compare(stored, cells, places, options)
        path = _task_file(tasks)
        acting, mode = acting_options(
            actor or "follower", guide, asked, dialect=dialect, wrapped=wrapped, allow=allow, seed=seed
        )
        request = BenchRequest(
            tasks=path,
            maps=tuple(map or ()),
            device=(device or [""])[-1],
            options=device_options(
                storage_state,
                init_script,
                allow_host,
                cdp,
                seed=seed,
                faults=faults,
                uiautomator2=uiautomator2,
            ),
            recipe=read_recipe(start),
            baseline=baseline,
            seed=seed,
            limit=limit,
            only=tuple(task or ()),
            acting=acting if acting.choice.kind != "follower" else None,
            mode=mode,
        )
        made = benched(request)
        trials: list[Trial] = []
        with Progress(console=notes, transient=True) as bar:
            row = bar.add_task(made.world, total=made.total)
            for trial in made.trials:
                trials.append(trial)
                if episodes is not None:
                    _keep(episodes, trial, made.device)
                bar.advance(row)
                bar.update(row, description=f"{made.world}: {trial.task.id}")
        counted = figures(trials)
        if report is not None:
            _write(report, made.world, made.device, trials, counted)
        if json:
            rows = [_trial_json(t) for t in trials]
            told = {"world": made.world, "device": made.device, "arms": arms_json(counted), "trials": rows}
            show({**told, **({"spent": acting.spent()} if acting.spent() else {})})
        else:
            console.print(arms_table(counted))
            for missed in (t for t in trials if not (t.success or t.abstained)):
                console.print(f"{missed.arm}: {missed.task.id}: {_missed(missed)}", markup=False)
        raise typer.Exit(Exit.OK)


def _task_file(tasks: list[str] | None) -> Path:
    if not tasks:
        raise UsageError("Name a task file, or a suite with --store FOLDER; --list lists the suites")
    if len(tasks) > 1:
        raise UsageError("Several suites at once want --store FOLDER")
    return suite(tasks[0]).path


def _keep(path: Path, trial: Trial, device: str) -> None:
    app = f":{trial.task.app}" if device == "pocket" and trial.task.app else ""
    try:
        append_episode(path, trial.episode, device=f"{device}{app}")
    except OSError as e:
        raise UsageError(f"Cannot write {str(path)!r}: {e.strerror}") from e


def arms_json(counted: dict[str, ArmFigures]) -> dict[str, Any]:
    """Return the figures of each arm as JSON values."""
    return {arm: f.as_json() for arm, f in counted.items()}


def arms_table(counted: dict[str, ArmFigures]) -> Table:
    """Return the figures of each arm as a table for the terminal."""
    heads = ("memory", "tasks", "reached", "95 % CI", "abstained", "false", "wrong", "SPL", "actions")
    table = Table(*heads, box=None, pad_edge=False)
    for row in arm_rows(list(counted.items())):
        keys = ("arm", "n", "success", "ci", "absent", "false", "wrong", "spl", "actions")
        table.add_row(*(str(row[k]) for k in keys))
    table.caption = "false: arrivals that were not there; wrong: true arrivals at another page than was asked"
    table.caption_justify = "left"
    return table


def _missed(trial: Trial) -> str:
    kind = "FALSE ARRIVAL" if trial.false_arrival else trial.episode.stop.value
    kind = "wrong page" if trial.wrong_page else kind
    return f"{kind}; {trial.reason}; asked: {trial.task.instruction}"


def _trial_json(trial: Trial) -> dict[str, Any]:
    return {
        "arm": trial.arm,
        "task": trial.task.id,
        "say": trial.task.instruction,
        "absent": trial.task.target is None,
        "claimed": trial.episode.claimed,
        "verified": trial.episode.verified,
        "judged": trial.passed,
        "as_named": trial.as_named,
        "reason": trial.reason,
        "stop_reason": trial.episode.stop.value,
        "actions": trial.episode.actions,
        "shortest": trial.shortest,
        "steps": list(narrated(trial.episode, None)),
    }


def _write(path: Path, world: str, device: str, trials: list[Trial], counted: dict[str, ArmFigures]) -> None:
    lead = f"{len(trials)} trials on {device}. Judged strictly on the last screen of each; a near miss fails."
    pictures = [
        Picture(t.task.instruction, _missed(t) if not t.success else "reached", t.episode.final.image, t.arm)
        for t in trials
        if t.episode.final is not None and t.episode.final.image
    ]
    page = render(ReportData(f"Waypost bench: {world}", lead, (), list(counted.items()), trials, pictures))
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as e:
        raise UsageError(f"Cannot write {str(path)!r}: {e.strerror}") from e
    notes.print(f"report: {path}", markup=False)
