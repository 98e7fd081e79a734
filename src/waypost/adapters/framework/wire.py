"""A question in, an answer out: one JSON object a line, to the phone that `worlds/*/run` started."""

import contextlib
import json
import re
import socket
from typing import Any

from waypost.errors import DeviceError, UsageError

__all__ = ["Wire"]

_SLOW = 120.0
"""Seconds; the first look at a screen loads the classes of everything on it."""


class Wire:
    """One conversation, begun when something is asked first."""

    def __init__(self, address: str) -> None:
        found = re.fullmatch(r"(?:(127(?:\.\d{1,3}){3}|localhost|\[::1\]):)?(\d{1,5})", address)
        if found is None or not 0 < int(found[2]) < 65536:
            raise UsageError(f"{address!r} is no address of a phone on a JVM; give framework:127.0.0.1:PORT")
        self.host, self.port = (found[1] or "127.0.0.1").strip("[]"), int(found[2])
        self._socket: socket.socket | None = None
        self._rest = b""

    def ask(self, do: str, **what: Any) -> dict[str, Any]:
        """Have something done, and return what came of it. Raises DeviceError."""
        try:
            open_at = self._opened()
            open_at.sendall(json.dumps({"do": do, **what}).encode() + b"\n")
            answer = json.loads(self._line(open_at))
        except (OSError, ValueError) as e:
            self.close()
            cure = "start one: worlds/apidemos/run"
            raise DeviceError(f"No phone on a JVM answers at {self.host}:{self.port}: {e}; {cure}") from e
        if not isinstance(answer, dict):
            self.close()
            raise DeviceError(f"What answers at {self.host}:{self.port} is no phone on a JVM")
        if "error" in answer:
            raise DeviceError(f"The phone could not {do}: {str(answer['error'])[:300]}")
        return answer

    def close(self) -> None:
        """Hang up; calling it twice does no harm."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.close()
        self._socket, self._rest = None, b""

    def _opened(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.create_connection((self.host, self.port), timeout=_SLOW)
        return self._socket

    def _line(self, open_at: socket.socket) -> bytes:
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            part = open_at.recv(1 << 16)
            if not part:
                raise ConnectionResetError("it hung up")
            parts.append(part)
        line, _, self._rest = b"".join(parts).partition(b"\n")
        return line
