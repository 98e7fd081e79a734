"""What it takes to turn a map into records, with no model: pages in, milliseconds a page out.

python -m benchmarks.distilling [--pages 100,1000] [--json]
"""

import argparse
import json
from typing import Any

from benchmarks.made_up import made_up
from benchmarks.timing import growth, once

from waypost.library import distil
from waypost.planning import ShortestPath

__all__ = ["distilling"]


def distilling(sizes: tuple[int, ...] = (100, 1000)) -> dict[str, Any]:
    """Distil maps of growing size; embedding is not counted."""
    rows = []
    for pages in sizes:
        _, graph = made_up(pages)
        took, records = once(lambda graph=graph: distil(graph, ShortestPath()))  # type: ignore[misc]
        rows.append({"pages": pages, "records": len(records), "ms": round(took, 1)})
    return {"sizes": rows, "growth": growth(rows, "pages", "ms")}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", default="100,1000")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    told = distilling(tuple(map(int, asked.pages.split(","))))
    print(json.dumps(told, indent=None if asked.json else 1))


if __name__ == "__main__":
    main()
