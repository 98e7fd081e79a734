"""Measure the guard and the redaction on labelled sets: two files of labels in, shares with intervals out.

    python -m benchmarks.security [--half held|tuned|all] [--misses] [--json]

The labels were written before the detectors' words were looked at. Each is in one of two halves, by the
parity of its SHA-256: what is `tuned` may be looked at while words are added, what is `held` is reported.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from waypost.bench.stats import wilson
from waypost.mapping import hazard
from waypost.model import Element, Role
from waypost.model.private import withheld

__all__ = ["hazards", "private"]

_HERE = Path(__file__).parent


def rows(name: str, half: str) -> list[list[str]]:
    """Return the lines of a set that are in one half; the last field decides."""
    lines = (_HERE / name).read_text("utf-8").splitlines()
    table = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [row for row in table if half in ("all", _half(row[-1]))]


def _half(text: str) -> str:
    return "held" if hashlib.sha256(text.encode()).digest()[0] % 2 else "tuned"


def share(hits: int, of: int) -> dict[str, Any]:
    """Return a share with its count and its 95 per cent interval (Wilson)."""
    low, high = wilson(hits, of) if of else (0.0, 1.0)
    return {"share": round(hits / of, 4) if of else None, "n": of, "hits": hits,
            "ci95": [round(low, 4), round(high, 4)]}  # fmt: skip


def hazards(half: str = "held") -> dict[str, Any]:
    """Judge every label as a plain button that stands alone."""
    judged = [
        (lang, kind, label, hazard(Element(Role.BUTTON, text=label, clickable=True), ()))
        for lang, kind, label in rows("hazards.tsv", half)
    ]
    bad = [row for row in judged if row[1] != "-"]
    good = [row for row in judged if row[1] == "-"]
    found = [row for row in bad if row[3]]
    alarms = [row for row in good if row[3]]
    return {
        "recall": share(len(found), len(bad)),
        "precision": share(len(found), len(found) + len(alarms)),
        "false_alarms": share(len(alarms), len(good)),
        "by_kind": _by(bad, 1),
        "by_language": _by(bad, 0),
        "missed": [f"{lang} {kind} {label}" for lang, kind, label, got in bad if not got],
        "alarmed": [f"{lang} {label} ({got})" for lang, _, label, got in alarms],
    }


def _by(bad: Sequence[tuple[str, str, str, str]], at: int) -> dict[str, str]:
    kinds = sorted({row[at] for row in bad})
    return {k: f"{sum(bool(r[3]) for r in bad if r[at] == k)}/{sum(r[at] == k for r in bad)}" for k in kinds}


def private(half: str = "held") -> dict[str, Any]:
    """Redact every line: the private part must be gone, and a harmless line must stay as it is."""
    table = rows("private.tsv", half)
    bad = [(lang, kind, secret, text) for lang, kind, secret, text in table if kind != "-"]
    good = [text for _, kind, _, text in table if kind == "-"]
    kept = [row for row in bad if row[2] in withheld(row[3])]
    over = [text for text in good if withheld(text) != text]
    kinds = sorted({row[1] for row in bad})
    return {
        "recall": share(len(bad) - len(kept), len(bad)),
        "over_redaction": share(len(over), len(good)),
        "by_kind": {
            k: f"{sum(r[1] == k for r in bad) - sum(r[1] == k for r in kept)}/{sum(r[1] == k for r in bad)}"
            for k in kinds
        },
        "missed": [f"{lang} {kind} {withheld(text)}" for lang, kind, _, text in kept],
        "cut": [f"{text} -> {withheld(text)}" for text in over],
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.security",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--half", default="held", choices=["held", "tuned", "all"])
    parser.add_argument("--misses", action="store_true", help="Say which ones, of the tuned half only")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    told = {"half": asked.half, "hazards": hazards(asked.half), "private": private(asked.half)}
    for figures in (told["hazards"], told["private"]):
        for name in ("missed", "alarmed", "cut"):
            if not (asked.misses and asked.half == "tuned"):
                figures.pop(name, None)
    print(json.dumps(told, ensure_ascii=False, indent=None if asked.json else 1))


if __name__ == "__main__":
    main()
