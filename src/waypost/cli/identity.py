"""`waypost identity`: looks in, the page of each out; labelled sets in, how well that is done out."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn

from waypost.bench.failing import failures_page
from waypost.bench.growth import Cost
from waypost.cli.identity_table import NOTE, cause_rows, cost_rows, failure_rows, score_table
from waypost.cli.options import Json, Seed
from waypost.cli.output import console, guarded, notes, show
from waypost.errors import UsageError
from waypost.parts.identity import MATCHERS, Scored, clustered, growth, matchers_of_others, scored
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
        typer.Option("--sets", metavar="DIR", help="A labelled folder, or one of such; may be repeated."),
    ] = None,
    builtin: Annotated[
        bool, typer.Option(help="Score on the sets that come with Waypost as well; their apps also train.")
    ] = True,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="SET", help="Only this set; may be repeated.")
    ] = None,
    matcher: Annotated[
        list[str] | None,
        typer.Option(
            "--matcher", help=f"Of {', '.join(MATCHERS)}, or a plug-in's; may be repeated. Default: all."
        ),
    ] = None,
    actions: Annotated[
        int, typer.Option("--actions", min=1, help="How long each app of the embedded phone is walked.")
    ] = 300,
    seed: Seed = 7,
    causes: Annotated[bool, typer.Option("--causes", help="Tell how pairs fared by what varied.")] = False,
    failures: Annotated[
        bool, typer.Option("--failures", help="List looks that were joined or parted wrongly.")
    ] = False,
    pictures: Annotated[
        Path | None,
        typer.Option(
            "--pictures", metavar="FILE", help="Write these as a page, with both screenshots of each."
        ),
    ] = None,
    cost: Annotated[
        bool, typer.Option("--cost", help="Measure time and memory on the largest set as its looks grow.")
    ] = False,
    keep_in: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Write the sets as labelled folders there.")
    ] = None,
    json: Json = False,
) -> None:
    """Score our matcher, the paper's and others' on looks whose pages are known."""
    with guarded(as_json=json):
        matchers_of_others(matcher or ())  # Collecting looks takes long: a wrong name is told before.
        asked = _asked(sets or [], builtin, only or [], actions, seed)
        grown: dict[str, dict[str, list[Cost]]] = {}
        with _progress() as say:
            labelled = []
            for name, load in asked.items():
                say(f"{name}: collecting looks")
                labelled.append(load())
                if keep_in is not None:
                    keep(labelled[-1], keep_in)
            found = scored(labelled, tuple(matcher or MATCHERS), seed=seed, progress=say)
            if cost:
                largest = max(labelled, key=lambda s: len(s.pages))
                say(f"{largest.name}: what matchers cost")
                grown = {largest.name: growth(largest, tuple(matcher or MATCHERS), time.perf_counter)}
        if pictures is not None:
            _picture(found, tuple(matcher or ["ours"]), pictures)
        extra = _Extra(causes, failures, tuple(matcher or ["ours"]), keep_in, grown)
        if json:
            show(_as_json(found, extra))
        else:
            _tell(found, extra)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Say on the terminal what is going on; line by line where nobody watches."""
    if not notes.is_terminal:
        yield lambda said: notes.print(said, markup=False)
        return
    line = TextColumn("{task.description}", markup=False)
    with Progress(SpinnerColumn(), line, console=notes, transient=True) as bar:
        task = bar.add_task("")
        yield lambda said: bar.update(task, description=said)


@dataclass(frozen=True, slots=True)
class _Extra:
    """What is shown beside the scores."""

    causes: bool
    failures: bool
    matchers: tuple[str, ...]
    kept: Path | None
    grown: dict[str, dict[str, list[Cost]]]


def _picture(found: list[Scored], matchers: tuple[str, ...], file: Path) -> None:
    """Write the failures as a page. Raises UsageError where the file cannot be written."""
    page = failures_page([(r.labelled.name, [f for m in matchers for f in r.failures(m)]) for r in found])
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as e:
        raise UsageError(
            f"Cannot write {str(file)!r}: {e.strerror}; name a file in a folder that exists"
        ) from e
    notes.print(f"{file}: what was sorted wrongly", markup=False)


def _as_json(found: list[Scored], extra: _Extra) -> dict[str, Any]:
    rows: dict[str, Any] = {
        "sets": {r.labelled.name: {m: s.as_json() for m, s in r.scores.items()} for r in found}
    }
    if extra.causes:
        rows["causes"] = {r.labelled.name: r.causes_json() for r in found}
    if extra.failures:
        rows["failures"] = {r.labelled.name: r.mistakes_json(extra.kept) for r in found}
    if extra.grown:
        rows["cost"] = {s: {m: [asdict(c) for c in r] for m, r in g.items()} for s, g in extra.grown.items()}
    return rows


def _tell(found: list[Scored], extra: _Extra) -> None:
    for row in found:
        console.print(score_table(row))
    notes.print(NOTE)
    lines = [*cost_rows(extra.grown)]
    lines += cause_rows(found) if extra.causes else ()
    lines += failure_rows(found, extra.kept, extra.matchers) if extra.failures else ()
    for line in lines:
        console.print(line, markup=False)


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
