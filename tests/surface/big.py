"""A map as large as they get, written without a device: as many pages as are asked for, in a tree."""

import random
from pathlib import Path

from waypost.mapping import MapStore
from waypost.mapping.changes import Changes
from waypost.model import (
    Bounds,
    Element,
    Evidence,
    ExploreStop,
    Hypernode,
    Look,
    NodeId,
    Observation,
    Role,
    Screen,
    Tap,
    Transition,
)

__all__ = ["big_map"]

_NOUNS = (
    "Sound",
    "Display",
    "Network",
    "Account",
    "Storage",
    "Battery",
    "Profile",
    "Order",
    "Ticket",
    "Photo",
)


def _screen(title: str, rows: list[str]) -> Screen:
    heading = Element(Role.HEADING, text=title, bounds=Bounds(0, 100, 1080, 220))
    items = tuple(
        Element(Role.BUTTON, text=r, bounds=Bounds(0, 240 + 120 * i, 1080, 350 + 120 * i), clickable=True)
        for i, r in enumerate(rows)
    )
    root = Element(bounds=Bounds(0, 0, 1080, 2400), children=(heading, *items))
    return Screen(root, app="org.example.big", activity=f".{title.replace(' ', '')}")


def big_map(folder: Path, pages: int, *, branches: int = 6, seed: int = 0) -> Path:
    """Write a map of `pages` pages and some four times as many ways."""
    dice, changes = random.Random(seed), Changes(meta=True)
    store = MapStore.create(folder, "org.example.big", "1.0", "1080x2400")
    graph = store.load()
    graph.root, graph.stop = NodeId("n1"), ExploreStop.COMPLETE
    names = [f"{_NOUNS[n % len(_NOUNS)]} {n}" for n in range(pages)]
    depths = [0] * pages
    for n in range(pages):
        parent = (n - 1) // branches if n else -1
        depths[n] = depths[parent] + 1 if n else 0
        rows = [names[c] for c in range(n * branches + 1, min(pages, n * branches + branches + 1))]
        look = Look(Observation(_screen(names[n], rows), seen_at=float(n)))
        node = NodeId(f"n{n + 1}")
        graph.nodes[node] = Hypernode(node, names[n], looks=(look,), visits=1, depth=depths[n])
        changes.nodes.add(node)
        changes.looks.add((node, 0))
        if n:
            _way(graph.transitions, parent, n, names[n], n % branches)
        for _ in range(3 if n > branches else 0):
            _way(graph.transitions, n, dice.randrange(n), "related", 7)
    graph.steps = len(graph.transitions)
    changes.transitions.add_all(graph.transitions)
    store.save(graph, changes)
    store.close()
    return folder


def _way(
    ways: dict[tuple[NodeId, str, NodeId], Transition], source: int, target: int, label: str, row: int
) -> None:
    bounds = Bounds(0, 240 + 120 * row, 1080, 350 + 120 * row)
    action = Tap(bounds.center, Evidence(Role.BUTTON, label, bounds=bounds, size=(1080, 2400)))
    a, b, key = NodeId(f"n{source + 1}"), NodeId(f"n{target + 1}"), f"tap:button|{label} {target}"
    ways[a, key, b] = Transition(a, action, b, key)
