"""How long it takes to find a look on a map, as the map grows: pages in, milliseconds and the growth out.

    python -m benchmarks.locating [--pages 100,1000,10000] [--looks 10] [--asked 200] [--json]

The maps are made up by seed: an app of many sections, whose pages share bars and row templates, have titles,
settings and texts of their own, and lists whose content changes from look to look. Asked is for looks that
the map has not got: other rows, another scroll position, now and then a keyboard. `linear` compares with each
look there is, the way that needs no index.
"""

import argparse
import json
import random
import time
from collections.abc import Hashable, Sequence
from typing import Any

from benchmarks.timing import Took, each, growth, spread

from waypost.mapping import Mapper
from waypost.mapping.signature import signature
from waypost.matchers import (
    ClassTextMatcher,
    CollapsedScrollMatcher,
    IdSetMatcher,
    KeyMatcher,
    StateStringMatcher,
    WeightedSetMatcher,
)
from waypost.model import AppGraph, Bounds, Element, Hypernode, Look, NodeId, Observation, Role, Screen
from waypost.protocols import ScreenMatcher

WORDS = 4_000
"""Made-up words that titles, rows and settings are made of."""
SECTIONS = 12


def word(dice: random.Random) -> str:
    """Return a made-up word of two to four syllables."""
    return "".join(dice.choice("bdfgklmnprstvz") + dice.choice("aeiou") for _ in range(dice.randint(2, 4)))


class App:
    """Makes looks of its pages, the same for the same seed."""

    def __init__(self, pages: int, seed: int, words: Sequence[str] = ()) -> None:
        dice = random.Random(seed)
        self._words = list(words) or [word(dice) for _ in range(WORDS)]
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

    def title(self, page: int) -> str:
        """Return what a page is headed by."""
        return str(self._pages[page]["title"])

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


def measured(pages: int, looks: int, asked: int, seed: int) -> dict[str, Any]:
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
    found: list[bool] = []

    def locate(case: tuple[int, Screen]) -> None:
        place = mapper.locate(Observation(case[1]))
        found.append(place is not None and place.node == f"n{case[0]}")

    return {
        "pages": pages,
        **spread(each(locate, wanted, warm=0)),
        "right": sum(found) / asked,
        "open_s": opened,
        "linear_ms": _linear(mapper, app, pages, looks, seed),
        "rivals": rivals(app, pages, looks, wanted),
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


def rivals(app: App, pages: int, looks: int, wanted: Sequence[tuple[int, Screen]]) -> dict[str, Any]:
    """Time how others find a look on the same map: by the recipes of `matchers`, as each looks it up.

    A recipe with a key looks the key up; one that compares does so with every look, and goes to the first
    that fits, so that of those only so many questions are asked as take a few seconds. `right` is the share
    of looks that were found on their own page, `wrong` on another, and the rest nowhere.
    """
    told: dict[str, Any] = {}
    for name, matcher in _RECIPES.items():
        if isinstance(matcher, KeyMatcher):
            told[name] = _by_key(matcher, app, pages, looks, wanted)
        else:
            few = wanted[: max(3, min(len(wanted), 60_000 // (pages * looks)))]
            told[name] = _by_comparing(matcher, app, pages, looks, few)
    return told


_RECIPES: dict[str, ScreenMatcher] = {
    "DroidBot (state string)": StateStringMatcher(),
    "mcp-devices (class and text)": ClassTextMatcher(),
    "app-automating (ids)": IdSetMatcher(activity=False),
    "auto-mobile (collapsed scroll)": CollapsedScrollMatcher(),
    "minimap (weighted sets)": WeightedSetMatcher(),
}


def _by_key(
    matcher: KeyMatcher, app: App, pages: int, looks: int, wanted: Sequence[tuple[int, Screen]]
) -> dict[str, Any]:
    known: dict[Hashable, int] = {}
    for page in range(pages):
        for n in range(looks):
            known.setdefault(matcher.key(app.look(page, n)), page)
    found: list[int | None] = []
    took = each(lambda case: found.append(known.get(matcher.key(case[1]))), wanted, warm=0)
    return _judged(took, found, wanted)


def _by_comparing(
    matcher: ScreenMatcher, app: App, pages: int, looks: int, wanted: Sequence[tuple[int, Screen]]
) -> dict[str, Any]:
    known = [(page, app.look(page, n)) for page in range(pages) for n in range(looks)]
    if isinstance(matcher, WeightedSetMatcher):
        matcher = WeightedSetMatcher(kept=len(known) + len(wanted) + 1)
    for _, screen in known:
        matcher.compare(screen, known[0][1])  # What it works out about a look is at hand when it is asked.
    found: list[int | None] = []

    def locate(case: tuple[int, Screen]) -> None:
        found.append(next((page for page, look in known if matcher.compare(case[1], look).same), None))

    return _judged(each(locate, wanted, warm=0), found, wanted)


def _judged(took: Took, found: Sequence[int | None], wanted: Sequence[tuple[int, Screen]]) -> dict[str, Any]:
    right = sum(page == case[0] for page, case in zip(found, wanted, strict=True))
    missed = sum(page is None for page in found)
    return {
        **spread(took),
        "right": round(right / len(wanted), 3),
        "wrong": round((len(wanted) - right - missed) / len(wanted), 3),
    }


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
            told = {k: v for k, v in rows[-1].items() if k != "rivals"}
            print(" ".join(f"{k} {v:.4g}" for k, v in told.items()), flush=True)
            for name, rival in rows[-1]["rivals"].items():
                print("  ", name, " ".join(f"{k} {v:.4g}" for k, v in rival.items()), flush=True)
    grown = {k: growth(rows, "pages", k) for k in ("p50_ms", "p95_ms")} if len(rows) > 1 else {}
    if asked.json:
        print(json.dumps({"sizes": rows, "growth": grown}, indent=1))
    else:
        print("growth", " ".join(f"{k} {v:.3f}" for k, v in grown.items() if v is not None))


if __name__ == "__main__":
    main()
