"""Hold Waypost against a world's own labels: an address in, labelled looks or the score of a map out.

    python -m worlds.collect ihatemoney --url http://127.0.0.1:5108/demo --out /tmp/looks [--actions 150]
    python -m worlds.collect ihatemoney --url http://127.0.0.1:5108/demo --explore 5 [--json]

The first has a seeded tapper walk the app, and writes every look in the neutral form, with its screenshot
and its label. The second explores for so many minutes, and says how many pages the map has for each true
page, and how many of its steps are false.
"""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from worlds.labelling import LabelledDevice, Labeller, free_port, phone, rules_of

from waypost.adapters.browser import BrowserConfig, BrowserDevice
from waypost.adapters.looks import write_labels, write_look
from waypost.bench.coverage import StepLog, Truth, coverage
from waypost.errors import DeviceError
from waypost.exploration import ExploreConfig
from waypost.mapping import StepSeen, controls
from waypost.model import Action, Launch, Observation, Press, Swipe
from waypost.parts.exploring import surveyed

__all__ = ["Tapper", "main"]


class Tapper:
    """Prefers what was tapped least; now and then scrolls, types, goes back."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._tried: Counter[str] = Counter()

    def next(self, seen: Observation) -> Action:
        dice = self._dice
        throw = dice.random()
        if throw < 0.15:
            return Swipe(direction=dice.choice(("up", "up", "down")))
        if throw < 0.27:
            return Press("back")
        offered = [
            c for c in controls(seen.screen) if not getattr(getattr(c.action, "target", None), "hazard", "")
        ]
        if not offered:
            return Launch("")  # Left the app, most likely.
        place = seen.screen.activity
        chances = [(self._tried[f"{place}|{c.key}"] + 1.5 * dice.random(), i) for i, c in enumerate(offered)]
        chosen = offered[min(chances)[1]]
        self._tried[f"{place}|{chosen.key}"] += 1
        return chosen.action


def main() -> None:
    """Collect the looks of one world, or explore it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("world")
    parser.add_argument("--url", required=True)
    parser.add_argument("--out", type=Path, help="folder for the looks, or for the map")
    parser.add_argument("--actions", type=int, default=150)
    parser.add_argument("--explore", type=float, default=0.0, metavar="MINUTES")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--storage-state", default="")
    parser.add_argument("--locale", default="en-US", help="language that the browser asks for")
    parser.add_argument("--dark", action="store_true", help="ask for the dark theme")
    parser.add_argument("--prefix", default="look", help="what the names of looks begin with")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if not (asked.out or asked.explore):
        parser.error("say where the looks shall go: --out FOLDER")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        port, rules = free_port(), rules_of(asked.world)
        page = phone(play, port, asked.storage_state, asked.locale, dark=asked.dark)
        page.goto(asked.url)
        page.wait_for_load_state("networkidle")
        browser = BrowserDevice(asked.url, config=BrowserConfig(cdp=f"http://127.0.0.1:{port}"))
        device = LabelledDevice(browser, page, Labeller(rules))
        try:
            if asked.explore:
                _explore(device, asked)
            else:
                _collect(device, asked)
        finally:
            device.close()


def _collect(device: LabelledDevice, asked: argparse.Namespace) -> None:
    tapper, labels = Tapper(asked.seed), dict[str, str | None]()
    causes: dict[str, list[str]] = {}
    last = ""
    for i in range(asked.actions):
        seen = device.observe(pixels=True)
        label = device.labels[seen.seen_at]
        if label is not None:
            name = f"{asked.prefix}{i:04}"
            write_look(asked.out, name, seen)
            labels[name] = label
            causes[name] = _causes(asked, last)
            print(f"{name} {label}", file=sys.stderr, flush=True)
        action = tapper.next(seen)
        last = type(action).__name__
        try:
            device.perform(action)
        except DeviceError as e:
            print(f"restarted: {e}", file=sys.stderr)
            device.restart()
    write_labels(asked.out, labels, causes)


def _causes(asked: argparse.Namespace, last: str) -> list[str]:
    """Return why a look may differ from others of its page."""
    known = {"scroll": last == "Swipe", "language": asked.locale != "en-US", "theme": asked.dark}
    return [cause for cause, holds in known.items() if holds]


def _explore(device: LabelledDevice, asked: argparse.Namespace) -> None:
    """Explore, and hold the map against the labels; a look without one says nothing of its step."""
    steps: list[StepSeen] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.out or Path(scratch) / "map"
        config = ExploreConfig(minutes=asked.explore, seed=asked.seed, pictures=bool(asked.out))
        with surveyed(device, folder, config, listener=steps.append) as known:
            log = StepLog(lambda at: device.labels.get(at) or "")
            for s in steps:
                if device.labels.get(s.before_at) and device.labels.get(s.after_at):
                    log.add(s.source, s.key, s.target, s.before_at, s.after_at)
            pages = frozenset(filter(None, device.labels.values()))
            found = coverage(known.graph, log, Truth(pages, pages), known.mapper.resolve)
    row: dict[str, Any] = {**found.as_json(), "split": found.split, "merged": _mixed(log, found.merged)}
    print(json.dumps(row, indent=1) if asked.json else "\n".join(f"{k}: {v}" for k, v in row.items()))


def _mixed(log: StepLog, merged: tuple[str, ...]) -> dict[str, dict[str, int]]:
    """Return what each page that stands for several was seen as."""
    votes = {page: Counter[str]() for page in merged}
    for source, _, target, before, after in log.steps:
        for node, label in ((source, before), (target, after)):
            if str(node) in votes:
                votes[str(node)][label] += 1
    return {page: dict(count.most_common(4)) for page, count in votes.items()}


if __name__ == "__main__":
    main()
