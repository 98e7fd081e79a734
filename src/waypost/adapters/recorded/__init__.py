"""Recordings played as a phone: a folder or file of somebody's run in, a `Device` out."""

from waypost.adapters.recorded.device import RecordedDevice
from waypost.adapters.recorded.load import load_recording
from waypost.adapters.recorded.recording import Move, Recording, recording_of

__all__ = ["Move", "RecordedDevice", "Recording", "load_recording", "recording_of"]
