"""A person taps through an app on a page on loopback, and what was tapped becomes a map."""

from waypost.surface.record.http import serve_record
from waypost.surface.record.recorder import Recorder, RecordRequest

__all__ = ["RecordRequest", "Recorder", "serve_record"]
