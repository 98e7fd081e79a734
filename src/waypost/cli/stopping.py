"""Signals in, an event out: how a command that serves is told to stop."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["told_to_stop"]


@contextmanager
def told_to_stop() -> Iterator[threading.Event]:
    """Give an event that is set by SIGINT and SIGTERM; what they did before is put back."""
    stop = threading.Event()

    def told(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = {s: signal.signal(s, told) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
