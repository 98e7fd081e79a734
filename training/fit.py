"""Fit what weighs the evidence on invented apps that nothing was learned from: constants out, as text.

    python training/fit.py [--general] [--chinese]

Prints the shares of `library.retrieve.Weights` that find most pages, and the constants of
`library.certainty`, each with how it does on the half of the apps that it was not fitted on. Chinese apps are
read without word pieces. Runs in the project's own environment.
"""

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
from benchmarks.retrieval import logistic  # noqa: E402
from invented import App, Page, apps, held_out  # noqa: E402

from waypost.adapters.embedders import MiniLmEmbedder, MultilingualEmbedder, RoutedEmbedder  # noqa: E402
from waypost.library import Library, Retriever  # noqa: E402
from waypost.library.retrieve import Found, Weights  # noqa: E402
from waypost.library.rules import RULES  # noqa: E402
from waypost.model import NodeId, Record  # noqa: E402

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
    options = parser.parse_args()
    sets = [a for a in apps(chinese=options.chinese) if held_out(a)]
    tuned = not options.general
    model = RoutedEmbedder(MiniLmEmbedder(tuned=tuned), MultilingualEmbedder(tuned=tuned))
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
