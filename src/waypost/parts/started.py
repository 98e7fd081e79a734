"""A device that is brought to its start state after every restart: past a login, past a welcome."""

from waypost.exploration import StartRecipe
from waypost.mapping.settle import settled
from waypost.model import Action, Observation
from waypost.protocols import Device

__all__ = ["Started"]


class Started:
    """Wraps a device; `restart` also runs the recipe where its gate shows."""

    def __init__(self, device: Device, recipe: StartRecipe) -> None:
        self._device, self._recipe = device, recipe

    @property
    def name(self) -> str:
        return self._device.name

    @property
    def settles(self) -> bool:
        return bool(getattr(self._device, "settles", False))

    def observe(self, *, pixels: bool = False) -> Observation:
        return self._device.observe(pixels=pixels)

    def perform(self, action: Action) -> None:
        self._device.perform(action)

    def restart(self, app: str = "") -> None:
        self._device.restart(app)
        look = settled(self._device)
        if not self._recipe.shows(look.screen):
            return
        for step in range(len(self._recipe.steps)):
            action = self._recipe.action(step, look.screen)
            if action is not None:
                self._device.perform(action)
                look = settled(self._device)

    def close(self) -> None:
        self._device.close()
