"""Three homes for vectors side by side: records in, milliseconds, megabytes and what they find out.

    python -m benchmarks.indexes [--records 1000,10000] [--apps 5] [--only exact,pgvector] [--json]
    python -m benchmarks.indexes --records 1000000 --apps 1 --fields 1

Records are divided among apps, and each has two fields (as TAG-Nav's page and intents): an index, a table
or a collection an app and field. A question goes to both fields of one app and asks for the eight nearest.
`add_s` is filling them; `memory_mb` is what this process (exact) or the server's own processes grew by;
`same` is the share of hits that the plain product finds too. Servers are real ones, on loopback, started
for this; Milvus is asked twice, as it is used (`milvus`) and waiting for what others wrote (`milvus strong`).
"""

import argparse
import itertools
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from benchmarks.endurance import children, resident
from benchmarks.timing import each, once, spread

from tests.servers import milvus_server, postgres_server
from waypost.adapters.milvus import MilvusIndex
from waypost.adapters.pgvectors import PgVectorIndex
from waypost.adapters.vectors import FlatIndex
from waypost.protocols import VectorIndex, Vectors

__all__ = ["side_by_side"]

Make: TypeAlias = Callable[[str, int], VectorIndex[str]]
KINDS = ("exact", "pgvector", "milvus", "milvus strong")
_K = 8
_NUMBER = itertools.count()


@contextmanager
def _home(kind: str, folder: Path) -> Iterator[Make]:
    """Start what a kind of index needs; every index that was made is closed at the end."""
    with ExitStack() as stack:
        if kind == "exact":
            yield lambda name, dimension: FlatIndex(dimension)
        elif kind == "pgvector":
            where = stack.enter_context(postgres_server(folder))
            yield lambda name, dimension: stack.enter_context(PgVectorIndex(where, name, dimension))
        else:
            where = stack.enter_context(milvus_server(folder))
            how = "Strong" if kind.endswith("strong") else "Session"
            yield lambda name, dimension: stack.enter_context(
                MilvusIndex(where, name, dimension, consistency=how)
            )


def _table(records: int, dimension: int, seed: int) -> Vectors:
    dice = np.random.default_rng(seed)
    table = dice.standard_normal((records, dimension), np.float32)
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    return table


def _best(table: Vectors, keys: list[str], question: Vectors) -> set[str]:
    return {keys[i] for i in np.argsort(-(table @ question), kind="stable")[:_K]}


def _held(kind: str, folder: Path) -> float:
    """Return the megabytes of whoever holds the vectors."""
    match kind:
        case "exact":
            held = ["self"]
        case "pgvector":  # It runs on its own, as no child of ours.
            server = (folder / "postmaster.pid").read_text().split()[0]
            held = [server, *children(server)]
        case _:
            held = children()
    return sum(map(resident, held)) / 1_048_576


def _measured(
    home: tuple[str, Path, Make], records: int, shape: tuple[int, int, int], asked: int
) -> dict[str, Any]:
    kind, folder, make = home
    apps, fields, dimension = shape
    share = records // apps
    keys = [f"n{n}" for n in range(share)]
    names = [f"i{next(_NUMBER)}_{app}_{field}" for app in range(apps) for field in range(fields)]
    before = _held(kind, folder)
    with ThreadPoolExecutor(8) as pool:
        indexes = list(pool.map(lambda name: make(name, dimension), names))
    tables = [_table(share, dimension, seed) for seed in range(min(len(names), 2))]
    filled = sum(
        once(lambda i=i, index=index: index.add(keys, tables[i % len(tables)]))[0]  # type: ignore[misc]
        for i, index in enumerate(indexes)
    )
    dice = np.random.default_rng(11)
    questions = list(dice.standard_normal((asked + 3, dimension), np.float32))
    found: list[list[str]] = []

    def ask(number: int) -> None:
        app = number % apps
        for field in range(fields):
            hits = indexes[app * fields + field].search(questions[number], _K)
            found.append([hit.key for hit in hits])

    took = each(ask, range(len(questions)), warm=3)
    best = [
        {
            keys[i]
            for i in np.argsort(-(tables[(n % apps * fields + f) % len(tables)] @ q), kind="stable")[:_K]
        }
        for n, q in enumerate(questions)
        for f in range(fields)
    ]
    same = sum(len(set(got) & right) for got, right in zip(found, best, strict=True))
    # What was written last may still lie in the server's journal: the questions have made it load.
    return {
        "index": kind,
        "records": records,
        "vectors": share * apps * fields,
        "add_s": round(filled / 1000, 2),
        **spread(took),
        "memory_mb": round(_held(kind, folder) - before, 1),
        "same": round(same / sum(map(len, best)), 4),
    }


def side_by_side(
    kinds: tuple[str, ...], sizes: tuple[int, ...], shape: tuple[int, int, int], asked: int = 60
) -> list[dict[str, Any]]:
    """Measure every kind at every size; `shape` is apps, fields an app, numbers a vector."""
    rows = []
    for kind in kinds:
        with tempfile.TemporaryDirectory() as folder, _home(kind, Path(folder)) as make:
            home = kind, Path(folder), make
            rows += [_measured(home, records, shape, asked) for records in sizes]
    return rows


def main() -> None:
    """Print one row a kind and size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", default="1000,10000,100000")
    parser.add_argument("--apps", type=int, default=5)
    parser.add_argument("--fields", type=int, default=2)
    parser.add_argument("--dimension", type=int, default=128)
    parser.add_argument("--asked", type=int, default=60)
    parser.add_argument("--only", default=",".join(KINDS))
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    kinds = tuple(asked.only.split(","))
    if unknown := set(kinds) - set(KINDS):
        parser.error(f"there is no {min(unknown)!r}; there are {', '.join(KINDS)}")
    sizes = tuple(map(int, asked.records.split(",")))
    rows = side_by_side(kinds, sizes, (asked.apps, asked.fields, asked.dimension), asked.asked)
    if asked.json:
        print(json.dumps({"rows": rows, "load": [round(n, 2) for n in os.getloadavg()]}))
        return
    for row in rows:
        print(" ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
