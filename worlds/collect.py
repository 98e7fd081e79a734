"""Collect labelled looks of a world: an address and the world's pages.yaml in, a folder of looks out.

    python -m worlds.collect ihatemoney --url http://127.0.0.1:5108/demo --out /tmp/looks [--actions 150]

A seeded tapper walks the app; every look is written in the neutral form, with its screenshot and its label.
Labels do not come from the tree that Waypost reads: `pages.yaml` asks the document itself, over a second
connection to the same browser. Where that file names switches, such as a language or the dark theme, looks
are taken again with each.
"""

import argparse
import random
import re
import socket
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import yaml
from worlds.routes import walk

from waypost.adapters.browser import BrowserConfig, BrowserDevice
from waypost.adapters.browser.chromium import AGENT, SCALE, VIEWPORT, find_chromium
from waypost.adapters.looks import write_labels, write_look
from waypost.errors import DeviceError
from waypost.mapping import controls
from waypost.model import Observation, Press, Swipe

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

__all__ = ["Labeller", "main"]

_ASK = """(rules) => rules.map(r => {
  const seen = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true})
      && e.getBoundingClientRect().width > 0 && e.getBoundingClientRect().height > 0;
  const text = e => (e.innerText || e.getAttribute('aria-label') || e.getAttribute('placeholder') || '').trim();
  const on = [...document.querySelectorAll(r.css)].filter(seen).filter(e => !r.text || text(e).match(r.text));
  if (!on.length) return null;
  const last = on[on.length - 1];
  const within = r.beside ? last.parentElement : last;
  const name = r.beside || r.name;
  const named = name && (name === '.' ? last : [...within.querySelectorAll(name)].find(seen));
  return named ? text(named).split('\\n')[0] : '';
})"""


class Labeller:
    """Asks the document which page it shows, by the rules of one world."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self._pages: list[dict[str, Any]] = rules["pages"]
        self._over: list[dict[str, Any]] = rules.get("over", [])

    def label(self, page: "Page") -> str | None:
        """Return the label: the page that the address and the document name, and the uppermost thing over it.

        None where the rules say that nobody can tell.
        """
        parts = urlsplit(page.url)
        path = (
            parts.path
            + ("?" + parts.query if parts.query else "")
            + ("#" + parts.fragment if parts.fragment else "")
        )
        shown = page.evaluate(_ASK, [r if "css" in r else {"css": "html"} for r in self._pages])
        at = next(
            (
                _named(found.expand(rule["page"]), said)
                for rule, said in zip(self._pages, shown, strict=True)
                if said is not None and (found := re.search(rule.get("path", ""), path))
            ),
            None,
        )
        if at is None:
            return None
        shown = page.evaluate(_ASK, self._over)
        over = [
            _named(r["page"] or "", s) if r["page"] else None
            for r, s in zip(self._over, shown, strict=True)
            if s is not None
        ]
        if not over:
            return at
        return f"{at} + {over[0]}" if over[0] else None


def _named(page: str, said: str) -> str:
    return " ".join(p for p in (page, re.sub(r"\d+", "#", said).casefold().strip()) if p)


def _phone(play: "Playwright", port: int, state: str, locale: str) -> "Page":
    """Start Chromium as a phone, open to a second connection; loopback only."""
    browser = play.chromium.launch(
        executable_path=find_chromium(),
        chromium_sandbox=False,
        args=[
            *("--disable-gpu", "--no-first-run", f"--remote-debugging-port={port}"),
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ],
    )
    size = {"width": VIEWPORT[0], "height": VIEWPORT[1]}
    context = browser.new_context(
        viewport=size,  # type: ignore[arg-type]
        screen=size,  # type: ignore[arg-type]
        device_scale_factor=SCALE,
        is_mobile=True,
        has_touch=True,
        user_agent=AGENT,
        locale=locale,
        storage_state=state or None,
    )
    return context.new_page()


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class _Tapper:
    """Prefers what was tapped least; now and then scrolls, types, goes back."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._tried: Counter[str] = Counter()

    def next(self, seen: Observation) -> Any:
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
            return Press("back")
        place = seen.screen.activity
        chances = [(self._tried[f"{place}|{c.key}"] + 1.5 * dice.random(), i) for i, c in enumerate(offered)]
        chosen = offered[min(chances)[1]]
        self._tried[f"{place}|{chosen.key}"] += 1
        return chosen.action


def main() -> None:
    """Collect the looks of one world."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("world")
    parser.add_argument("--url", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--actions", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--storage-state", default="")
    asked = parser.parse_args()
    rules = yaml.safe_load((Path(__file__).parent / asked.world / "pages.yaml").read_text(encoding="utf-8"))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        port = _free_port()
        page = _phone(play, port, asked.storage_state, rules.get("locale", "en-US"))
        page.goto(asked.url)
        page.wait_for_load_state("networkidle")
        device = BrowserDevice(asked.url, config=BrowserConfig(cdp=f"http://127.0.0.1:{port}"))
        try:
            walk(device, rules.get("start", []))
            _collect(device, page, Labeller(rules), asked)
        finally:
            device.close()


def _collect(device: BrowserDevice, page: "Page", labeller: Labeller, asked: argparse.Namespace) -> None:
    tapper, labels = _Tapper(asked.seed), dict[str, str | None]()
    causes: dict[str, list[str]] = {}
    last = ""
    for i in range(asked.actions):
        label = labeller.label(page)
        seen = device.observe(pixels=True)
        # A page that turned between the two questions has no label to trust.
        if label == labeller.label(page):
            name = f"look{i:04}"
            write_look(asked.out, name, seen)
            # A native list of choices is the browser's own, and no part of the document.
            own = any(e.class_name == "browser-dialog" for e in seen.screen.walk())
            labels[name] = f"{label} + choices" if own and label else label
            if last == "Swipe":
                causes[name] = ["scroll"]
            print(f"{name} {label}", file=sys.stderr, flush=True)
        action = tapper.next(seen)
        last = type(action).__name__
        try:
            device.perform(action)
        except DeviceError as e:
            print(f"restarted: {e}", file=sys.stderr)
            device.restart()
        if urlsplit(page.url).hostname != "127.0.0.1":
            device.restart()
    write_labels(asked.out, labels, causes)


if __name__ == "__main__":
    main()
