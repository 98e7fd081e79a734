"""How well screens are read off their pictures: pocket's screens in, shares and seconds out.

    python -m benchmarks.pixels [--screens 20] [--explore clock --actions 40]

Share of a tree's labels that the reader of pictures has read, seconds of computing a screen, and the true
pages that one exploration finds with the tree and without.
"""

import argparse
import json
import random
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from waypost.adapters.pixels import OcrFinder, Pictured
from waypost.adapters.pocket import Faults, PocketDevice, apps
from waypost.adapters.through import Through
from waypost.mapping.controls import controls
from waypost.mapping.settle import settled
from waypost.model import Action, Observation, Press, Screen
from waypost.parts.exploring import explore


def looks(count: int, seed: int) -> Iterator[tuple[str, Observation]]:
    """Walk each app at random, with its tree, and yield every page once, the apps in turn."""
    rng = random.Random(seed)
    walks = [_walk(app, rng) for app in apps()]
    while count > 0 and walks:
        for walk in list(walks):
            seen = next(walk, None)
            if seen is None:
                walks.remove(walk)
            elif count > 0:
                count -= 1
                yield seen


def _walk(app: str, rng: random.Random) -> Iterator[tuple[str, Observation]]:
    device, known = PocketDevice(app), set()
    for _ in range(200):
        look = settled(device)
        page = device.where()
        if page not in known and page.startswith(f"{app}/"):
            known.add(page)
            yield page, device.observe(pixels=True)
        offered: list[Action] = [c.action for c in controls(look.screen)]
        device.perform(rng.choice(offered) if offered and rng.random() < 0.8 else Press("back"))
        if not page.startswith((f"{app}/", "side:")):
            device.restart()


def labels(screen: Screen) -> list[str]:
    """Return the texts that a person can read: whole ones, with a letter or a digit in them."""
    low = screen.size[1] - 60
    texts = [e.text for e in screen.visible() if e.bounds.height >= 30 and e.bounds.bottom < low]
    return [t for t in texts if plain(t)]


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def read(count: int, skip: int, seed: int) -> dict[str, Any]:
    finder, told, got, seconds = OcrFinder(), 0, 0, 0.0
    missed: list[str] = []
    chosen = list(looks(count + skip, seed))[skip:]
    for page, seen in chosen:
        began = time.process_time()
        found = finder.find(seen.image, seen.screen.size)
        seconds += time.process_time() - began
        said = "\n".join(plain(e.text) for e in found)
        together = said.replace("\n", "")
        wanted = labels(seen.screen)
        lost = [t for t in wanted if not _said(plain(t), said, together)]
        told, got = told + len(wanted), got + len(wanted) - len(lost)
        missed += [f"{page}: {t}" for t in lost]
    return {
        "screens": len(chosen),
        "labels": told,
        "read": got,
        "share": round(got / max(1, told), 3),
        "cpu_seconds_a_screen": round(seconds / max(1, len(chosen)), 2),
        "missed": missed,
    }


def _said(wanted: str, lines: str, together: str) -> bool:
    """Whether a label was read, be it over two lines, or cut short on the screen after a good part of it."""
    return wanted in lines or wanted in together or (len(wanted) > 24 and wanted[:20] in lines)


class Noted(Through):
    """Notes the true page of every look that is taken."""

    def __init__(self, device: PocketDevice) -> None:
        super().__init__(device)
        self._pocket = device
        self.pages: set[str] = set()

    def observe(self, *, pixels: bool = False) -> Observation:
        self.pages.add(self._pocket.where())
        return super().observe(pixels=pixels)


def explored(app: str, actions: int, seed: int) -> dict[str, Any]:
    result: dict[str, Any] = {"app": app, "actions": actions}
    for name, faults in (("tree", Faults.none()), ("pixels", Faults(no_tree=1.0))):
        noted = Noted(PocketDevice(app, faults=faults))
        device = Pictured(noted, OcrFinder()) if name == "pixels" else noted
        began = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            known = explore(device, Path(folder) / "map", actions=actions, seed=seed)
            pages = sum(1 for _ in known.graph.pages())
            known.close()
        true = {p for p in noted.pages if p.startswith(f"{app}/")}
        result[name] = {
            "true_pages": len(true),
            "pages": pages,
            "cpu_seconds": round(time.process_time() - began, 1),
        }
    return result


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--screens", type=int, default=20)
    said.add_argument("--skip", type=int, default=0, help="leave out the first ones of the walk")
    said.add_argument("--explore", metavar="APP", default="")
    said.add_argument("--actions", type=int, default=40)
    said.add_argument("--seed", type=int, default=0)
    args = said.parse_args()
    result: dict[str, Any] = {}
    if args.screens:
        result["reading"] = read(args.screens, args.skip, args.seed)
    if args.explore:
        result["exploring"] = explored(args.explore, args.actions, args.seed)
    print(json.dumps(result, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
