"""The embedded phone: apps declared in YAML, laid out, rendered and played as a `Device`."""

from waypost.adapters.pocket.device import HazardDone, PocketDevice
from waypost.adapters.pocket.faults import Faults
from waypost.adapters.pocket.frames import Frames
from waypost.adapters.pocket.load import apps, load, load_file

__all__ = ["Faults", "Frames", "HazardDone", "PocketDevice", "apps", "load", "load_file"]
