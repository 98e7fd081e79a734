"""The tree of what a phone shows, by whichever way it can be had: a shell in, a `Parsed` out.

Each rung is judged by what it printed, never by an exit code: a phone may fail with code 0 and
succeed with another.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from waypost.adapters.android.shell import PATIENCE, Late, Shell
from waypost.adapters.trees import Dialect, Dump, Parsed, parse
from waypost.errors import DeviceError
from waypost.model import TreeQuality

__all__ = ["BUSY", "Helper", "Ladder", "Rung"]

BUSY = 20.0
"""Seconds for which a screen that gave no tree is not asked for one again by the same rung."""

_NO_TERMINAL = (Dump.REFUSED, Dump.UNREADABLE, Dump.EMPTY)

Helper = Callable[[], str]
"""Another program's dump, such as uiautomator2's; asked only where the user wants it."""


class Rung(StrEnum):
    NORMAL = "normal"
    COMPRESSED = "compressed"
    """Leaves out what carries no meaning; works where an animation never ends."""
    HELPER = "helper"
    PIXELS = "pixels"
    """There is no tree: the screen is a picture only."""


@dataclass(frozen=True, slots=True)
class _Memory:
    rung: Rung
    until: float


class Ladder:
    """Asks for trees, and remembers for a while which screens do not give theirs easily."""

    def __init__(self, shell: Shell, clock: Callable[[], float], helper: Helper | None = None) -> None:
        self._shell = shell
        self._clock = clock
        self._helper = helper
        self._streams = True
        self._count = 0
        self._memory: dict[str, _Memory] = {}
        self.rung = Rung.NORMAL
        """The rung that the last tree came by."""

    def tree(self, screen: str, size: tuple[int, int], ime: str = "") -> Parsed:
        """Return the tree of the screen in front, which `screen` names. Raises DeviceError."""
        best: Parsed | None = None
        for rung in self._rungs(screen):
            found = self._climbed(rung, size, ime)
            if found.fault is Dump.TAKEN and rung is not Rung.HELPER and self._helper is None:
                raise DeviceError(
                    "Another program holds the phone's UiAutomation, so that its screen cannot be read; "
                    "`waypost doctor` names it"
                )
            if best is None or _rank(found) > _rank(best):
                best, self.rung = found, rung
            if found.screen.quality is TreeQuality.FULL:
                break
        if best is None or best.screen.quality is TreeQuality.NONE:
            self.rung = Rung.PIXELS
        self._remember(screen)
        return best or parse("ERROR: could not get idle state.", size=size)

    def _rungs(self, screen: str) -> list[Rung]:
        known = self._memory.get(screen)
        if known is not None and self._clock() < known.until:
            return [known.rung] if known.rung is not Rung.PIXELS else []
        return [Rung.NORMAL, Rung.COMPRESSED, *([Rung.HELPER] if self._helper else [])]

    def _remember(self, screen: str) -> None:
        known = self._memory.get(screen)
        if self.rung is Rung.NORMAL:
            self._memory.pop(screen, None)
        elif known is None or self._clock() >= known.until or known.rung is not self.rung:
            if len(self._memory) > 200:
                self._memory.clear()
            self._memory[screen] = _Memory(self.rung, self._clock() + BUSY)

    def _climbed(self, rung: Rung, size: tuple[int, int], ime: str) -> Parsed:
        """Ask one rung; a tree that flapped away is asked for once more."""
        found = self._asked(rung, size, ime)
        if found.fault in (Dump.NO_WINDOW, Dump.EMPTY):
            found = self._asked(rung, size, ime)
        return found

    def _asked(self, rung: Rung, size: tuple[int, int], ime: str) -> Parsed:
        if rung is Rung.HELPER and self._helper is not None:
            try:
                return parse(self._helper(), size=size, ime=ime)
            except DeviceError:
                return parse("", size=size)  # A second reader that fails leaves the picture.
        flags = ["--compressed"] if rung is Rung.COMPRESSED else []
        try:
            if self._streams:
                printed = self._shell.run(["uiautomator", "dump", *flags, "/dev/tty"], seconds=PATIENCE)
                found = parse(printed, size=size, ime=ime)
                if found.dialect is not Dialect.UNKNOWN or found.fault not in _NO_TERMINAL:
                    return found
                # Some phones have no terminal to write to: a file does there.
                self._streams = False
            filed = parse(self._filed(flags), size=size, ime=ime)
        except Late:
            return parse("ERROR: could not get idle state.", size=size)
        return filed

    def _filed(self, flags: list[str]) -> bytes:
        """Dump to a file of a name that was never used, so that what is read was written now."""
        self._count += 1
        path = f"/data/local/tmp/waypost-{os.getpid()}-{self._count}.xml"
        return self._shell.run(
            ["rm", "-f", path],
            ["uiautomator", "dump", *flags, path],
            ["cat", path],
            ["rm", "-f", path],
            seconds=PATIENCE,
        )


def _rank(found: Parsed) -> tuple[int, int]:
    order = (TreeQuality.NONE, TreeQuality.PARTIAL, TreeQuality.FULL)
    return order.index(found.screen.quality), sum(1 for _ in found.screen.walk())
