"""Maps made up by seed, as large as is asked for: pages in, a graph or a folder with one out."""

import random
from importlib.resources import files
from pathlib import Path

from benchmarks.locating import App

from waypost.mapping import MapStore
from waypost.model import (
    AppGraph,
    Bounds,
    Evidence,
    ExploreStop,
    Hypernode,
    Look,
    NodeId,
    Observation,
    Press,
    Role,
    Tap,
    Transition,
    TransitionKind,
)

__all__ = ["english", "made_up", "written"]

_WIDE = 5
"""Pages that one page leads to, besides three shortcuts."""


def english() -> list[str]:
    """Return common English words, off the list that the embedded model reads by."""
    listed = files("waypost.adapters.embedders").joinpath("bert_vocab.txt").read_text("utf-8").split("\n")
    return [w for w in listed[2000:8000] if w.isascii() and w.isalpha() and len(w) > 3]


def made_up(pages: int, looks: int = 1, seed: int = 1) -> tuple[App, AppGraph]:
    """Return an app and its graph: a tree of pages, shortcuts across, and a way back from every page."""
    app, dice, graph = (
        App(pages, seed, english()),
        random.Random(seed),
        AppGraph(app="made.up", version="1.0"),
    )
    graph.root, graph.stop = NodeId("n0"), ExploreStop.COMPLETE
    titles = [app.title(p) for p in range(pages)]
    depth = [0] * pages
    for p in range(pages):
        parent = (p - 1) // _WIDE
        depth[p] = depth[parent] + 1 if p else 0
        seen = tuple(Look(Observation(app.look(p, n), seen_at=float(n)), visits=1) for n in range(looks))
        node = NodeId(f"n{p}")
        graph.nodes[node] = Hypernode(node, titles[p], looks=seen, visits=looks, depth=depth[p])
        if p:
            _way(graph, parent, p, titles[p], dice)
            back = Transition(
                node, Press("back"), NodeId(f"n{parent}"), "press:back", TransitionKind.SYSTEM, 1, 1
            )
            graph.transitions[node, back.key, back.target] = back
        for other in {dice.randrange(pages) for _ in range(3)} - {p}:
            _way(graph, p, other, titles[other], dice)
    graph.steps = len(graph.transitions)
    return app, graph


def _way(graph: AppGraph, source: int, target: int, label: str, dice: random.Random) -> None:
    a, b, key = NodeId(f"n{source}"), NodeId(f"n{target}"), f"tap:button|{label}"
    bounds = Bounds(0, 300, 1080, 440)
    tap = Tap(bounds.center, Evidence(Role.BUTTON, label, bounds=bounds, size=(1080, 2400)))
    tries = dice.randint(1, 4)
    graph.transitions[a, key, b] = Transition(a, tap, b, key, tries=tries, successes=tries)


def written(folder: Path, pages: int, looks: int = 1, seed: int = 1) -> App:
    """Write such a map into a folder, and return its app."""
    app, graph = made_up(pages, looks, seed)
    store = MapStore.create(folder, graph.app, graph.version, "1080x2400")
    try:
        store.save_all(graph)
    finally:
        store.close()
    return app
