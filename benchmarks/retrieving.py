"""How long the nearest of many vectors take: records in, milliseconds and their growth out.

    python -m benchmarks.retrieving [--records 1000,10000,100000,1000000] [--dimension 128] [--json]

`floor` is the bare NumPy product and its largest value.
"""

import argparse
import json
from typing import Any

import numpy as np
from benchmarks.timing import each, growth, spread

from waypost.adapters.vectors import FlatIndex

__all__ = ["retrieving"]


def retrieving(sizes: tuple[int, ...] = (1_000, 10_000, 100_000), dimension: int = 128) -> dict[str, Any]:
    """Ask the embedded index for the eight nearest."""
    rows = []
    for size in sizes:
        dice = np.random.default_rng(size)
        table = dice.standard_normal((size, dimension), np.float32)
        table /= np.linalg.norm(table, axis=1, keepdims=True)
        index: FlatIndex[int] = FlatIndex(dimension)
        index.add(range(size), table)
        asked = list(dice.standard_normal((42, dimension), np.float32))
        took = each(lambda q, index=index: index.search(q, 8), asked, warm=2)  # type: ignore[misc]
        floor = each(lambda q, table=table: int((table @ q).argmax()), asked, warm=2)  # type: ignore[misc]
        rows.append({"records": size, "dimension": dimension, **spread(took), "floor": spread(floor)})
    return {"sizes": rows, "growth": growth(rows, "records", "p50_ms")}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", default="1000,10000,100000,1000000")
    parser.add_argument("--dimension", type=int, default=128)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    told = retrieving(tuple(map(int, asked.records.split(","))), asked.dimension)
    print(json.dumps(told, indent=None if asked.json else 1))


if __name__ == "__main__":
    main()
