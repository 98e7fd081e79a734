"""An agent with device tools of its own: pocket driven by words, its screen passed on as a dump."""

import json
from typing import Any

from waypost.adapters.looks import write_look
from waypost.adapters.phone.hierarchy import hierarchy
from waypost.adapters.pocket import PocketDevice
from waypost.mapping import controls, settled
from waypost.model import Screen

__all__ = ["OwnDevice"]


class OwnDevice:
    """A phone that only the agent can touch."""

    def __init__(self, app: str) -> None:
        self._device = PocketDevice(app)

    def screen(self) -> Screen:
        return settled(self._device).screen

    def xml(self) -> str:
        """Give the screen as `uiautomator dump` writes it."""
        screen = self.screen()
        return hierarchy(screen, screen.app)

    def tap(self, label: str) -> None:
        control = next(c for c in controls(self.screen()) if c.label == label)
        self._device.perform(control.action)

    def neutral(self, folder: Any) -> dict[str, Any]:
        """Give the screen as neutral JSON."""
        path = write_look(folder, "look", settled(self._device))
        row = json.loads(path.read_text(encoding="utf-8"))
        assert isinstance(row, dict)
        return row
