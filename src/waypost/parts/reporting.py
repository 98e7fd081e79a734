"""A store of episodes in, a report of all it says out: Markdown, JSON or one HTML file."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.bench.comparison import markdown, page
from waypost.bench.curves import curve
from waypost.bench.store import EpisodeStore
from waypost.bench.summary import Summary, summary
from waypost.errors import UsageError
from waypost.parts.benchmaps import Stamp, stamp_of
from waypost.parts.face import open_map

__all__ = ["Report", "curves_of", "reported"]


@dataclass(frozen=True)
class Report:
    summary: Summary
    store: EpisodeStore

    def as_json(self) -> dict[str, Any]:
        """Return every figure and every miss."""
        return self.summary.as_json()

    def text(self) -> str:
        """Return it as Markdown, which reads well on a terminal too."""
        return markdown(self.summary)

    def write(self, path: Path) -> None:
        """Write it in the form that the file's name asks for. Raises UsageError."""
        match path.suffix:
            case ".json":
                body = json.dumps(self.as_json(), ensure_ascii=False, indent=1) + "\n"
            case ".md":
                body = self.text() + "\n"
            case ".html":
                body = page(self.summary, self.store)
            case _:
                raise UsageError(f"{str(path)!r}: a report is .html, .md or .json")
        try:
            path.write_text(body, encoding="utf-8")
        except OSError as e:
            raise UsageError(f"Cannot write {str(path)!r}: {e.strerror or e}") from e


def reported(store: EpisodeStore, *, judge: str = "") -> Report:
    """Sum a store up, by one judge where there are several. Raises UsageError where it is empty."""
    # The looks stay on disk: of thousands of episodes only those that are shown are read.
    runs = list(store.runs(screens=False))
    if not runs:
        raise UsageError(f"There is no episode in {str(store.folder)!r} yet; name suites to run")
    if judge and not any(v.judge == judge for r in runs for v in r.verdicts):
        names = sorted({v.judge for r in runs for v in r.verdicts})
        raise UsageError(f"Nothing was judged by {judge!r}; there are verdicts of {', '.join(names)}")
    return Report(summary(runs, judge=judge, curves=curves_of(store.folder / "maps")), store)


def curves_of(maps: Path) -> dict[str, Any]:
    """Return by suite and arm how fast the maps of a store grew; maps made by hand have no such curve."""
    steps: dict[str, dict[str, list[list[str | None]]]] = defaultdict(lambda: defaultdict(list))
    wholes: dict[str, dict[str, int]] = defaultdict(dict)
    for folder, stamp in _stamped(maps):
        if stamp.arm != "manual":
            found = _pages(folder, stamp)
            steps[stamp.suite][stamp.arm].append(found)
            wholes[stamp.suite][stamp.app] = stamp.pages_true
    told: dict[str, Any] = {}
    for suite, arms in sorted(steps.items()):
        true = sum(wholes[suite].values())
        most = max(sum(len(set(p) - {None}) for p in runs) for runs in arms.values())
        until = max(sum(map(len, runs)) for runs in arms.values())
        told[suite] = {
            "of": "true pages" if true else "the most that any of these maps found",
            "pages": true or most,
            "arms": {
                arm: curve(_apart(runs), whole=true or most, until=until).as_json()
                for arm, runs in sorted(arms.items())
            },
        }
    return told


def _apart(runs: list[list[str | None]]) -> list[str | None]:
    """Join the explorations of several apps step by step, as if they had gone on side by side."""
    joined: list[str | None] = []
    for n in range(max(map(len, runs), default=0)):
        joined += [f"{which} {run[n]}" if run[n] else None for which, run in enumerate(runs) if n < len(run)]
    return joined


def _stamped(maps: Path) -> Iterator[tuple[Path, Stamp]]:
    for mark in sorted(maps.glob("**/bench.json")):
        yield mark.parent, stamp_of(mark.parent)


def _pages(folder: Path, stamp: Stamp) -> list[str | None]:
    with open_map(folder, readonly=True) as known:
        pages = {n.id for n in known.graph.pages()}
        found: list[str | None] = []
        for _, _, target in known.steps():
            node = known.mapper.resolve(target)
            true = stamp.stands.get(str(node)) if stamp.stands else str(node)
            found.append(true if node in pages else None)
        return found
