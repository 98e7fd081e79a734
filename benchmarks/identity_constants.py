"""Choose each constant of our sorting by all apps but one, and score the one left out: how flat they are.

    python -m benchmarks.identity_constants [--sets DIR] [--only _ENOUGH] [--toolkit flutter] [--json]

Each constant is varied alone, the others as they are. Sets of one maker's apps, such as those of the embedded
phone, are left out together. Scored is the mean pair F1 over the sets, of looks as they are and as toolkits
that name nothing would tell them. Nothing is set here.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import numpy as np
from benchmarks.identity_toolkits import TOOLKITS, rewritten

from waypost.bench.partition import partition_scores
from waypost.mapping import cluster, layers, match, rows, signature
from waypost.model import Screen
from waypost.parts.identity_sets import builtin_sets, folder_sets

ACTIONS, SEED = 100, 7


@dataclass(frozen=True, slots=True)
class Constant:
    module: ModuleType
    name: str
    values: tuple[float, ...]


CONSTANTS = (
    Constant(match, "_ENOUGH", (0.5, 1.0, 1.5, 2.0, 3.0)),
    Constant(match, "_MOSTLY", (0.0, 1.0, 2.0, 3.0, 4.0)),
    Constant(match, "_PART", (0.1, 0.25, 0.5, 1.0, 1.5)),
    Constant(match, "_JOINS", (0.1, 0.75, 1.5, 2.25, 3.0)),
    Constant(rows, "_LOW", (0.15, 0.2, 0.25, 0.3, 0.4)),
    Constant(rows, "_LARGER", (1.5, 2.0, 3.0, 4.0, 6.0)),
    Constant(rows, "_ACROSS", (0.6, 0.7, 0.8, 0.9, 2.0)),
    Constant(rows, "_ICONS", (0, 3, 5, 7)),
    Constant(layers, "_BARRIER", (0.7, 0.8, 0.9, 0.95, 2.0)),
    Constant(signature, "_BACK", (0.3, 0.4, 0.5, 0.65, 0.8)),
)


@dataclass(frozen=True, slots=True)
class Case:
    """One set in one form."""

    name: str
    family: str
    app: str
    screens: tuple[Screen, ...]
    truth: tuple[str | None, ...]

    def f1(self) -> float:
        # Copies, since what was worked out of a screen is kept for as long as it lives.
        found = cluster([replace(s) for s in self.screens], self.app)
        both = [(t, f) for t, f in zip(self.truth, found, strict=True) if t is not None]
        return partition_scores([t for t, _ in both], [f for _, f in both], resamples=1).pair_f1


@contextmanager
def valued(constant: Constant, value: float) -> Iterator[None]:
    with patch.object(constant.module, constant.name, value):
        yield


def cases(sets: Path | None, toolkits: Sequence[str]) -> Iterator[Case]:
    for name, load in (builtin_sets(ACTIONS, SEED) | dict(folder_sets(sets) if sets else ())).items():
        labelled = load()
        truth = tuple(k.page for k in labelled.looks)
        family = name.partition("-")[0]
        as_it_is = tuple(k.screen for k in labelled.looks)
        yield Case(name, family, labelled.app, as_it_is, truth)
        if "://" not in labelled.app and family != "autodroid":  # Its looks have no places to begin with.
            for toolkit in toolkits:
                told = tuple(rewritten(s, toolkit) for s in as_it_is)
                yield Case(f"{name} {toolkit}", family, labelled.app, told, truth)


def varied(constant: Constant, found: Sequence[Case]) -> dict[str, object]:
    """Return each value's mean, and what each family's sets come to with the value that others choose."""
    scores = np.zeros((len(found), len(constant.values)))
    for k, value in enumerate(constant.values):
        with valued(constant, value):
            scores[:, k] = [case.f1() for case in found]
    now = constant.values.index(getattr(constant.module, constant.name))
    families = np.array([case.family for case in found])
    chosen: dict[str, float] = {}
    left = np.zeros(len(found))
    for family in sorted(set(families)):
        mine = families == family
        # Of equals, the value that is in force.
        means = scores[~mine].mean(axis=0).round(6)
        best = now if means[now] == means.max() else int(means.argmax())
        chosen[str(family)] = constant.values[best]
        left[mine] = scores[mine, best]
    return {
        "now": constant.values[now],
        "means": dict(zip(map(str, constant.values), scores.mean(axis=0).round(4).tolist(), strict=True)),
        "chosen": chosen,
        "mean_now": round(float(scores[:, now].mean()), 4),
        "mean_left_out": round(float(left.mean()), 4),
    }


def told(name: str, row: Mapping[str, object]) -> str:
    means, chosen = row["means"], row["chosen"]
    assert isinstance(means, dict)
    assert isinstance(chosen, dict)
    grid = " ".join(f"{v}: {m:.4f}" for v, m in means.items())
    others = ", ".join(f"{f} {v}" for f, v in chosen.items() if v != row["now"]) or "the same for all"
    return f"{name} = {row['now']}: {grid} | left out {row['mean_left_out']:.4f}, chosen: {others}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sets", type=Path, default=None, help="labelled folders beside the built-in sets")
    parser.add_argument("--only", action="append", default=[], help="this constant; may be repeated")
    parser.add_argument("--toolkit", action="append", choices=sorted(TOOLKITS), default=[])
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = tuple(cases(asked.sets, asked.toolkit or ("flutter",)))
    table: dict[str, dict[str, object]] = {}
    for constant in CONSTANTS:
        if not asked.only or constant.name in asked.only:
            table[constant.name] = varied(constant, found)
            if not asked.json:
                print(told(constant.name, table[constant.name]), flush=True)
    if asked.json:
        print(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
