"""Is a plan what it claims to be, and what does it take? `python -m benchmarks.planning [--json]`.

Prints `oracle` (every planner against brute force on random small maps), `scaling` (time and cost on maps
of 30 to 10,000 pages), `recorded` (plans on recorded graphs against stated or independent optima), `gates`
(tasks behind gates on the embedded phone, with facts and without), `browser` (the same in a real web app,
which is fetched on first use; with `--only browser` alone) and `static` (a package's claims
against an exploration) and `tree` (tree search on maps that are unsure). Everything is seeded.
"""

import argparse
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from benchmarks.planning_browser import browser_gates
from benchmarks.planning_gates import gates
from benchmarks.planning_oracle import KINDS, Asked, least_cost, made_up
from benchmarks.planning_recorded import recorded
from benchmarks.planning_scaling import scaling
from benchmarks.planning_static import static
from benchmarks.planning_tree import tree

from waypost.model import Plan, PlanStatus
from waypost.planning import Pddl, ProductSearch, ShortestPath
from waypost.planning.checking import Question, faults
from waypost.protocols import Planner

__all__ = ["main", "oracle"]

_PARTS = ("oracle", "scaling", "recorded", "gates", "static", "tree")
_ASKED_FOR = ("browser",)
"""What is run only where it is named: it needs Chromium and the network."""
_OUTSIDE = 25
"""One question in so many is put to Fast Downward too: a process each time."""


def oracle(graphs: int, seed: int = 0) -> dict[str, Any]:
    """Put `graphs` random questions to the planners, and hold every answer against trying everything."""
    rng = random.Random(seed)
    product, shortest, outside = ProductSearch(), ShortestPath(), Pddl()
    told: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for n in range(graphs):
        asked = made_up(rng, KINDS[n % len(KINDS)])
        kinds[asked.kind] += 1
        best = least_cost(asked)
        told["unreachable"] += math.isinf(best)
        told["answers"] += 1
        _judge(told, asked, best, _plan(product, asked))
        if n % _OUTSIDE == 0:
            told["fast_downward"] += 1
            _judge(told, asked, best, _plan(outside, asked))
        if not asked.goal.facts and len(asked.goal.groups) == 1:
            told["shortest_path"] += 1
            _judge(told, asked, least_cost(asked, heeds_facts=False), _plan(shortest, asked), facts=False)
    return {
        "graphs": graphs,
        "misses": told["misses"],
        "false_optimal": told["false_optimal"],
        "faulty": told["faulty"],
        "unreachable": told["unreachable"],
        "asked": {k: told[k] for k in ("answers", "fast_downward", "shortest_path")},
        "kinds": dict(kinds),
        "seed": seed,
    }


def _plan(planner: Planner, asked: Asked) -> Plan:
    return planner.plan(asked.graph, asked.start, asked.goal, penalties=asked.fee, terms=asked.terms)


def _judge(told: Counter[str], asked: Asked, best: float, plan: Plan, *, facts: bool = True) -> None:
    """Count a miss (a way not found, a way where none is, one that costs more) and a false optimal."""
    if math.isinf(best):
        missed = plan.status is not PlanStatus.UNREACHABLE
    else:
        missed = not plan.found or abs(plan.cost - best) > 1e-6
    told["misses"] += missed
    claims = plan.status in (PlanStatus.OPTIMAL, PlanStatus.ALREADY_THERE)
    told["false_optimal"] += claims and plan.cost > best + 1e-6
    if facts and faults(asked.graph, Question(asked.start, asked.goal, asked.terms, asked.fee), plan):
        told["faulty"] += 1


def main() -> int:
    """Run, print, and return 1 where a plan was missed or falsely called optimal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--graphs", type=int, default=20_000)
    parser.add_argument("--only", choices=(*_PARTS, *_ASKED_FOR), default=None)
    args = parser.parse_args()
    parts: dict[str, Callable[[], Any]] = {
        "oracle": lambda: oracle(args.graphs),
        "scaling": scaling,
        "recorded": recorded,
        "gates": gates,
        "static": static,
        "tree": tree,
        "browser": browser_gates,
    }
    wanted = _PARTS if args.only is None else (args.only,)
    found = {name: parts[name]() for name in wanted}
    if args.json:
        json.dump(found, sys.stdout, indent=2, ensure_ascii=False)
        print()
    else:
        for name, part in found.items():
            print(f"== {name}")
            for row in part if isinstance(part, list) else [part]:
                print("  ", json.dumps(row, ensure_ascii=False))
    wrong = found.get("oracle", {"misses": 0, "false_optimal": 0})
    return 1 if wrong["misses"] or wrong["false_optimal"] else 0


if __name__ == "__main__":
    sys.exit(main())
