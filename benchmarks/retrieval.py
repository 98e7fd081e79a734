"""Measure retrieval and abstention of the offline memory: recordings in, one figure a set out.

    python -m benchmarks.retrieval [--json] [--embedder hash|minilm|multilingual|routed] [--fit] [--ablations]
        [--only SET] [--pocket dev|held-out|none]

`recall_at_1`, `recall_at_5` and `mrr` are over sentences whose page is on the map, before abstention;
`unexplored` of them have a page that exploration missed, and count as not found.
`false_abstention` is the share of them that is refused. `abstention` is the share refused of sentences
whose page is not on the map: the set's own, and sentences that were asked of apps of other kinds.
`--ablations` takes one part of it away at a time (`benchmarks.retrieval_ablations`).
`--fit` prints the constants of `library.certainty`, fitted by leaving out one app after the other.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from benchmarks.retrieval_sets import World, absent, autodroid, calendar, pocket, shared

from waypost.adapters.embedders import HashEmbedder, MiniLmEmbedder, MultilingualEmbedder, RoutedEmbedder
from waypost.bench.stats import wilson
from waypost.library import Library, Retriever, distil
from waypost.planning import ShortestPath
from waypost.protocols import Embedder

__all__ = ["UNFOUND", "Asked", "asked", "embedder", "figures", "logistic", "measure"]

_EVIDENCE = ("summary", "intents", "words", "tokens", "elsewhere")


UNFOUND = 10**6
"""Rank of a page that is not among what was found."""


def embedder(name: str = "routed") -> Embedder:
    match name:
        case "hash":
            return HashEmbedder()
        case "minilm":
            return MiniLmEmbedder()
        case "multilingual":
            return MultilingualEmbedder()
        case _:
            return RoutedEmbedder(MiniLmEmbedder(), MultilingualEmbedder())


@dataclass(frozen=True)
class Asked:
    """What came of every sentence of a set."""

    ranks: tuple[int, ...]
    """Of each sentence whose page is on the map: how many pages came before it."""
    refused: tuple[bool, ...]
    """Whether each of these was refused."""
    rightly: tuple[bool, ...]
    """Whether each sentence was refused whose page is not on the map."""


def measure(
    name: str, worlds: Sequence[World], foreign: Sequence[str] = (), *, embed: Embedder | None = None
) -> dict[str, Any]:
    """Ask every sentence of every world; see the module's head for what the figures mean."""
    model = embed or embedder()
    return figures(
        name, asked(worlds, foreign, lambda w: Retriever(Library(distil(w.graph, ShortestPath()), model)))
    )


def asked(worlds: Sequence[World], foreign: Sequence[str], made: Callable[[World], Retriever]) -> Asked:
    """Ask every sentence of what `made` makes of each world."""
    ranks: list[int] = []
    refused: list[bool] = []
    rightly: list[bool] = []
    for world in worlds:
        retriever = made(world)
        for case in world.cases:
            answer = retriever.answer(case.sentence, 100)
            if not case.right:
                rightly.append(answer.record is None)
                continue
            order = [f.record.node for f in answer.candidates]
            ranks.append(min((order.index(n) for n in case.right if n in order), default=UNFOUND))
            refused.append(answer.record is None)
        rightly += [retriever.answer(s).record is None for s in foreign]
    return Asked(tuple(ranks), tuple(refused), tuple(rightly))


def figures(name: str, found: Asked) -> dict[str, Any]:
    """Return the figures of a set; see the module's head."""
    ranks, n = found.ranks, len(found.ranks)
    first = sum(r == 0 for r in ranks)
    return {
        "set": name,
        "n": n,
        "recall_at_1": first / n,
        "unexplored": sum(r == UNFOUND for r in ranks),
        "recall_at_5": sum(r < 5 for r in ranks) / n,
        "mrr": sum(1 / (r + 1) for r in ranks) / n,
        "false_abstention": sum(found.refused) / n,
        "absent_n": len(found.rightly),
        "abstention": sum(found.rightly) / len(found.rightly) if found.rightly else None,
        "ci95": list(wilson(first, n)),
    }


def fit(worlds: Sequence[World], foreign: Sequence[str], model: Embedder) -> None:
    """Print logistic constants over the evidence, and how they do on the app that was left out."""
    rows, present, app = [], [], []
    for world in worlds:
        retriever = Retriever(Library(distil(world.graph, ShortestPath()), model))
        asked = [(c.sentence, bool(c.right)) for c in world.cases] + [(s, False) for s in foreign]
        for sentence, there in asked:
            evidence = retriever.retrieve(sentence)[0].evidence
            rows.append([*(evidence[name] for name in _EVIDENCE), 1.0])
            present.append(float(there))
            app.append(world.name)
    table, truth, names = np.array(rows), np.array(present), np.array(app)
    weight = np.where(truth > 0, len(truth) / truth.sum(), len(truth) / (1 - truth).sum()) / 2
    guessed = np.zeros(len(truth))
    for left_out in sorted(set(app)):
        inside = names != left_out
        guessed[~inside] = table[~inside] @ logistic(table[inside], truth[inside], weight[inside])
    print(f"{', '.join(_EVIDENCE)}, bias:", np.round(logistic(table, truth, weight), 2).tolist())
    refused, kept = (guessed[truth > 0] < 0).mean(), (guessed[truth == 0] < 0).mean()
    print(f"left out: {refused:.3f} of present refused, {kept:.3f} of absent refused")


def logistic(table: Any, truth: Any, weight: Any, ridge: float = 0.3) -> Any:
    """Fit a logistic curve; `weight` is what each row counts, and the last column is the constant."""
    beta = np.zeros(table.shape[1])
    penalty = np.diag([ridge] * (len(beta) - 1) + [1e-6])
    for _ in range(50):
        p = 1 / (1 + np.exp(-table @ beta))
        curve = (table * (weight * p * (1 - p))[:, None]).T @ table + penalty
        beta -= np.linalg.solve(curve, table.T @ (weight * (p - truth)) + penalty @ beta)
    return beta


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--ablations", action="store_true")
    parser.add_argument("--embedder", default="routed", choices=["hash", "minilm", "multilingual", "routed"])
    parser.add_argument("--only", default="", help="one set of those recorded, such as calendar_android")
    parser.add_argument("--pocket", default="dev", choices=["dev", "held-out", "none"])
    options = parser.parse_args(arguments)
    model = embedder(options.embedder)
    sets: dict[str, list[World]] = {}
    foreign: tuple[str, ...] = ()
    folder = shared()
    if folder is None:
        print("No recordings beside the checkout; set WAYPOST_SHARED", file=sys.stderr)
    else:
        sets["autodroid_mit"] = list(autodroid(folder / "data"))
        sets["calendar_android"] = [calendar(folder / "data")]
        foreign = absent(folder / "data")
    if options.only:
        sets = {name: worlds for name, worlds in sets.items() if name == options.only}
        options.pocket = "none"
        if not sets:
            parser.error(f"there is no recorded set {options.only!r}")
    if options.fit:
        fit([w for worlds in sets.values() for w in worlds], foreign, model)
        return
    if options.pocket != "none":
        sets[f"pocket ({options.pocket})"] = pocket(dev=options.pocket == "dev")
    if options.ablations:
        from benchmarks.retrieval_ablations import ablated, table

        rows = ablated(sets, foreign)
        print(json.dumps({"ablations": rows}, indent=2) if options.json else table(rows))
        return
    measured = {name: measure(name, worlds, foreign, embed=model) for name, worlds in sets.items()}
    if options.json:
        print(json.dumps({"embedder": model.id, "sets": measured}, indent=2))
        return
    for name, f in measured.items():
        low, high = f["ci95"]
        print(
            f"{name:22} n {f['n']:3} ({f['unexplored']} not explored)"
            f"  recall@1 {f['recall_at_1']:.3f} [{low:.2f}, {high:.2f}]"
            f"  @5 {f['recall_at_5']:.3f}  mrr {f['mrr']:.3f}"
            f"  refused {f['false_abstention']:.3f}"
            f"  absent {f['absent_n']}: refused {f['abstention']:.3f}"
        )


if __name__ == "__main__":
    main()
