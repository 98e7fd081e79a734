"""A device with the faults that real ones have: a device and its mishaps in, the same one, worse, out.

For tests and rehearsals: what Waypost promises under each fault is in docs/reliability.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from waypost.errors import DeviceError
from waypost.model import Action, Observation
from waypost.protocols import Device

__all__ = ["FaultyDevice", "Mishaps"]


@dataclass(frozen=True, slots=True)
class Mishaps:
    """What goes wrong, and when; actions and looks are counted from 1."""

    lost_before: frozenset[int] = frozenset()
    """Actions before which the device is gone: they are not done."""
    lost_after: frozenset[int] = frozenset()
    """Actions in the middle of which the device is gone: they are done, and nobody is told."""
    blind: frozenset[int] = frozenset()
    """Looks that fail."""
    late_tree: frozenset[int] = frozenset()
    """Actions after which the tree of before is shown once more, with the picture of now."""
    late_picture: bool = False
    """Each picture is of the look before, under the tree of now."""
    clock: Callable[[int], float] | None = None
    """Seconds by which the clock is wrong at each look."""
    update_at: int = 0
    """The action before which the app is replaced by the one of `updated`; 0 for never."""


class FaultyDevice:
    """Wraps a device; whatever else it can do, the one inside does."""

    def __init__(self, inner: Device, mishaps: Mishaps, updated: Device | None = None) -> None:
        self._inner, self._mishaps, self._updated = inner, mishaps, updated
        self.actions = self.looks = 0
        self._shown: Observation | None = None
        self._picture = b""
        self._late: Observation | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    @property
    def name(self) -> str:
        return self._inner.name

    def observe(self, *, pixels: bool = False) -> Observation:
        self.looks += 1
        if self.looks in self._mishaps.blind:
            raise DeviceError("The device does not answer (a fault that was asked for)")
        seen = self._inner.observe(pixels=pixels)
        if self._late is not None:
            seen, self._late = replace(seen, screen=self._late.screen), None
        if self._mishaps.late_picture and seen.image:
            seen, self._picture = replace(seen, image=self._picture or seen.image), seen.image
        if self._mishaps.clock is not None:
            seen = replace(seen, seen_at=seen.seen_at + self._mishaps.clock(self.looks))
        self._shown = seen
        return seen

    def perform(self, action: Action) -> None:
        self.actions += 1
        if self.actions == self._mishaps.update_at and self._updated is not None:
            # An update stops the app; it comes back at its start.
            self._inner.close()
            self._inner = self._updated
            self._inner.restart()
        if self.actions in self._mishaps.lost_before:
            raise DeviceError("The device is gone (a fault that was asked for)")
        self._inner.perform(action)
        if self.actions in self._mishaps.late_tree:
            self._late = self._shown
        if self.actions in self._mishaps.lost_after:
            raise DeviceError("The device is gone (a fault that was asked for)")

    def restart(self, app: str = "") -> None:
        self._inner.restart(app)

    def close(self) -> None:
        self._inner.close()
