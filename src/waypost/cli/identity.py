"""`waypost identity`: a folder of looks in, the page of each out; labelled sets in, how well that is done out."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn

from waypost.cli.identity_table import cause_rows, failure_rows, score_table
from waypost.cli.options import Json, Seed
from waypost.cli.output import console, guarded, notes, show
from waypost.errors import UsageError
from waypost.parts.identity import MATCHERS, clustered, scored
from waypost.parts.identity_sets import Load, builtin_sets, folder_sets, keep

__all__ = ["identity"]

identity = typer.Typer(
    name="identity", help="Sort looks into pages, and score how well that is done.", no_args_is_help=True
)


@identity.command()
def cluster(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder of looks in the neutral form, one JSON each.")
    ],
    app: Annotated[
        str, typer.Option("--app", help="Package or origin of the app; default: the one most looks have.")
    ] = "",
    json: Json = False,
) -> None:
    """Sort a folder of looks into pages; overlays and other apps are no page."""
    with guarded(as_json=json):
        found = clustered(folder, app)
        for file, why in found.faults.items():
            notes.print(f"left out: {file}: {why}", markup=False)
        if json:
            show(found.pages)
            return
        sizes = Counter(p for p in found.pages.values() if p is not None)
        for look, page in found.pages.items():
            console.print(f"{page or '-':8} {look}", markup=False)
        none = sum(p is None for p in found.pages.values())
        notes.print(
            f"{len(found.pages)} looks of {found.app or 'no app'}: {len(sizes)} pages, {none} looks of none",
            markup=False,
        )


@identity.command()
def score(
    sets: Annotated[
        list[Path] | None,
        typer.Option(
            "--sets", metavar="DIR", help="A labelled folder, or a folder of them; may be repeated."
        ),
    ] = None,
    builtin: Annotated[
        bool, typer.Option(help="Score on the sets that come with Waypost as well; their apps also train.")
    ] = True,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="SET", help="Only this set; may be repeated.")
    ] = None,
    matcher: Annotated[
        list[str] | None,
        typer.Option("--matcher", help=f"Of {', '.join(MATCHERS)}; may be repeated. Default: all."),
    ] = None,
    actions: Annotated[
        int, typer.Option("--actions", min=1, help="How long each app of the embedded phone is walked.")
    ] = 300,
    seed: Seed = 7,
    causes: Annotated[bool, typer.Option("--causes", help="Tell how pairs fared by what varied.")] = False,
    failures: Annotated[
        bool, typer.Option("--failures", help="List looks that were joined or parted wrongly.")
    ] = False,
    keep_in: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Write the sets as labelled folders there.")
    ] = None,
    json: Json = False,
) -> None:
    """Score our matcher, the paper's and others' on looks whose pages are known."""
    with guarded(as_json=json):
        asked = _asked(sets or [], builtin, only or [], actions, seed)
        line = TextColumn("{task.description}", markup=False)
        with Progress(SpinnerColumn(), line, console=notes, transient=True) as bar:
            task = bar.add_task("")
            labelled = []
            for name, load in asked.items():
                bar.update(task, description=f"{name}: collecting looks")
                labelled.append(load())
                if keep_in is not None:
                    keep(labelled[-1], keep_in)
            found = scored(
                labelled,
                tuple(matcher or MATCHERS),
                seed=seed,
                progress=lambda said: bar.update(task, description=said),
            )
        if not json:
            console.print(score_table(found))
            for text in cause_rows(found) if causes else ():
                console.print(text, markup=False)
            for text in failure_rows(found, keep_in) if failures else ():
                console.print(text, markup=False)
            return
        rows: dict[str, object] = {
            "sets": {r.labelled.name: {m: s.as_json() for m, s in r.scores.items()} for r in found}
        }
        if causes:
            rows["causes"] = {r.labelled.name: r.causes_json() for r in found}
        if failures:
            rows["failures"] = {r.labelled.name: r.mistakes_json(keep_in) for r in found}
        show(rows)


def _asked(folders: list[Path], builtin: bool, only: list[str], actions: int, seed: int) -> dict[str, Load]:
    sets = builtin_sets(actions, seed) if builtin else {}
    for folder in folders:
        for name, load in folder_sets(folder):
            if name in sets:
                raise UsageError(f"There are two sets named {name!r}; rename one of the folders")
            sets[name] = load
    if unknown := [n for n in only if n not in sets]:
        raise UsageError(f"There is no set {unknown[0]!r}; there are {', '.join(sets)}")
    if not sets:
        raise UsageError("There is nothing to score; name a labelled folder: --sets DIR")
    return {n: load for n, load in sets.items() if not only or n in only}
