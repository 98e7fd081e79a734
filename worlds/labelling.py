"""What a world's document says it shows: a browser of our own and the rules of pages.yaml in, labels out.

Labels do not come from the tree that Waypost reads: the document itself is asked, over a second connection
to the same browser.
"""

import re
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import yaml

from waypost.adapters.browser.chromium import AGENT, SCALE, VIEWPORT, find_chromium
from waypost.adapters.through import Through
from waypost.model import Observation
from waypost.protocols import Device

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

__all__ = ["LabelledDevice", "Labeller", "free_port", "phone", "rules_of"]

_ASK = """(rules) => rules.map(r => {
  const seen = e => {
    const r = e.getBoundingClientRect();
    const inside = r.right > 0 && r.bottom > 0 && r.left < innerWidth && r.top < innerHeight;
    return inside && r.width * r.height > 0
        && e.checkVisibility({visibilityProperty: true, opacityProperty: true});
  };
  const said = e => e.innerText || e.getAttribute('aria-label') || e.getAttribute('placeholder') || '';
  const text = e => said(e).trim();
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
        parts = urlsplit(page.evaluate("location.href"))
        path = (
            parts.path
            + ("?" + parts.query if parts.query else "")
            + ("#" + parts.fragment if parts.fragment else "")
        )
        shown = page.evaluate(_ASK, [r if "css" in r else {"css": "html"} for r in self._pages])
        at = next(
            (
                _named(found.expand(rule["page"]), said) if rule["page"] else None
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


def rules_of(world: str) -> dict[str, Any]:
    """Read the rules of a world."""
    path = Path(__file__).parent / world / "pages.yaml"
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def phone(play: "Playwright", port: int, state: str, locale: str = "en-US", *, dark: bool = False) -> "Page":
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
        color_scheme="dark" if dark else "light",
        storage_state=state or None,
    )
    return context.new_page()


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class LabelledDevice(Through):
    """A device whose every look is labelled; a look at a page that turned meanwhile has no label."""

    def __init__(self, device: Device, page: "Page", labeller: Labeller) -> None:
        super().__init__(device)
        self._page, self._labeller = page, labeller
        self.labels: dict[float, str | None] = {}
        """By the time of the look."""

    def observe(self, *, pixels: bool = False) -> Observation:
        before = self._labeller.label(self._page)
        seen = self._device.observe(pixels=pixels)
        label = before if before == self._labeller.label(self._page) else None
        # A native list of choices is the browser's own, and no part of the document.
        own = any(e.class_name == "browser-dialog" for e in seen.screen.walk())
        self.labels[seen.seen_at] = f"{label} + choices" if own and label else label
        return seen
