"""`waypost tour`: the whole way on the embedded phone, in under a minute, with no key and no network."""

import shutil
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from waypost.bench import Coverage
from waypost.bench.report import Picture, ReportData, render
from waypost.cli.bench import arms_table
from waypost.cli.options import Json, Seed
from waypost.cli.output import Exit, console, guarded, notes, show
from waypost.errors import UsageError
from waypost.parts.face import open_map
from waypost.parts.tour import Toured, TourRequest, toured

__all__ = ["tour"]

_MARK = ".waypost-tour"


def tour(
    out: Annotated[Path, typer.Option("--out", help="Folder for the maps and the report.")] = Path(
        "waypost-tour"
    ),
    app: Annotated[list[str] | None, typer.Option("--app", help="Only this app; may be repeated.")] = None,
    faults: Annotated[
        bool, typer.Option("--faults", help="Explore a phone on which everything goes wrong at times.")
    ] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Explore the embedded phone, remember its pages, and try tasks with and without memory."""
    with guarded(as_json=json):
        _fresh(out)

        def say(line: str) -> None:
            notes.print(line, markup=False)

        done = toured(TourRequest(out, seed, faults, apps=tuple(app or ())), say)
        report = out / "report.html"
        report.write_text(_page(done, seed, faults=faults), encoding="utf-8")
        if json:
            show(done.as_json())
        else:
            console.print(_explored(done.explore))
            console.print()
            console.print(arms_table(done.tasks))
            console.print(f"\n{done.seconds:.0f} s; report with screenshots: {report}", markup=False)
            console.print(f'ask its maps: waypost find {out}/maps/frontier/settings "..."', markup=False)
        raise typer.Exit(Exit.OK)


def _fresh(out: Path) -> None:
    """Empty the folder of an earlier tour; any other folder with something in it is left alone."""
    try:
        if out.exists() and any(out.iterdir()):
            if not (out / _MARK).exists():
                raise UsageError(f"{str(out)!r} holds something else; give another folder with --out")
            shutil.rmtree(out)
        out.mkdir(parents=True, exist_ok=True)
        (out / _MARK).touch()
    except OSError as e:
        raise UsageError(f"Cannot write to {str(out)!r}: {e.strerror or e}; give --out FOLDER") from e


def _explored(explore: dict[str, Coverage]) -> Table:
    heads = ("policy", "pages found", "coverage", "false edges", "pages per true page", "actions")
    table = Table(*heads, box=None, pad_edge=False)
    for policy, c in explore.items():
        found = f"{c.pages_found} of {c.pages_true}"
        share, ratio = f"{c.coverage:.1%}", f"{c.pages_per_true_page:.3f}"
        table.add_row(policy, found, share, str(c.false_edges), ratio, str(c.actions))
    return table


def _page(done: Toured, seed: int, *, faults: bool) -> str:
    lead = (
        "The embedded phone, explored by three policies with the same number of actions each; then every task"
        f" with no memory and with each policy's map. Seed {seed}, faults {'on' if faults else 'off'},"
        f" {done.seconds:.0f} s. Judged by the phone's own ground truth; a near miss fails."
    )
    missing = done.explore["frontier"].missing
    notes_ = [f"Not found by frontier: {', '.join(missing)}."] if missing else []
    explore = [(policy, c.as_json()) for policy, c in done.explore.items()]
    data = ReportData(
        title="Waypost tour",
        lead=lead,
        explore=explore,
        arms=list(done.tasks.items()),
        trials=done.trials,
        pictures=[*_arrivals(done), *_pages(done.folder)],
        notes=notes_,
    )
    return render(data)


def _arrivals(done: Toured) -> list[Picture]:
    """Return the last screen of every task that the frontier map was asked for."""
    return [
        Picture(
            t.task.instruction,
            f"{'reached' if t.success else 'missed'}; {t.reason}",
            t.episode.final.image,
            "Where the frontier map led",
        )
        for t in done.trials
        if t.arm == "frontier" and t.episode.final is not None and t.episode.final.image
    ]


def _pages(folder: Path) -> list[Picture]:
    pictures = []
    for path in sorted((folder / "maps" / "frontier").iterdir()):
        with open_map(path, readonly=True) as known:
            for node in known.pages():
                image = next((look.image_hash for look in node.looks if look.image_hash), "")
                if image:
                    caption = f"{node.id}, {max(node.depth, 0)} steps from the start"
                    pictures.append(
                        Picture(node.name, caption, known.picture(image), f"Pages of {path.name}")
                    )
    return pictures
