"""Scores of matchers in, what a person reads of them out."""

from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from waypost.parts.identity import MATCHERS, Scored

__all__ = ["cause_rows", "failure_rows", "score_table"]

_MOST = 12
"""Failures of a set and matcher that a person is shown."""


def score_table(found: list[Scored]) -> Table:
    """Return a row for each set and matcher, best first within a set."""
    heads = ("set", "matcher", "pair F1", "95 %", "precision", "recall", "B3 F1", "split", "merge")
    table = Table(*heads, box=None, pad_edge=False)
    for row in found:
        size = f"{row.labelled.name} ({len(row.labelled.pages)}/{len(set(row.labelled.truth))})"
        best = sorted(row.scores.items(), key=lambda s: -s[1].pair_f1)
        for n, (name, s) in enumerate(best):
            table.add_row(
                size if n == 0 else "",
                name,
                f"{s.pair_f1:.3f}",
                f"{s.ci95[0]:.2f}-{s.ci95[1]:.2f}",
                f"{s.pair_precision:.3f}",
                f"{s.pair_recall:.3f}",
                f"{s.b3_f1:.3f}",
                f"{s.split:.1%}",
                f"{s.merge:.1%}",
            )
    table.caption = (
        "(looks/pages); intervals from pages drawn anew. paper: thresholds chosen on the other apps; "
        "paper-fixed: ours; pictures by edges, since no CLIP weights ship"
    )
    table.caption_justify = "left"
    return table


def cause_rows(found: list[Scored]) -> Iterator[str]:
    """Yield how pairs fared of which one look bears a cause, over all sets."""
    for name in MATCHERS:
        totals: dict[str, list[float]] = {}
        for row in found:
            for cause, s in row.causes.get(name, {}).items():
                total = totals.setdefault(cause, [0, 0, 0, 0])
                for n, value in enumerate((s.looks, s.pairs, s.pairs * s.recall, s.wrong)):
                    total[n] += value
        for cause, (looks, pairs, hits, wrong) in totals.items():
            recall = f"{hits / pairs:.3f}" if pairs else "-"
            yield f"{name:20} {cause:14} {looks:5.0f} looks {pairs:7.0f} pairs recall {recall} wrong {wrong:.0f}"


def failure_rows(found: list[Scored], kept: Path | None) -> Iterator[str]:
    """Yield wrong pairs, most numerous first, with the two looks and their pictures."""
    for row in found:
        for name, listed in row.mistakes_json(kept).items():
            for m in listed[:_MOST]:
                pages = " | ".join(dict.fromkeys((m["page_a"], m["page_b"])))
                yield f"{row.labelled.name} {name}: {m['kind']} ({m['pairs']} pairs) {pages}"
                for side in ("a", "b"):
                    yield f"    {m[side]}  {m[f'picture_{side}'] or 'no picture'}"
            if len(listed) > _MOST:
                yield f"    and {len(listed) - _MOST} more kinds; --json has them all"
