"""Fit what weighs the evidence on invented apps that nothing was learned from: constants out, as text.

    python training/fit.py [--general] [--chinese | --recorded]

Prints the shares of `library.retrieve.Weights` that find most pages, and the constants of
`library.certainty`, each with how it does on the half of the apps that it was not fitted on. Chinese apps are
read without word pieces. `--recorded` fits `certainty` alone, on recorded apps and every third of the
invented ones at once. Runs in the project's own environment.
"""

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
from benchmarks.retrieval import logistic  # noqa: E402
from benchmarks.retrieval_sets import absent, autodroid, calendar, shared  # noqa: E402
from invented import App, Page, apps, held_out  # noqa: E402

from waypost.adapters.embedders import MiniLmEmbedder, MultilingualEmbedder, RoutedEmbedder  # noqa: E402
from waypost.library import Library, Retriever, distil  # noqa: E402
from waypost.library.retrieve import Found, Weights  # noqa: E402
from waypost.library.rules import RULES  # noqa: E402
from waypost.model import NodeId, Record  # noqa: E402
from waypost.planning import ShortestPath  # noqa: E402

_EVIDENCE = ("summary", "intents", "words", "tokens", "elsewhere")
_MODAL = ("dialog", "menu", "bottom sheet", "navigation drawer")


@dataclass(frozen=True, slots=True)
class _Asked:
    app: str
    found: list[Found]
    """All pages of the app, best first."""
    meant: NodeId | None


def record(page: Page, depth: int) -> Record:
    """Make of an invented page what `library.distil` makes of one that was seen."""
    way = tuple(page.way.split(" > "))
    also = f". also called {page.way_in}" if page.way_in and page.way_in != page.name else ""
    return Record(
        node=NodeId(page.name),
        member=0,
        name=page.name,
        summary=f"{page.name} ({page.kind}){also}. with {', '.join(page.labels)}",
        intents=tuple(dict.fromkeys(x for x in (page.name, page.way_in, *page.labels) if x)),
        waypoints=way,
        depth=depth,
        modal=page.kind in _MODAL,
    )


def ask(sets: Sequence[App], model: Any, weights: Weights) -> Iterator[_Asked]:
    """Ask every request of every app."""
    for app in sets:
        records = [record(p, p.way.count(" > ")) for p in app.pages]
        retriever = Retriever(Library(records, model), weights=weights, rules=RULES)
        for page in app.pages:
            for request in page.requests:
                yield _Asked(app.slug, retriever.retrieve(request, len(records)), NodeId(page.name))
        for request in app.absent:
            yield _Asked(app.slug, retriever.retrieve(request, len(records)), None)


def recorded(model: Any) -> Iterator[_Asked]:
    """Ask every sentence of the recorded sets; what was asked of apps of other kinds is lacking there."""
    folder = shared()
    if folder is None:
        raise SystemExit("No recordings beside the checkout; set WAYPOST_SHARED")
    foreign = absent(folder / "data")
    sets = {"autodroid_mit": autodroid(folder / "data"), "calendar_android": [calendar(folder / "data")]}
    for name, worlds in sets.items():
        for world in worlds:
            retriever = Retriever(Library(distil(world.graph, ShortestPath()), model))
            for case in world.cases:
                found = retriever.retrieve(case.sentence)
                yield _Asked(name, found, next(iter(case.right), None))
            for sentence in foreign:
                yield _Asked(name, retriever.retrieve(sentence), None)


def jointly(rows: Sequence[_Asked]) -> None:
    """Print `certainty` fitted on all sets, and on all but one; every set and both kinds count alike."""
    table, truth = certainty(rows)
    names = np.array([r.app for r in rows])
    weight = np.zeros(len(truth))
    for name in set(names):
        for there in (0.0, 1.0):
            chosen = (names == name) & (truth == there)
            weight[chosen] = 1000 / max(1, chosen.sum())
    for left_out in ("", *sorted(set(names))):
        inside = names != left_out
        beta = logistic(table[inside], truth[inside], weight[inside], ridge=3.0)
        tried = {
            n: balanced(table[names == n] @ beta, truth[names == n])
            for n in ([left_out] if left_out else sorted(set(names)))
        }
        print(f"without {left_out or 'none'}: {np.round(beta, 2).tolist()}: {tried}")


def first(rows: Sequence[_Asked], weights: tuple[float, ...]) -> float:
    """Return the share of requests whose page comes first when the evidence is weighed so, rules left out."""

    def score(found: Found) -> float:
        return sum(w * found.evidence.get(n, 0.0) for w, n in zip(weights, _EVIDENCE, strict=False))

    there = [r for r in rows if r.meant is not None]
    right = 0
    for row in there:
        best = max(row.found, key=score)
        right += best.record.node == row.meant
    return right / len(there)


def fitted(table: Any, truth: Any) -> Any:
    """Fit a logistic curve, both kinds counting alike in all."""
    weight = np.where(truth > 0, len(truth) / truth.sum(), len(truth) / (1 - truth).sum()) / 2
    return logistic(table, truth, weight)


def balanced(guessed: Any, truth: Any) -> str:
    refused, kept = (guessed[truth > 0] < 0).mean(), (guessed[truth == 0] < 0).mean()
    return f"{refused:.3f} of present refused, {kept:.3f} of absent refused"


def certainty(rows: Sequence[_Asked]) -> tuple[Any, Any]:
    table = np.array([[*(r.found[0].evidence.get(n, 0.0) for n in _EVIDENCE), 1.0] for r in rows])
    return table, np.array([float(r.meant is not None) for r in rows])


def rightness(rows: Sequence[_Asked]) -> tuple[Any, Any]:
    there = [r for r in rows if r.meant is not None]
    table = []
    for row in there:
        best, rival = row.found[0], row.found[1]
        near = best.evidence["summary"] + best.evidence["intents"]
        table.append([min(best.score - rival.score, 3.0), near, 1.0])
    return np.array(table), np.array([float(r.found[0].record.node == r.meant) for r in there])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--general", action="store_true", help="the text models as they were published")
    parser.add_argument("--chinese", action="store_true", help="the Chinese apps instead of the English ones")
    parser.add_argument(
        "--recorded", action="store_true", help="certainty on recorded and invented apps at once"
    )
    options = parser.parse_args()
    sets = [a for a in apps(chinese=options.chinese) if held_out(a)]
    tuned = not options.general
    model = RoutedEmbedder(MiniLmEmbedder(tuned=tuned), MultilingualEmbedder(tuned=tuned))
    if options.recorded:
        invented = (replace(r, app="invented") for r in ask(sets[::3], model, Weights()))
        jointly([*recorded(model), *invented])
        return
    rows = list(ask(sets, model, Weights()))
    there = [r for r in rows if r.meant is not None]
    print(f"{len(sets)} apps; as it is, {np.mean([r.found[0].record.node == r.meant for r in there]):.3f}")
    halves = [[r for r in rows if r.app in {a.slug for a in sets[i::2]}] for i in (0, 1)]
    grid = list(itertools.product((17.0,), (1.0, 2.0, 3.0), (2.0, 4.0, 6.0), (5.0, 10.0, 15.0)))
    for name, learned, tried in (("one half", *halves), ("other half", *halves[::-1]), ("all", rows, rows)):
        best = max(grid, key=lambda w: first(learned, w))
        print(f"weights on {name}: {best}: {first(learned, best):.3f}, there {first(tried, best):.3f}")
        for what, make in (("certainty", certainty), ("rightness", rightness)):
            table, truth = make(learned)
            beta = fitted(table, truth)
            other, told = make(tried)
            print(f"  {what}: {np.round(beta, 2).tolist()}: {balanced(other @ beta, told)}")


if __name__ == "__main__":
    main()
