"""A device seen through another: what a wrapper does not do itself, the device inside does."""

from typing import Any

from waypost.model import Action, Observation
from waypost.protocols import Device

__all__ = ["Through"]


class Through:
    """Passes everything on, also what only some devices can do; a wrapper says what it does otherwise."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # While it is copied or unpickled there is no device inside yet.
            raise AttributeError(name)
        return getattr(self._device, name)

    @property
    def name(self) -> str:
        return self._device.name

    def observe(self, *, pixels: bool = False) -> Observation:
        return self._device.observe(pixels=pixels)

    def perform(self, action: Action) -> None:
        self._device.perform(action)

    def restart(self, app: str = "") -> None:
        self._device.restart(app)

    def close(self) -> None:
        self._device.close()
