"""Scores of matchers in, what a person reads of them out."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.table import Table

from waypost.bench.growth import Cost
from waypost.parts.identity import Scored

__all__ = ["NOTE", "cause_rows", "cost_rows", "failure_rows", "score_table"]

_MOST = 12
"""Failures of a set and matcher that a person is shown."""


NOTE = (
    "95 %: from pages drawn anew. paper: thresholds (pictures, layouts) chosen on the other apps; "
    "paper-fixed: thresholds of ours; both go by the edges in pictures, since no CLIP weights ship."
)


def score_table(row: Scored) -> Table:
    """Return a row for each matcher on a set, best first."""
    labelled = row.labelled
    heads = ("matcher", "pair F1", "95 %", "prec.", "recall", "B3 F1", "split", "merge")
    title = f"{labelled.name}: {len(labelled.pages)} looks, {len(set(labelled.truth))} pages"
    table = Table(*heads, box=None, pad_edge=False, title=title, title_justify="left", title_style="bold")
    for name, s in sorted(row.scores.items(), key=lambda s: -s[1].pair_f1):
        shares = (s.pair_precision, s.pair_recall, s.b3_f1)
        interval = f"{s.ci95[0]:.2f}-{s.ci95[1]:.2f}"
        chosen = f" {row.thresholds[0]:g} {row.thresholds[1]:g}" if row.thresholds and name == "paper" else ""
        table.add_row(
            name + chosen,
            f"{s.pair_f1:.3f}",
            interval,
            *(f"{v:.3f}" for v in shares),
            f"{s.split:.1%}",
            f"{s.merge:.1%}",
        )
    return table


def cause_rows(found: list[Scored]) -> Iterator[str]:
    """Yield how pairs fared of which one look bears a cause, over all sets."""
    for name in dict.fromkeys(n for row in found for n in row.causes):
        totals: dict[str, list[float]] = {}
        for row in found:
            for cause, s in row.causes.get(name, {}).items():
                total = totals.setdefault(cause, [0, 0, 0, 0])
                for n, value in enumerate((s.looks, s.pairs, s.pairs * s.recall, s.wrong)):
                    total[n] += value
        for cause, (looks, pairs, hits, wrong) in totals.items():
            recall = f"{hits / pairs:.3f}" if pairs else "-"
            told = f"{looks:5.0f} looks {pairs:7.0f} pairs recall {recall} wrong {wrong:.0f}"
            yield f"{name:20} {cause:14} {told}"


def failure_rows(found: list[Scored], kept: Path | None, matchers: Sequence[str]) -> Iterator[str]:
    """Yield wrong pairs, most numerous first, with the two looks and their pictures."""
    for row in found:
        told = row.mistakes_json(kept)
        for name in (m for m in matchers if m in told):
            listed = told[name]
            for m in listed[:_MOST]:
                pages = " | ".join(p for p in dict.fromkeys((m["page_a"], m["page_b"])) if p)
                yield f"{row.labelled.name} {name}: {m['kind']} ({m['pairs']} pairs) {pages}"
                for side in ("a", "b") if m["b"] else ("a",):
                    yield f"    {m[side]}  {m[f'picture_{side}'] or 'no picture'}"
            if len(listed) > _MOST:
                yield f"    and {len(listed) - _MOST} more kinds; --json has them all"


def cost_rows(grown: Mapping[str, Mapping[str, Sequence[Cost]]]) -> Iterator[str]:
    """Yield what each matcher costs a look, and holds in all, as the looks of a set become more."""
    for name, by_matcher in grown.items():
        for matcher, listed in by_matcher.items():
            for c in listed:
                told = f"{c.looks:5} looks {1000 * c.seconds:9.3f} ms a look {c.peak / 2**20:8.2f} MiB"
                yield f"{name} {matcher:20} {told}"
