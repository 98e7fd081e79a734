"""One stream of a transport: what a service reads and writes, with the protocol's flow control beneath."""

import threading
from collections import deque
from collections.abc import Callable

from waypost.adapters.phone.packets import Kind, Packet

__all__ = ["Stream", "StreamClosed"]

_AHEAD = 64
"""Payloads that may lie unread; a peer that keeps to the protocol sends one."""


class StreamClosed(Exception):
    """The other side has gone; nothing more can be written, and nobody waits for it."""


class Stream:
    """A pair of ids, an inbox, and one write that is not yet acknowledged."""

    def __init__(self, local: int, remote: int, send: Callable[[Packet], None], limit: int) -> None:
        self.local = local
        self.remote = remote
        self.gone = threading.Event()
        """Set once the stream is closed from either side; whatever waits, waits on this too."""
        self._send = send
        self._limit = limit
        self._inbox: deque[bytes] = deque()
        self._spare = b""
        self._changed = threading.Condition()
        self._ready = True
        self._ended = False

    # What the transport calls.

    def arrived(self, data: bytes) -> None:
        """Take a payload; it is acknowledged once somebody reads it."""
        with self._changed:
            if len(self._inbox) >= _AHEAD:
                self._ended = True  # A peer that does not wait to be asked is not followed.
                self.gone.set()
            else:
                self._inbox.append(data)
            self._changed.notify_all()

    def acknowledged(self) -> None:
        """Let the next write go."""
        with self._changed:
            self._ready = True
            self._changed.notify_all()

    def drop(self) -> None:
        """Close without a word: the peer said so, or is no more."""
        with self._changed:
            self._ended = True
            self.gone.set()
            self._changed.notify_all()

    # What a service calls.

    def accept(self) -> None:
        """Tell the peer that the service is there."""
        self._send(Packet(Kind.OKAY, self.local, self.remote))

    def read(self) -> bytes:
        """Return the next bytes, waiting for them; empty at the end."""
        if self._spare:
            data, self._spare = self._spare, b""
            return data
        with self._changed:
            self._changed.wait_for(lambda: self._inbox or self._ended)
            if not self._inbox:
                return b""
            data = self._inbox.popleft()
            ended = self._ended
        if not ended:
            self._send(Packet(Kind.OKAY, self.local, self.remote))
        return data

    def exactly(self, count: int) -> bytes:
        """Return `count` bytes. Raises StreamClosed where the peer ends before."""
        parts, have = [], 0
        while have < count:
            data = self.read()
            if not data:
                raise StreamClosed("the peer ended in the middle")
            parts.append(data)
            have += len(data)
        whole = b"".join(parts)
        self._spare = whole[count:] + self._spare
        return whole[:count]

    def write(self, data: bytes) -> None:
        """Send all of it, as fast as the peer acknowledges. Raises StreamClosed."""
        view = memoryview(data)
        for at in range(0, len(view), self._limit):
            with self._changed:
                self._changed.wait_for(lambda: self._ready or self._ended)
                if self._ended:
                    raise StreamClosed("the peer closed the stream")
                self._ready = False
            self._send(Packet(Kind.WRTE, self.local, self.remote, bytes(view[at : at + self._limit])))

    def drained(self) -> None:
        """Wait until the last write was acknowledged, or the peer has gone."""
        with self._changed:
            self._changed.wait_for(lambda: self._ready or self._ended)
