"""Run the benchmarks of speed: every part in, one table or one JSON object out.

    python -m benchmarks [--quick] [--json] [--only guidance_step,locate,...]

`--quick` takes smaller maps and ends in two or three minutes; without it maps go to 10,000 pages and
vectors to a million. Only the result goes to standard output; what is being measured, to standard error.
Nothing is compared with a fixed number of milliseconds: floors and rivals are measured in the same run.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.distilling import distilling
from benchmarks.guidance import guidance_step
from benchmarks.keeping import keeping
from benchmarks.locating import measured
from benchmarks.overhead import overhead
from benchmarks.parsing import looking, match_or_add
from benchmarks.planning_speed import timed
from benchmarks.retrieving import retrieving
from benchmarks.timing import growth

__all__ = ["main"]


def _locate(sizes: tuple[int, ...], looks: int, asked: int) -> dict[str, Any]:
    rows = [measured(pages, looks, asked, 1) for pages in sizes]
    last = rows[-1]
    return {
        "p50_ms": last["p50_ms"],
        "p95_ms": last["p95_ms"],
        "pages": last["pages"],
        "growth_exponent": growth(rows, "pages", "cpu_p50_ms"),
        "right": last["right"],
        "rivals": last["rivals"],
        "sizes": rows,
    }


def _plan(sizes: tuple[int, ...]) -> dict[str, Any]:
    rows = [timed(pages) for pages in sizes]
    return {"sizes": rows, "growth": growth(rows, "pages", "median_ms")}


_QUICK: dict[str, Callable[[], dict[str, Any]]] = {
    "guidance_step": lambda: guidance_step(1000, 200),
    "locate": lambda: _locate((100, 300, 1000), 3, 100),
    "look": lambda: looking(100),
    "match_or_add": lambda: match_or_add(150, 2),
    "distil": lambda: distilling((100, 300)),
    "retrieve": lambda: retrieving((1_000, 10_000, 100_000)),
    "plan": lambda: _plan((150, 1_000)),
    "explore": lambda: overhead("pocket:clock", 120),
    "keep": lambda: keeping((100, 1000), 3),
}
_FULL: dict[str, Callable[[], dict[str, Any]]] = {
    "guidance_step": lambda: guidance_step(1000, 500),
    "locate": lambda: _locate((100, 1000, 10_000), 10, 200),
    "look": lambda: looking(300),
    "match_or_add": lambda: match_or_add(1000, 3),
    "distil": lambda: distilling((100, 1000, 3000)),
    "retrieve": lambda: retrieving((1_000, 10_000, 100_000, 1_000_000)),
    "plan": lambda: _plan((150, 1_000, 10_000)),
    "explore": lambda: overhead("pocket:settings", 600),
    "keep": lambda: keeping((100, 1000, 10_000), 10),
}


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", default="", help=", ".join(_QUICK))
    asked = parser.parse_args()
    chosen = [name for name in asked.only.split(",") if name] or list(_QUICK)
    unknown = [name for name in chosen if name not in _QUICK]
    if unknown:
        parser.error(f"there is no {unknown[0]!r}; there are {', '.join(_QUICK)}")
    told: dict[str, Any] = {}
    for name in chosen:
        began = time.perf_counter()
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        told[name] = (_QUICK if asked.quick else _FULL)[name]()
        print(f"{time.perf_counter() - began:.1f} s", file=sys.stderr, flush=True)
    told["machine"] = {
        "cores": os.cpu_count(),
        "load": [round(n, 2) for n in os.getloadavg()],
        "python": platform.python_version(),
        "quick": asked.quick,
    }
    if asked.json:
        print(json.dumps(told))
        return
    for line in _rows("", told):
        print(line)


def _rows(name: str, told: Any) -> list[str]:
    """Flatten what was measured into lines, `floor` and rivals as ratios beside their values."""
    if isinstance(told, list):
        return [line for n, row in enumerate(told) for line in _rows(f"{name}[{_called(row, n)}]", row)]
    if not isinstance(told, dict):
        return [f"{name:58} {told}"]
    lines = []
    if "p50_ms" in told:
        lines.append(f"{name:58} p50 {told['p50_ms']:9.3f} ms  p95 {told['p95_ms']:9.3f} ms{_ratios(told)}")
    shown = {"p50_ms", "p95_ms", "cpu_p50_ms", "cpu_p95_ms", "n"} if lines else set()
    for key, value in told.items():
        if key not in shown:
            lines += _rows(f"{name}.{key}" if name else key, value)
    return lines


def _called(row: Any, n: int) -> Any:
    return next((row[k] for k in ("pages", "records") if isinstance(row, dict) and k in row), n)


def _ratios(told: dict[str, Any]) -> str:
    """Say how many times the floor's and each rival's median it takes."""
    others = {"floor": told["floor"]} if isinstance(told.get("floor"), dict) else {}
    others |= told.get("rivals", {})
    parts = [f"{k} x{told['p50_ms'] / v['p50_ms']:.1f}" for k, v in others.items() if v.get("p50_ms")]
    return "  = " + ", ".join(parts) if parts else ""


if __name__ == "__main__":
    main()
