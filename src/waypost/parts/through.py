"""A device seen through another: what a wrapper does not do itself, the device inside does."""

from waypost.model import Action, Observation
from waypost.protocols import Device

__all__ = ["Through"]


class Through:
    """Passes everything on; a wrapper says only what it does otherwise."""

    def __init__(self, device: Device) -> None:
        self._device = device

    @property
    def name(self) -> str:
        return self._device.name

    @property
    def settles(self) -> bool:
        """Whether the device inside waits by itself until its screen is at rest."""
        return bool(getattr(self._device, "settles", False))

    def observe(self, *, pixels: bool = False) -> Observation:
        return self._device.observe(pixels=pixels)

    def perform(self, action: Action) -> None:
        self._device.perform(action)

    def restart(self, app: str = "") -> None:
        self._device.restart(app)

    def close(self) -> None:
        self._device.close()
