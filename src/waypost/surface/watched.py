"""A device whose every action is told, and before which the teller may stop it."""

from collections.abc import Callable

from waypost.adapters.through import Through
from waypost.guidance import describe
from waypost.model import Action, Wait
from waypost.protocols import Device

__all__ = ["Watched"]


class Watched(Through):
    """Wraps a device; `tell` gets the actions so far, waits left out, and the next one; it may raise."""

    def __init__(self, device: Device, tell: Callable[[int, str], None]) -> None:
        super().__init__(device)
        self._tell = tell
        self.actions = 0

    def perform(self, action: Action) -> None:
        self._tell(self.actions, describe(action))
        self._device.perform(action)
        self.actions += not isinstance(action, Wait)

    def restart(self, app: str = "") -> None:
        self._tell(self.actions, "start the app anew")
        self._device.restart(app)
        self.actions += 1
