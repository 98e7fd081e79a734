"""Ask when checking a claim costs more than it saves: verifiers that err and few steps in, paired tables out.

    python -m benchmarks.acting_doubt [--tasks 20] [--json]

VLAA-GUI reports that with 15 steps each of its components hurts, and blames the steps that checking takes.
Here one scripted actor, which mostly knows the way, does the same tasks on the embedded phone bare and in its
wrappers, while what its verifier and its critic say is wrong in a given share of the times. The wit is
scripted: the table says from which share on a wrapper hurts, and nothing of how often any model errs.
"""

import argparse
import json
from collections.abc import Callable
from typing import Any

from benchmarks.acting import Bench
from benchmarks.acting_table import Run, paired
from benchmarks.acting_worlds import Case, world

from tests.actors.policies import endpoint

ARMS = ("gate", "critic", "breaker", "all")
WRONG = (0.0, 0.1, 0.3, 0.5)
LIMITS = (25, 15, 6)
SKILL = {"known": 0.85, "claims": 0.03}
"""An actor that a wrapper has little to mend of: the one in the paper was good, too."""
SEEDS = 2


def doubted(tasks: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Run every arm at every share and limit, and pair it with the bare actor."""
    found: dict[str, Any] = {}
    with endpoint() as served, world("pocket", tasks) as where:
        for limit in LIMITS:
            bare = _runs(Bench(served, where, SKILL), where.cases, "bare", limit)
            found[f"bare@{limit}"] = paired(bare, bare)
            for wrong in WRONG:
                bench = Bench(served, where, SKILL | {"wrong": wrong})
                for arm in ARMS:
                    row = paired(bare, _runs(bench, where.cases, arm, limit))
                    found[f"{arm}@{limit}, wrong {wrong:g}"] = row
                    say(f"{arm}, {limit} actions, {wrong:.0%} wrong: {json.dumps(row)}")
    return found


def _runs(bench: Bench, cases: list[Case], arm: str, limit: int) -> list[Run]:
    return [bench.run(c, "noisy", arm, limit=limit, seed=s) for c in cases for s in range(SEEDS)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tasks", type=int, default=20, help="tasks at most")
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    say: Callable[[str], None] = (lambda line: None) if told.json else print
    print(json.dumps(doubted(told.tasks, say), indent=1))


if __name__ == "__main__":
    main()
