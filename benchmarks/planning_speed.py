"""Time the planner on maps of growing size: `python -m benchmarks.planning_speed [--json]`."""

import argparse
import json
import random
import statistics
import sys
import time

from waypost.model import AppGraph, Hypernode, NodeId, Press, Tap, Transition, TransitionKind
from waypost.planning import ShortestPath

__all__ = ["main"]


def made_up(pages: int, seed: int) -> AppGraph:
    """Make a map like an app's: a tree five wide, shortcuts, and a way back from every page."""
    rng = random.Random(seed)
    graph = AppGraph("app", root=NodeId("0"))
    for n in range(pages):
        node = NodeId(str(n))
        graph.nodes[node] = Hypernode(node)
        parent = NodeId(str((n - 1) // 5))
        if n:
            _add(
                graph, Transition(parent, Tap((1, 1)), node, f"tap:{n}", tries=3, successes=rng.randint(1, 3))
            )
            _add(graph, Transition(node, Press("back"), parent, "press:back", TransitionKind.SYSTEM))
        for _ in range(3):
            other = rng.randrange(pages)
            _add(graph, Transition(node, Tap((1, 1)), NodeId(str(other)), f"tap:{other}"))
    return graph


def _add(graph: AppGraph, step: Transition) -> None:
    graph.transitions[step.source, step.key, step.target] = step


def timed(pages: int, *, plans: int = 50, seed: int = 0) -> dict[str, float]:
    """Return milliseconds for the first plan on a map, which reads it in, and the median of the next."""
    graph, planner, rng = made_up(pages, seed), ShortestPath(), random.Random(seed)
    spans = []
    for _ in range(plans + 1):
        a, b = (NodeId(str(rng.randrange(pages))) for _ in range(2))
        begun = time.perf_counter()
        planner.plan(graph, a, b)
        spans.append(1000 * (time.perf_counter() - begun))
    return {
        "pages": pages,
        "first_ms": round(spans[0], 2),
        "median_ms": round(statistics.median(spans[1:]), 3),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    rows = [timed(n) for n in (30, 150, 1_000, 10_000)]
    if parser.parse_args().json:
        json.dump(rows, sys.stdout)
        return
    print(f"{'pages':>7} {'first plan':>12} {'next plans':>12}")
    for row in rows:
        print(f"{row['pages']:>7} {row['first_ms']:>9.2f} ms {row['median_ms']:>9.3f} ms")


if __name__ == "__main__":
    main()
