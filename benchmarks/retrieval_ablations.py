"""What each part of retrieval is worth: sets of sentences in, a row a set and variant out.

    python -m benchmarks.retrieval --ablations [--json] [--pocket dev|held-out|none]

Every variant is compared with the default on the same sentences: recall@1 with Wilson's interval, and its
difference with the interval of a paired bootstrap and the exact p of McNemar. Thresholds of abstention are
those of the default throughout, so that `abstention` of a variant says what it does to them. `indexed`
changes the records that are searched, `waypoints` also what the rules see of them. k is a matter of what is
read of one list, and stands in the columns @1 to @10.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from benchmarks.retrieval import UNFOUND, Asked, asked, embedder, figures
from benchmarks.retrieval_sets import World

from waypost.bench.inference import paired
from waypost.library import Library, Retriever, distil
from waypost.library.retrieve import Weights
from waypost.library.rules import RULES, Rule
from waypost.model import Record
from waypost.parts.memory import Remembered, Remembering
from waypost.planning import ShortestPath
from waypost.protocols import Embedder, TokenEmbedder

__all__ = ["VARIANTS", "Variant", "ablated", "table"]

_KS = (1, 3, 5, 10)
_WHOLE = Weights()


@dataclass(frozen=True)
class Variant:
    """The default, but for one thing."""

    name: str
    weights: Weights = _WHOLE
    rules: tuple[Rule, ...] = RULES
    model: str = "routed"
    indexed: Callable[[Record], Record] = lambda record: record


def _weighted(name: str, **weights: float) -> Variant:
    return Variant(name, replace(_WHOLE, **weights))


def _hints(record: Record) -> Record:
    """Leave of a record what TAG-Nav's best ablation injects: its hints, and the name that it goes by."""
    return replace(record, summary="", intents=record.hints, waypoints=(record.name,))


VARIANTS = (
    Variant("default"),
    _weighted("fields: summary, no intents", intents=0.0, style=0.0),
    _weighted("fields: intents, no summary", summary=0.0, style=0.0),
    _weighted("dense only: both fields", words=0.0, tokens=0.0),
    _weighted("dense only: summary", intents=0.0, words=0.0, tokens=0.0, style=0.0),
    _weighted("dense only: intents", summary=0.0, words=0.0, tokens=0.0, style=0.0),
    _weighted("words off", words=0.0),
    _weighted("words alone", summary=0.0, intents=0.0, tokens=0.0, style=0.0),
    _weighted("word pieces off", tokens=0.0),
    _weighted("equal weights", summary=9.0, intents=9.0, words=9.0, tokens=9.0),
    Variant("rules off", rules=()),
    *(Variant(f"rule off: {off.name}", rules=tuple(r for r in RULES if r is not off)) for off in RULES),
    Variant("embedder: hash", model="hash"),
    Variant("embedder: minilm", model="minilm"),
    Variant("embedder: multilingual", model="multilingual"),
    Variant("indexed: no way to the page", indexed=lambda r: replace(r, waypoints=(r.name,))),
    Variant("indexed: no intents", indexed=lambda r: replace(r, intents=())),
    Variant("indexed: hints only", indexed=_hints),
)


def ablated(
    sets: Mapping[str, Sequence[World]], foreign: Sequence[str], variants: Sequence[Variant] = VARIANTS
) -> list[dict[str, Any]]:
    """Ask every set under every variant; the first one is what the others are compared with."""
    models = {name: _remembered(embedder(name)) for name in dict.fromkeys(v.model for v in variants)}
    rows = []
    for name, worlds in sets.items():
        records = {w.name: distil(w.graph, ShortestPath()) for w in worlds}
        base: Asked | None = None
        for variant in variants:
            made = partial(_retriever, variant, records, models[variant.model])
            found = asked(worlds, foreign, made)
            base = base or found
            rows.append(_row(name, variant, found, base))
    return rows


def _retriever(
    variant: Variant, records: Mapping[str, Sequence[Record]], model: Embedder, world: World
) -> Retriever:
    library = Library([variant.indexed(r) for r in records[world.name]], model)
    return Retriever(library, weights=variant.weights, rules=variant.rules)


def _remembered(model: Embedder) -> Embedder:
    return Remembering(model) if isinstance(model, TokenEmbedder) else Remembered(model)


def _row(name: str, variant: Variant, found: Asked, base: Asked) -> dict[str, Any]:
    pair = paired([r == 0 for r in base.ranks], [r == 0 for r in found.ranks]).as_json()
    recall = {f"@{k}": sum(r < k for r in found.ranks) / len(found.ranks) for k in _KS}
    kept = [not refused for refused in found.refused]
    # Of what was answered, how much was right: what refusing buys.
    right = sum(k and r == 0 for k, r in zip(kept, found.ranks, strict=True))
    wrong = sum(kept) - right + sum(not r for r in found.rightly)
    return {
        **figures(name, found),
        "variant": variant.name,
        "recall": recall,
        "answers_right": round(right / (right + wrong), 4) if right + wrong else None,
        "found_at_all": sum(r < UNFOUND for r in found.ranks),
        "against_default": pair,
    }


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Write the rows for a terminal, set by set."""
    lines = []
    for name in dict.fromkeys(r["set"] for r in rows):
        mine = [r for r in rows if r["set"] == name]
        lines += [f"{name}: {mine[0]['n']} sentences, {mine[0]['absent_n']} of absent pages", _HEAD]
        lines += [_line(r) for r in mine]
    return "\n".join(lines)


_HEAD = (
    f"  {'variant':44} {'recall@1':>8} {'95 %':>11}  {'@3':>5} {'@5':>5} {'@10':>5}  {'mrr':>5}  "
    f"{'refused':>7} {'abstained':>9}  {'difference':>10} {'95 %':>14}  {'up/down':>7} {'p':>6}"
)


def _line(r: dict[str, Any]) -> str:
    low, high = r["ci95"]
    pair, recall = r["against_default"], r["recall"]
    down, up = pair["ci95"]
    chance = "<0.001" if pair["p"] < 0.001 else f"{pair['p']:.3f}"
    gained = f"{pair['up']:>3}/{pair['down']:<3}"
    absent = "-" if r["abstention"] is None else f"{r['abstention']:.3f}"
    return (
        f"  {r['variant']:44} {r['recall_at_1']:8.3f} [{low:.2f}, {high:.2f}]"
        f"  {recall['@3']:.3f} {recall['@5']:.3f} {recall['@10']:.3f}  {r['mrr']:.3f}"
        f"  {r['false_abstention']:7.3f} {absent:>9}"
        f"  {pair['difference']:+10.3f} [{down:+.3f}, {up:+.3f}]  {gained} {chance:>6}"
    )
