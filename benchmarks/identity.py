"""Score the mapper on walks through the embedded phone's apps: it knows how each look was reached.

    python benchmarks/identity.py [--set mail] [--json]

`waypost identity score` scores ways of sorting that know nothing but the looks, ours among them; here the
same looks come one after the other with the actions between them, as in an exploration. Labels are those of
the phone. Nothing here is used to set a threshold.
"""

import argparse
import json

from waypost.bench.partition import PartitionScores, partition_scores
from waypost.mapping import Mapper
from waypost.model import AppGraph
from waypost.parts.tapping import tapped

APPS = ("mail", "chat", "clock", "music", "settings", "shop")


def walked(app: str, actions: int, seed: int) -> PartitionScores:
    """Let the mapper place every settled look of a walk."""
    mapper: Mapper | None = None
    at = None
    truth, found = [], []
    for row in tapped(app, actions, seed):
        if not row.settled:
            continue
        if mapper is None:
            if row.page is None:
                continue  # The map is of the app, not of what it asks before it shows itself.
            mapper = Mapper(AppGraph(app=row.seen.screen.app))
        if row.action is None or at is None:
            at = mapper.enter(row.seen)
        else:
            at = mapper.extend(at, row.action, row.key, row.seen).target
        if row.page is not None:
            truth.append(row.page)
            found.append(at)
    assert mapper is not None
    return partition_scores(truth, [mapper.resolve(n) for n in found], seed=seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--set", default="")
    parser.add_argument("--actions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    table = {a: walked(a, asked.actions, asked.seed) for a in APPS if asked.set in a}
    if asked.json:
        print(json.dumps({"sets": {a: {"steps": s.as_json()} for a, s in table.items()}}, indent=1))
        return
    for app, s in table.items():
        told = " ".join(f"{k} {v}" for k, v in s.as_json().items())
        print(f"{app:10} looks {s.looks} pages {s.pages} groups {s.groups} {told}")


if __name__ == "__main__":
    main()
