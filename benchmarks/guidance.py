"""A whole guidance step, locate, retrieve, plan and text: a map of many pages in, milliseconds out.

    python -m benchmarks.guidance [--pages 1000] [--asked 300] [--json]

Each step is asked with a sentence and a look that were never asked with before; no model is asked. `floor`
is the same work by bare calls: the sentence embedded, one NumPy product with the library's vectors, one
shortest path by rustworkx, and one dictionary look-up.
"""

import argparse
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.made_up import written
from benchmarks.timing import each, spread

from waypost.model import AppGraph, Observation
from waypost.parts.acting import guide_for
from waypost.parts.face import Map, open_map
from waypost.parts.memory import forgetful

__all__ = ["guidance_step"]

_ASKING = ("open {}", "where do I find {}", "take me to {}", "show me the page about {}", "{}")


def guidance_step(pages: int = 1000, asked: int = 300, seed: int = 2) -> dict[str, Any]:
    """Make a map, remember its pages, and time steps on it."""
    with tempfile.TemporaryDirectory() as folder:
        app = written(Path(folder) / "map", pages, seed=seed)
        with open_map(Path(folder) / "map") as known:
            known.records()
            dice = random.Random(seed)
            cases = []
            for n in range(asked + 5):
                wanted, here = dice.randrange(pages), dice.randrange(pages)
                sentence = dice.choice(_ASKING).format(app.title(wanted))
                cases.append((f"{sentence} {n}", wanted, Observation(app.look(here, 1000 + n)), here))
            told: list[tuple[bool, bool, str]] = []
            took = each(lambda case: told.append(_step(known, case)), cases, warm=5)
            found = [f for f, _, _ in told[5:]]
            placed = [p for _, p, _ in told[5:]]
            return {
                **spread(took),
                "pages": pages,
                "right_page": round(sum(found) / len(found), 3),
                "right_place": round(sum(placed) / len(placed), 3),
                "characters": round(sum(len(t) for *_, t in told) / len(told)),
                "parts": _parts(known, cases),
                "floor": _floor(known, cases),
            }


def _step(known: Map, case: tuple[str, int, Observation, int]) -> tuple[bool, bool, str]:
    """Guide once; what was found by sentence and by look is told for the record."""
    sentence, wanted, look, here = case
    answer = known.find(sentence)
    # An agent is not guided where the sentence fits no page; the nearest stands in: no step is cheap.
    record = answer.record or answer.candidates[0].record
    text = guide_for(known, sentence, record, "closed")(look)
    placed = known.mapper.locate(look)
    return record.node == f"n{wanted}", placed is not None and placed.node == f"n{here}", text


def _parts(known: Map, cases: list[tuple[str, int, Observation, int]]) -> dict[str, Any]:
    """Time the parts of a step, on sentences and looks of their own."""
    fresh = [(f"{s} again", Observation(look.screen)) for s, _, look, _ in cases]
    records = [known.find(s).candidates[0].record for s, *_ in cases]
    root = known.graph.root
    assert root is not None
    return {
        "retrieve": spread(each(lambda case: known.find(case[0]), fresh, warm=5)),
        "locate": spread(each(lambda case: known.mapper.nearest(case[1]), fresh, warm=5)),
        "plan": spread(each(lambda r: known.planner.plan(known.graph, root, r.node), records, warm=5)),
    }


def _floor(known: Map, cases: list[tuple[str, int, Observation, int]]) -> dict[str, Any]:
    import rustworkx as rx

    model = forgetful()
    table = np.random.default_rng(0).standard_normal((len(known.records()), model.dimension), np.float32)
    graph, places = _bare(known.graph)
    by_title: dict[str, int] = {}

    def step(case: tuple[str, int, Observation, int]) -> None:
        (query,) = model.embed([case[0] + " floor"])
        best = int(np.argmax(table @ query))
        rx.dijkstra_shortest_paths(graph, places[0], best % len(places), lambda edge: edge)
        by_title.get(case[0])

    return spread(each(step, cases, warm=5))


def _bare(graph: AppGraph) -> tuple[Any, list[int]]:
    import rustworkx as rx

    bare: Any = rx.PyDiGraph()
    places = bare.add_nodes_from(list(graph.nodes))
    number = {node: i for i, node in enumerate(graph.nodes)}
    bare.add_edges_from([(number[t.source], number[t.target], 1.0) for t in graph.transitions.values()])
    return bare, list(places)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--asked", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    print(json.dumps(guidance_step(asked.pages, asked.asked), indent=None if asked.json else 1))


if __name__ == "__main__":
    main()
