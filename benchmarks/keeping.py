"""What a map costs to keep: pages in, seconds to save and open it, bytes and memory out.

    python -m benchmarks.keeping [--pages 100,1000,10000] [--looks 10] [--json]

Each size is measured in a process of its own. `open_s` is from a folder to a mapper that can locate;
`floor_s` reads the same rows from SQLite and unpacks them, and no more. `memory_mb` is what the process
grew by; `commit` is one step written and committed.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any

from benchmarks.made_up import made_up
from benchmarks.timing import each, growth, spread

from waypost.mapping import Mapper, MapStore
from waypost.model import NodeId, Observation, Tap

__all__ = ["keeping"]


def keeping(sizes: tuple[int, ...] = (100, 1000, 10_000), looks: int = 10, seed: int = 5) -> dict[str, Any]:
    """Measure every size in a process of its own."""
    rows = []
    for pages in sizes:
        with tempfile.TemporaryDirectory() as folder:
            write = [sys.executable, "-m", "benchmarks.keeping", "--one", "save", folder]
            read = [sys.executable, "-m", "benchmarks.keeping", "--one", "open", folder]
            sized = ["--pages", str(pages), "--looks", str(looks), "--seed", str(seed)]
            told = {"pages": pages, "looks": looks}
            for command in (write, read):
                done = subprocess.run([*command, *sized], check=True, stdout=subprocess.PIPE, text=True)
                told |= json.loads(done.stdout)
            rows.append(told)
    return {"sizes": rows, "growth": growth(rows, "pages", "open_s")}


def _saved(folder: Path, pages: int, looks: int, seed: int) -> dict[str, Any]:
    _, graph = made_up(pages, looks, seed)
    began = time.perf_counter()
    store = MapStore.create(folder / "map", graph.app)
    store.save_all(graph)
    store.close()
    took = time.perf_counter() - began
    return {"save_s": round(took, 3), "bytes": (folder / "map" / "map.sqlite").stat().st_size}


def _opened(folder: Path, pages: int, looks: int, seed: int) -> dict[str, Any]:
    app, _ = made_up(1, 1, seed)
    floor = _floor(folder / "map")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, used = time.perf_counter(), time.process_time()
    store = MapStore.open(folder / "map")
    try:
        mapper = Mapper(store.load(), store=store)
        took, cpu = time.perf_counter() - began, time.process_time() - used
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        at = NodeId("n0")

        def step(n: int) -> None:
            nonlocal at
            seen = Observation(app.look(0, 10_000 + n), seen_at=float(n))
            at = mapper.extend(at, Tap((1, 1)), f"tap:{n % 5}", seen).target
            mapper.commit()

        commit = spread(each(step, range(40)))
    finally:
        store.close()
    return {
        "open_s": round(took, 3),
        "open_cpu_s": round(cpu, 3),
        "floor_s": round(floor, 3),
        "memory_mb": round(grown / 1024, 1),
        "commit": commit,
    }


def _floor(folder: Path) -> float:
    import sqlite3

    began = time.perf_counter()
    with sqlite3.connect(folder / "map.sqlite") as db:
        for (blob,) in db.execute("SELECT observation FROM looks"):
            json.loads(zlib.decompress(blob))
        for (value,) in db.execute("SELECT value FROM transitions"):
            json.loads(value)
    return time.perf_counter() - began


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", default="100,1000,10000")
    parser.add_argument("--looks", type=int, default=10)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", nargs=2, metavar=("DO", "FOLDER"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    sizes = tuple(map(int, asked.pages.split(",")))
    if asked.one:
        work = _saved if asked.one[0] == "save" else _opened
        print(json.dumps(work(Path(asked.one[1]), sizes[0], asked.looks, asked.seed)))
        return
    print(json.dumps(keeping(sizes, asked.looks, asked.seed), indent=None if asked.json else 1))


if __name__ == "__main__":
    main()
