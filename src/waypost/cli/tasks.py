"""`waypost tasks`: make, convert and label tasks; hold judges against each other; score AndroTMem files."""

import json as json_
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from rich.progress import Progress

from waypost.bench.androtmem import TaskTruth, read_task, score
from waypost.bench.converting import FORMATS, Converted, converted
from waypost.bench.labels import labelling_page
from waypost.bench.store import EpisodeStore
from waypost.cli.options import (
    Json,
    MapName,
    ModelImages,
    ModelName,
    ModelTimeout,
    ModelUrl,
    Seed,
    StorageState,
    device_options,
    model_options,
)
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.model import Target
from waypost.parts.face import open_map
from waypost.parts.judging import agreed
from waypost.parts.models import open_model
from waypost.parts.origin import read_origin
from waypost.parts.synthesising import MakeRequest, made_tasks, write_tasks

__all__ = ["tasks"]

tasks = typer.Typer(
    help="Make, convert and label tasks; hold judges against each other.", no_args_is_help=True
)


@tasks.command()
def make(
    map: MapName,
    out: Annotated[Path, typer.Option("--out", help="Task file to write.")],
    count: Annotated[int, typer.Option("--count", min=1, help="How many.")] = 100,
    device: Annotated[str, typer.Option("--device", help="Default: the one the map was made on.")] = "",
    trajectories: Annotated[
        Path | None, typer.Option("--trajectories", help="File for how each was done, with screenshots.")
    ] = None,
    fewest: Annotated[int, typer.Option("--fewest", min=1, help="Fewest sub-goals.")] = 2,
    most: Annotated[int, typer.Option("--most", min=1, help="Most sub-goals.")] = 5,
    hops: Annotated[int, typer.Option("--hops", min=1, help="Most steps between two.")] = 6,
    storage_state: StorageState = None,
    model: ModelName = "",
    base_url: ModelUrl = "",
    images: ModelImages = True,
    timeout: ModelTimeout = 120.0,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Make tasks from a map (SEE): sub-goals drawn, worded, and done once each; what fails is left out."""
    with guarded(as_json=json):
        if fewest > most:
            raise UsageError(f"--fewest {fewest} is more than --most {most}")
        llm = open_model(model_options(model, base_url, images, (timeout, 512))).llm if model else None
        with open_map(map, readonly=True) as known:
            origin = read_origin(known.folder)
            options = device_options(storage_state, None, None, "")
            name = device or str(origin.device or "")
            request = MakeRequest(count, seed, fewest, most, hops, trajectories=trajectories)
            with Progress(console=notes, transient=True) as bar:
                row = bar.add_task("tasks", total=count)
                found = made_tasks(
                    known,
                    lambda: known.opened(device or None, options),
                    request,
                    llm=llm,
                    done=lambda n: bar.update(row, completed=n),
                )
            write_tasks(out, found, world=known.folder.name, device=name)
        told = found.as_json()
        if json:
            show(told)
        else:
            console.print(f"{told['tasks']} tasks, each done once, in {out}; {len(found.failed)} left out")
            console.print(f"variety: {told['variety']}", markup=False)
        raise typer.Exit(Exit.OK if found.made else Exit.NOT_REACHED)


@tasks.command()
def convert(
    form: Annotated[str, typer.Argument(metavar="FORM", help=f"One of {', '.join(FORMATS)}.")],
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    out: Annotated[Path | None, typer.Option("--out", help="Task file to write.")] = None,
    json: Json = False,
) -> None:
    """Turn tasks of another benchmark into page-reaching ones, and say of each other why it is none."""
    with guarded(as_json=json):
        found = converted(form, file)
        if out is not None:
            _write(out, yaml.safe_dump(_rows(form, found), allow_unicode=True, sort_keys=False, width=110))
        told = found.as_json()
        if json:
            show(told)
        else:
            console.print(f"{told['tasks']} tasks, {told['dropped']} left out", markup=False)
            for why, count in told["reasons"].items():
                console.print(f"  {count}: {why}", markup=False)
        raise typer.Exit(Exit.OK if found.tasks else Exit.NOT_REACHED)


def _rows(form: str, found: Converted) -> dict[str, Any]:
    rows = [
        {
            "id": t.id,
            "app": t.app,
            "say": t.instruction,
            "target": [_target(x) for x in t.targets],
            "shortest": t.shortest,
            "tags": list(t.tags),
        }
        for t in found.tasks
    ]
    return {"world": form, "tasks": rows}


def _target(target: Target) -> dict[str, Any]:
    told = {"page": target.page, "url": target.url, "has": list(target.has), "lacks": list(target.lacks)}
    return {k: v for k, v in told.items() if v}


@tasks.command()
def label(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="A store of `waypost bench --store`.")],
    out: Annotated[Path, typer.Option("--out", help="Page to write.")] = Path("labels.html"),
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most episodes on the page.")] = 100,
    seed: Seed = 0,
) -> None:
    """Write a page on which a person grades last screens, not knowing who acted."""
    with guarded(as_json=False):
        runs = [r for r in EpisodeStore(store).open().runs() if r.episode.final is not None]
        if not runs:
            raise UsageError(f"There is no episode with a last screen in {str(store)!r}")
        chosen = sorted(runs, key=lambda r: hash_of(r.key, seed))[:limit]
        _write(out, labelling_page(chosen, seed=seed))
        console.print(f"{len(chosen)} of {len(runs)} episodes to label: {out}", markup=False)


def hash_of(key: object, seed: int) -> str:
    """Return what puts keys into an order that has nothing to do with them, the same every time."""
    import hashlib

    return hashlib.sha256(f"{seed} {key}".encode()).hexdigest()


@tasks.command()
def agree(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="A store of `waypost bench --store`.")],
    judge: Annotated[str, typer.Argument(metavar="JUDGE", help="look, truth, model:NAME or human:NAME.")],
    reference: Annotated[str, typer.Argument(metavar="REFERENCE", help="Who is right where they differ.")],
    json: Json = False,
) -> None:
    """Hold one judge's verdicts against another's: agreement, false pass and fail, Cohen's kappa."""
    with guarded(as_json=json):
        found = agreed(EpisodeStore(store).open(), judge, reference)
        if json:
            show(found.as_json())
            raise typer.Exit(Exit.OK)
        low, high = found.ci95
        console.print(
            f"{judge} against {reference}: {found.agree:.1%} of {found.n} ({100 * low:.1f} to "
            f"{100 * high:.1f}), {found.false_pass} false passes, {found.false_fail} false fails, "
            f"kappa {found.kappa:.3f}",
            markup=False,
        )
        if found.linear is not None and found.quadratic is not None:
            console.print(f"of the grades: kappa {found.linear:.3f} linear, {found.quadratic:.3f} quadratic")


@tasks.command()
def ams(
    file: Annotated[Path, typer.Argument(metavar="TASKS", help="AndroTMem's JSONL.")],
    predicted: Annotated[
        Path, typer.Argument(metavar="PREDICTED", help="JSONL of task_id, step_index, actionForm.")
    ],
    images: Annotated[
        Path | None, typer.Option("--images", help="Folder of screenshots; what is not there is not judged.")
    ] = None,
    json: Json = False,
) -> None:
    """Score long tasks as AndroTMem does: AMS and TCR, with and without steps whose screenshot is missing."""
    with guarded(as_json=json):
        truths = [read_task(row, images) for row in _lines(file)]
        said = {(str(r["task_id"]), int(r["step_index"])): dict(r["actionForm"]) for r in _lines(predicted)}
        found = score(truths, said)
        told = {
            name: {"ams": s.ams, "tcr": s.tcr, "steps": s.steps, "tasks": s.tasks}
            for name, s in found.items()
        }
        if json:
            show({**told, "steps_without_screenshot": _unseen(truths)})
            raise typer.Exit(Exit.OK)
        for name, row in told.items():
            console.print(
                f"{name}: AMS {row['ams']} over {row['steps']} steps, "
                f"TCR {row['tcr']} over {row['tasks']} tasks"
            )
        console.print(
            f"{_unseen(truths)} steps have no screenshot: 'released' passes them, 'strict' leaves them out",
            markup=False,
        )


def _unseen(truths: list[TaskTruth]) -> int:
    return sum(not s.image for t in truths for s in t.steps)


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        rows = [json_.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except OSError as e:
        raise UsageError(f"Cannot read {str(path)!r}: {e.strerror or e}") from e
    except ValueError as e:
        raise UsageError(f"{str(path)!r} is not JSONL: {e}") from e
    if wrong := next((r for r in rows if not isinstance(r, dict)), None):
        raise UsageError(f"{str(path)!r}: a line holds {wrong!r} in place of an object")
    return rows


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as e:
        raise UsageError(f"Cannot write {str(path)!r}: {e.strerror or e}") from e
