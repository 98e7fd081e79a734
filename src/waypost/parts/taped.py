"""Whatever drives a device is taken down: a device in, the episode of what was done to it out."""

from waypost.adapters.through import Through
from waypost.mapping.settle import settled
from waypost.model import Action, Decision, Episode, Observation, Step, StopReason, Task, Wait
from waypost.protocols import Device

__all__ = ["Taped"]


class Taped(Through):
    """Wraps a device; a restart begins a new episode."""

    def __init__(self, device: Device) -> None:
        super().__init__(device)
        self._steps: list[Step] = []
        self._last: Observation | None = None

    def observe(self, *, pixels: bool = False) -> Observation:
        self._last = self._device.observe(pixels=pixels)
        return self._last

    def perform(self, action: Action) -> None:
        # Waiting is no way anywhere: the look after it is the one that is acted on.
        if not isinstance(action, Wait):
            before = self._last or settled(self._device)
            self._steps.append(Step(before, Decision(action)))
            self._last = None
        self._device.perform(action)

    def restart(self, app: str = "") -> None:
        self._device.restart(app)
        self._steps, self._last = [], None

    def episode(self, name: str, *, pixels: bool = False) -> Episode:
        """Return what was done since the last restart, as a run that arrived: a person knows the way."""
        final = settled(self._device, pixels=pixels)
        return Episode(Task(name, "", name), tuple(self._steps), final, StopReason.ARRIVED, claimed=True)
