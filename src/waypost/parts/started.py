"""A device that is brought to its start state after every restart: past a login, past a welcome."""

from waypost.adapters.through import Through
from waypost.exploration import StartRecipe
from waypost.mapping.settle import settled
from waypost.protocols import Device

__all__ = ["Started"]


class Started(Through):
    """Wraps a device; `restart` also runs the recipe where its gate shows."""

    def __init__(self, device: Device, recipe: StartRecipe) -> None:
        super().__init__(device)
        self._recipe = recipe

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
