"""How long it takes to find a look on a map, as the map grows: pages in, milliseconds and the growth out.

    python -m benchmarks.locating [--pages 100,1000,10000] [--looks 10] [--asked 200] [--json]

The maps are made up by seed: an app of many sections, whose pages share bars and row templates, have titles,
settings and texts of their own, and lists whose content changes from look to look. Asked is for looks that
the map has not got: other rows, another scroll position, now and then a keyboard. `linear` compares with each
look there is, the way that needs no index.
"""

import argparse
import json
import math
import random
import statistics
import time
from typing import Any

from waypost.mapping import Mapper
from waypost.mapping.signature import signature
from waypost.model import AppGraph, Bounds, Element, Hypernode, Look, NodeId, Observation, Role, Screen

WORDS = 4_000
"""Made-up words that titles, rows and settings are made of."""
SECTIONS = 12


def word(dice: random.Random) -> str:
    """Return a made-up word of two to four syllables."""
    return "".join(dice.choice("bdfgklmnprstvz") + dice.choice("aeiou") for _ in range(dice.randint(2, 4)))


class App:
    """Makes looks of its pages, the same for the same seed."""

    def __init__(self, pages: int, seed: int) -> None:
        dice = random.Random(seed)
        self._words = [word(dice) for _ in range(WORDS)]
        self._bar = [self._words[i] for i in range(4)]
        self._pages = [self._page(dice, i) for i in range(pages)]

    def _page(self, dice: random.Random, i: int) -> dict[str, Any]:
        say = lambda n: " ".join(dice.choices(self._words, k=n))  # noqa: E731
        return {
            "title": say(dice.randint(1, 3)),
            "section": i % SECTIONS,
            "buttons": [say(1) for _ in range(dice.randint(0, 3))],
            "settings": [say(2) for _ in range(dice.randint(3, 9))] if dice.random() < 0.5 else [],
            "rows": dice.randint(4, 12),
        }

    def look(self, page: int, seed: int) -> Screen:
        """Return one look at a page: its own title and controls, rows that are content."""
        dice, made = random.Random(f"{page} {seed}"), self._pages[page]
        title = Element(Role.TEXT, text=made["title"], bounds=Bounds(160, 80, 900, 180))
        up = Element(Role.BUTTON, description="Navigate up", clickable=True, bounds=Bounds(0, 80, 150, 180))
        buttons = [
            Element(Role.BUTTON, text=b, clickable=True, bounds=Bounds(900, 80 + i, 1080, 180 + i))
            for i, b in enumerate(made["buttons"])
        ]
        top = Element(Role.TOOLBAR, bounds=Bounds(0, 60, 1080, 200), children=(up, title, *buttons))
        section = f"list_{made['section']}"
        said = made["settings"]
        start = dice.randint(0, max(0, len(said) - 4))
        said = said[start : start + 6] or [
            " ".join(dice.choices(self._words, k=3)) for _ in range(made["rows"])
        ]
        rows = tuple(
            self._row(text, i, section, settings=bool(made["settings"])) for i, text in enumerate(said)
        )
        box = Bounds(0, 200, 1080, 2200)
        listed = Element(Role.LIST, resource_id=section, scrollable=True, bounds=box, children=rows)
        entries = tuple(
            Element(
                Role.TAB,
                text=t,
                clickable=True,
                selected=i == made["section"] % 4,
                bounds=Bounds(270 * i, 2200, 270 * i + 270, 2400),
            )
            for i, t in enumerate(self._bar)
        )
        bar = Element(Role.TABLIST, bounds=Bounds(0, 2200, 1080, 2400), children=entries)
        root = Element(bounds=Bounds(0, 0, 1080, 2400), children=(top, listed, bar))
        return Screen(root, app="made.up", activity=".Main", keyboard=dice.random() < 0.05)

    def _row(self, text: str, i: int, section: str, *, settings: bool) -> Element:
        top = 200 + 150 * i
        name = Element(
            Role.TEXT, text=text, resource_id=f"{section}_name", bounds=Bounds(60, top, 800, top + 70)
        )
        box = Bounds(900, top, 1040, top + 70)
        side = Element(
            Role.SWITCH if settings else Role.IMAGE,
            resource_id=f"{section}_side",
            checkable=settings,
            bounds=box,
        )
        return Element(
            Role.ITEM, clickable=True, bounds=Bounds(0, top, 1080, top + 140), children=(name, side)
        )


def measured(pages: int, looks: int, asked: int, seed: int) -> dict[str, float]:
    """Build a map and ask for looks that it has not got."""
    app, graph = App(pages, seed), AppGraph(app="made.up")
    for p in range(pages):
        seen = tuple(Look(Observation(app.look(p, n))) for n in range(looks))
        graph.nodes[NodeId(f"n{p}")] = Hypernode(NodeId(f"n{p}"), f"page {p}", looks=seen)
    began = time.perf_counter()
    mapper = Mapper(graph)
    opened = time.perf_counter() - began
    dice = random.Random(seed + 1)
    wanted = [(p, app.look(p, looks + 1 + n)) for n in range(asked) for p in [dice.randrange(pages)]]
    took, right = [], 0
    for page, screen in wanted:
        began = time.perf_counter()
        found = mapper.locate(Observation(screen))
        took.append(1000 * (time.perf_counter() - began))
        right += found is not None and found.node == f"n{page}"
    took.sort()
    return {
        "pages": pages,
        "p50_ms": statistics.median(took),
        "p95_ms": took[int(0.95 * len(took))],
        "right": right / asked,
        "open_s": opened,
        "linear_ms": _linear(mapper, app, pages, looks, seed),
    }


def _linear(mapper: Mapper, app: App, pages: int, looks: int, seed: int) -> float:
    """Estimate the way without an index from what a thousand comparisons take."""
    dice = random.Random(seed)
    asked = signature(app.look(0, looks + 1))
    others = [signature(app.look(dice.randrange(pages), 0)) for _ in range(1000)]
    began = time.perf_counter()
    for other in others:
        mapper.judge(asked, other)
    return 1000 * (time.perf_counter() - began) / 1000 * pages * looks


def main() -> None:
    """Print one row a size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", default="100,1000,10000")
    parser.add_argument("--looks", type=int, default=10)
    parser.add_argument("--asked", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rows = []
    for pages in map(int, asked.pages.split(",")):
        rows.append(measured(pages, asked.looks, asked.asked, asked.seed))
        if not asked.json:
            print(" ".join(f"{k} {v:.4g}" for k, v in rows[-1].items()), flush=True)
    first, last = rows[0], rows[-1]
    span = math.log(last["pages"] / first["pages"])
    growth = {k: math.log(last[k] / first[k]) / span for k in ("p50_ms", "p95_ms")} if len(rows) > 1 else {}
    if asked.json:
        print(json.dumps({"sizes": rows, "growth": growth}, indent=1))
    else:
        print("growth", " ".join(f"{k} {v:.3f}" for k, v in growth.items()))


if __name__ == "__main__":
    main()
