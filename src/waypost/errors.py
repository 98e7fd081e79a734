"""What can break, as opposed to what can merely turn out badly.

    WaypostError
    ├── Cancelled            the caller took back what it had asked for
    ├── DeviceError          the phone or browser did not answer, or refused an action
    │   ├── TreeError        what was given for a screen's tree is in no known form
    │   └── UnknownOutcome   a recording was asked for something that was never tried on it
    ├── MapError             a map on disk is missing, torn, or of another version
    ├── ModelError           a model could not be reached or loaded
    │   ├── BusyError        the endpoint is overloaded, down, or slow; later it may answer
    │   └── ReplyError       a model's reply did not fit the shape that was asked for
    └── UsageError           what the user asked for makes no sense; the message says the cure

A page that was not reached, a plan that does not exist, a step budget that ran out: these are
values (`StopReason`, `PlanStatus`, `Verdict`), never exceptions.
"""

__all__ = [
    "BusyError",
    "Cancelled",
    "DeviceError",
    "MapError",
    "ModelError",
    "ReplyError",
    "TreeError",
    "UnknownOutcome",
    "UsageError",
    "WaypostError",
]


class WaypostError(Exception):
    """Base of every error that this package raises on purpose."""


class Cancelled(WaypostError):
    """The caller took back what it had asked for; what was done so far is kept."""


class DeviceError(WaypostError):
    """The device did not answer, or refused an action."""


class TreeError(DeviceError):
    """What was given for a screen's tree is in no known form."""


class UnknownOutcome(DeviceError):
    """A recording was asked for an action that was never tried on it."""


class MapError(WaypostError):
    """A map on disk cannot be read as one."""


class ModelError(WaypostError):
    """A model could not be reached or loaded."""


class BusyError(ModelError):
    """The endpoint is overloaded, down, or slow: asked again later, it may answer."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after
        """Seconds that the endpoint asks to wait; None where it does not say."""


class ReplyError(ModelError):
    """A language model's reply did not fit the shape that was asked for."""


class UsageError(WaypostError):
    """What the user asked for makes no sense; the message names the cure."""
