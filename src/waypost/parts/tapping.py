"""An app of the embedded phone and a seed in, a walk through it with the true page of every look out."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from waypost.adapters.pocket import PocketDevice
from waypost.adapters.pocket.faults import Faults
from waypost.mapping import action_key, controls, dismissal, settled
from waypost.model import Action, Observation, Press, Role, Screen, TreeQuality

__all__ = ["Tapped", "tapped"]

_SMALL = 3
"""Pictures are shrunk by this: whatever compares them looks at less."""
_STROLL = 25
"""Actions after which the app is started afresh: a random walk stays long where much is to be filled in."""
_LOST = ("side:external", "launcher")


@dataclass(frozen=True, slots=True)
class Tapped:
    """One look of the walk."""

    seen: Observation
    label: str
    """The phone's own word for the page, or for the side state in front."""
    causes: tuple[str, ...]
    action: Action | None
    """What led here; None after a start."""
    key: str = ""
    settled: bool = True

    @property
    def page(self) -> str | None:
        """The true page; None where it is none of the app."""
        return None if self.label.startswith(("side:", "launcher")) else self.label


def tapped(app: str, actions: int, seed: int, *, faults: Faults | None = None) -> Iterator[Tapped]:
    """Tap through an app at random, what was tried least first; what is hazardous is left alone.

    The walk goes by the true pages, so that no matcher has a say in what it is scored on. Looks are taken
    when the screen has settled, and while a page loads. Every 25 actions the app is started afresh, its data
    kept; half-way the owner turns the dark theme on, where the app has one.
    """
    device = PocketDevice(app, seed=seed, faults=faults, shrink=_SMALL)
    dice = random.Random(seed)
    tried: Counter[tuple[str, str]] = Counter()
    marks = _Marks(device, app)
    row = marks.look(None, "")
    yield row
    for turn in range(actions):
        if turn == actions // 2 and "dark" in device.session(app).vars:
            device.session(app).vars["dark"] = True
        action = _next(row, tried, dice)
        key = action_key(action)
        tried[row.label, key] += 1
        device.perform(action)
        if marks.loading:
            yield marks.passing(action, key)
        row = marks.look(action, key)
        yield row
        if row.label.startswith(_LOST) or turn % _STROLL == _STROLL - 1:
            device.restart()
            row = marks.look(None, "")
            yield row


def _next(row: Tapped, tried: Counter[tuple[str, str]], dice: random.Random) -> Action:
    if row.page is None:
        return dismissal(row.seen.screen) or Press("back")
    offered = [
        c for c in controls(row.seen.screen) if not getattr(getattr(c.action, "target", None), "hazard", "")
    ]
    if not offered or dice.random() >= 0.9:
        return Press("back")
    chances = [(tried[row.label, c.key] + 2 * dice.random(), n) for n, c in enumerate(offered)]
    return offered[min(chances)[1]].action


class _Marks:
    """Takes looks, and tells what makes each differ from others of its page."""

    def __init__(self, device: PocketDevice, app: str) -> None:
        self._device, self._app = device, app
        self._first: dict[str, frozenset[str]] = {}
        self._pictures: dict[tuple[Screen, bool], Observation] = {}

    @property
    def loading(self) -> bool:
        session = self._device.session(self._app)
        return bool(session.stack) and session.loading and not self._device.where().startswith(_LOST)

    def look(self, action: Action | None, key: str) -> Tapped:
        """Wait until the screen has settled."""
        return self._row(settled(self._device), action, key)

    def passing(self, action: Action, key: str) -> Tapped:
        """Look at once."""
        return self._row(self._device.observe(), action, key, settled=False)

    def _row(self, seen: Observation, action: Action | None, key: str, *, settled: bool = True) -> Tapped:
        seen = self._pictured(seen, settled)
        label = self._device.label(seen.seen_at)
        return Tapped(seen, label, self._causes(seen.screen, label, settled), action, key, settled)

    def _pictured(self, seen: Observation, settled: bool) -> Observation:
        """Add the picture; one is taken of each screen, in light and in dark, since it costs the most."""
        session = self._device.session(self._app)
        key = seen.screen, bool(session.vars.get("dark"))
        if key not in self._pictures:
            taken = self._device.observe(pixels=True)
            if taken.screen != seen.screen:
                return taken if settled else seen  # A clock went on, or what was loading is there.
            self._pictures[key] = taken
        known = self._pictures[key]
        return replace(seen, image=known.image, image_status=known.image_status)

    def _causes(self, screen: Screen, label: str, settled: bool) -> tuple[str, ...]:
        session = self._device.session(self._app)
        scrolled = bool(session.stack) and any(session.base.scroll.values())
        found = {
            "scroll": scrolled,
            "keyboard": screen.keyboard,
            "overlay": "+" in label,
            "loading": not settled,
            "theme": bool(session.vars.get("dark")),
            "missing tree": screen.quality is not TreeQuality.FULL,
        }
        rows = _rows(screen)
        listed = rows != self._first.setdefault(label, rows) and not scrolled and settled
        found["list"] = listed and not found["missing tree"]
        return tuple(c for c, holds in found.items() if holds)


def _rows(screen: Screen) -> frozenset[str]:
    """Return what the rows of lists say."""
    held = (e for item in screen.visible() if item.role is Role.ITEM for e in item.walk())
    return frozenset(e.label for e in held if e.label)
