"""Stored runs in, every figure of a comparison out: cells, pairs, structure, classes of misses, curves.

The unit is the task: with several seeds a task counts by its mean, and in McNemar's test by whether it was
reached in more than half of them. No difference is told without its number of tasks and its interval.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from waypost.bench.inference import Paired, correlation, holm, paired, tasks_needed
from waypost.bench.misses import CLASSES, Miss, cleanliness, miss
from waypost.bench.run import Trial
from waypost.bench.stats import bootstrap, figures, wilson
from waypost.bench.store import Memory, Run
from waypost.bench.verdicts import trial

__all__ = ["ALL", "Cell", "Scored", "Summary", "summary"]

ALL = "all"
_ORDER = ("none", "random", "auto_bfs", "frontier", "manual")
_BANDS = ((1, 2), (3, 4), (5, 99))
"""Waypoints of a route, as TAG-Nav groups them."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A run with what a judge made of it."""

    run: Run
    trial: Trial
    miss: Miss | None

    @property
    def good(self) -> bool:
        """What was right to do was done: arrived, or abstained where there is nothing."""
        return self.trial.success or self.trial.abstained


@dataclass(frozen=True, slots=True)
class Cell:
    """One arm by one actor on one suite."""

    suite: str
    arm: str
    actor: str
    rows: tuple[Scored, ...]

    def present(self) -> dict[tuple[str, str], float]:
        """Return by task how often it was reached, 0 to 1."""
        found: dict[tuple[str, str], list[bool]] = defaultdict(list)
        for r in self.rows:
            if r.trial.task.target is not None:
                found[r.run.key.suite, r.trial.task.id].append(r.trial.success)
        return {k: sum(v) / len(v) for k, v in found.items()}

    def as_json(self) -> dict[str, Any]:
        """Return the figures of this cell."""
        (counted,) = figures([_renamed(r.trial) for r in self.rows]).values()
        acted = [r for r in self.rows if r.run.episode.actions]
        steps = sum(r.run.episode.actions for r in acted)
        lost = Counter(r.miss.kind for r in self.rows if r.miss)
        tidy = [
            cleanliness(r.run.episode, r.run.shortest, reached=r.trial.success)
            for r in self.rows
            if r.trial.success
        ]
        tasks = self.present()
        return {
            "suite": self.suite,
            "arm": self.arm,
            "actor": self.actor,
            "seeds": len({r.run.key.seed for r in self.rows}),
            "tasks": len(tasks),
            "reached": sum(v > 0.5 for v in tasks.values()),
            **counted.as_json(),
            "steps": round(counted.actions, 2),
            "seconds_per_step": round(sum(r.run.seconds for r in acted) / steps, 3) if steps else None,
            "tokens": sum(r.run.tokens for r in self.rows),
            "tokens_per_step": round(sum(r.run.tokens for r in acted) / steps, 1) if steps else None,
            "told": _told(self.rows),
            "cost": round(sum(r.run.cost for r in self.rows), 6),
            "structure": _structure(self.rows),
            "misses": {kind: lost.get(kind, 0) for kind in CLASSES},
            "cleanliness": {
                name: round(sum(getattr(c, name) for c in tidy) / len(tidy), 2) if tidy else None
                for name in ("detours", "loops", "backtracks", "restarts")
            },
        }


def _renamed(t: Trial) -> Trial:
    return Trial("cell", t.task, t.episode, t.passed, t.reason, t.shortest, t.as_named)


def _structure(rows: Sequence[Scored]) -> dict[str, Any] | None:
    """Return what the map held for the tasks whose page exists; None where it was asked for no page."""
    asked = [r for r in rows if r.trial.task.target is not None and _was_asked(r.run.memory)]
    if not asked:
        return None
    covered = [r for r in asked if r.run.memory.covered]
    right = [r for r in asked if r.run.memory.retrieved]
    followed = [r for r in right if r.run.memory.path]
    pages = [r.run.memory.waypoints for r in asked if r.run.memory.waypoints]
    return {
        "n": len(asked),
        "covered": len(covered),
        "retrieved": len(right),
        "refused_though_covered": sum(r.run.memory.refused for r in covered),
        "retrieved_of_covered": round(len(right) / len(covered), 4) if covered else None,
        "path": len(followed),
        "perfect_follower": len(followed),
        "reached_of_covered": sum(r.trial.success for r in covered),
        "waypoints": round(sum(pages) / len(pages), 2) if pages else None,
    }


def _told(rows: Sequence[Scored]) -> dict[str, Any] | None:
    """Return how much the memory told, in word pieces; None where nobody was told anything."""
    looks = sum(r.run.told_looks for r in rows)
    if not looks:
        return None
    pieces = sum(r.run.told_tokens for r in rows)
    per_task = round(pieces / sum(1 for r in rows if r.run.told_looks), 1)
    return {"looks": looks, "pieces": pieces, "per_look": round(pieces / looks, 1), "per_episode": per_task}


def _was_asked(memory: Memory) -> bool:
    """Whether a memory was asked for one page; some forms of it tell without choosing one."""
    return memory.covered is not None and (memory.retrieved is not None or memory.refused)


@dataclass(frozen=True)
class Summary:
    """All of it, in an order that does not depend on the order of running."""

    judge: str
    scored: tuple[Scored, ...]
    curves: Mapping[str, Any] = field(default_factory=dict)

    def cells(self) -> list[Cell]:
        """Return every cell, and those of all suites together where there are several."""
        found: dict[tuple[str, str, str], list[Scored]] = defaultdict(list)
        for row in self.scored:
            key = row.run.key
            found[key.suite, key.arm, key.actor].append(row)
            found[ALL, key.arm, key.actor].append(row)
        suites = {s for s, _, _ in found} - {ALL}
        return [
            Cell(suite, arm, actor, tuple(rows))
            for (suite, arm, actor), rows in sorted(found.items(), key=lambda kv: _rank(*kv[0]))
            if suite != ALL or len(suites) > 1
        ]

    def pairs(self) -> list[dict[str, Any]]:
        """Return every arm against none, and frontier against each other; Holm over a suite and actor."""
        cells = {(c.suite, c.arm, c.actor): c for c in self.cells()}
        rows: list[dict[str, Any]] = []
        for suite, actor in dict.fromkeys((c.suite, c.actor) for c in cells.values()):
            arms = [arm for s, arm, a in cells if (s, a) == (suite, actor)]
            wanted = [("none", arm) for arm in arms if arm != "none" and "none" in arms]
            wanted += [
                (arm, "frontier") for arm in arms if arm not in ("none", "frontier") and "frontier" in arms
            ]
            wanted += [
                (base, arm)
                for arm in arms
                if (base := arm.partition("+")[0]) != arm and base in arms and base != "frontier"
            ]
            family: list[dict[str, Any]] = []
            for first, second in wanted:
                found = compared_cells(cells[suite, first, actor], cells[suite, second, actor])
                if found is not None:
                    family.append(
                        {"suite": suite, "actor": actor, "first": first, "second": second, "pair": found}
                    )
            for row, adjusted in zip(family, holm([r["pair"].p for r in family]), strict=True):
                pair: Paired = row.pop("pair")
                needed = tasks_needed(pair.up / pair.n, pair.down / pair.n) if pair.up != pair.down else None
                told = pair.as_json()
                reached = {"first_reached": told.pop("first"), "second_reached": told.pop("second")}
                rows.append({**row, **reached, **told, "p_holm": round(adjusted, 4), "tasks_for_80": needed})
        return rows

    def bands(self) -> list[dict[str, Any]]:
        """Return success by the length of the route that was told (TAG-Nav, 5.3), over all maps."""
        routes = [r for r in self.scored if r.trial.task.target is not None and r.run.memory.waypoints]
        rows = []
        for low, high in _BANDS:
            mine = [r for r in routes if low <= r.run.memory.waypoints <= high]
            reached = sum(r.trial.success for r in mine)
            ci = [round(v, 4) for v in wilson(reached, len(mine))]
            name = f"{low}-{high}" if high < 99 else f"{low} and more"
            rows.append({"waypoints": name, "n": len(mine), "reached": reached, "ci95": ci})
        return rows

    def length_correlation(self) -> dict[str, Any]:
        """Return how success goes with the length of the route, with how many runs that says."""
        routes = [r for r in self.scored if r.trial.task.target is not None and r.run.memory.waypoints]
        rho = correlation(
            [float(r.run.memory.waypoints) for r in routes], [float(r.trial.success) for r in routes]
        )
        return {"n": len(routes), "spearman": round(rho, 4) if rho is not None else None}

    def misses(self) -> list[dict[str, Any]]:
        """Return every miss with its class and evidence."""
        return [
            {
                **{n: getattr(r.run.key, n) for n in ("suite", "task", "arm", "actor", "seed")},
                "say": r.trial.task.instruction,
                **r.miss.as_json(),
                "reason": r.trial.reason,
                "stop": r.run.episode.stop.value,
                "false_arrival": r.trial.false_arrival,
            }
            for r in self.scored
            if r.miss is not None
        ]

    def as_json(self) -> dict[str, Any]:
        return {
            "judge": self.judge,
            "episodes": len(self.scored),
            "cells": [c.as_json() for c in self.cells()],
            "pairs": self.pairs(),
            "by_waypoints": self.bands(),
            "success_against_waypoints": self.length_correlation(),
            "curves": self.curves,
            "classes": CLASSES,
            "misses": self.misses(),
        }


def compared_cells(first: Cell, second: Cell) -> Paired | None:
    """Compare two cells on the tasks that both have; None where there are none."""
    a, b = first.present(), second.present()
    both = sorted(a.keys() & b.keys())
    if not both:
        return None
    found = paired([a[k] > 0.5 for k in both], [b[k] > 0.5 for k in both])
    if all(v in (0.0, 1.0) for k in both for v in (a[k], b[k])):
        return found
    deltas = [b[k] - a[k] for k in both]
    low, high = bootstrap(deltas)
    mean = sum(deltas) / len(deltas)
    return Paired(found.n, found.first, found.second, found.up, found.down, mean, (low, high), found.p)


def summary(runs: Iterable[Run], *, judge: str = "", curves: Mapping[str, Any] | None = None) -> Summary:
    """Score every run by one judge's verdicts, by default those of the world's own."""
    scored = []
    names: Counter[str] = Counter()
    for run in sorted(runs, key=lambda r: r.key):
        judged = trial(run, judge)
        names.update(v.judge for v in run.verdicts if not judge or v.judge == judge)
        scored.append(Scored(run, judged, miss(run, judged)))
    told = judge or " and ".join(sorted({r.run.verdicts[0].judge for r in scored if r.run.verdicts}))
    return Summary(told, tuple(scored), curves or {})


def _rank(suite: str, arm: str, actor: str) -> tuple[Any, ...]:
    base, _, given = arm.partition("+")
    place = _ORDER.index(base) if base in _ORDER else len(_ORDER)
    return (suite == ALL, suite, actor, bool(given), place, arm)
