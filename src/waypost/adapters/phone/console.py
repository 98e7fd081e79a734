"""What a program on the phone reads and writes: a stream in, stdin, stdout and stderr out.

Three ways to carry them: raw bytes with stderr mixed in (`shell:`, `exec:`), the packets of shell protocol
v2 (`shell,v2:`), and a terminal that echoes what is typed (`shell,v2,pty:` and `shell:` without a command).
"""

import struct
from collections.abc import Callable
from typing import Protocol

from waypost.adapters.phone.streams import Stream, StreamClosed

__all__ = ["Console", "PacketConsole", "RawConsole", "Terminal", "interactive"]

STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN, RESIZE = range(6)


class Console(Protocol):
    """Where a program's words go, and where its input comes from."""

    def read(self) -> bytes:
        """Return some input, waiting for it; empty at the end."""
        ...

    def out(self, data: bytes) -> None: ...

    def err(self, data: bytes) -> None: ...

    def finish(self, code: int) -> None: ...


class RawConsole:
    """Bytes as they come; the exit code is not told."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def read(self) -> bytes:
        return self._stream.read()

    def out(self, data: bytes) -> None:
        self._stream.write(data)

    def err(self, data: bytes) -> None:
        self._stream.write(data)

    def finish(self, code: int) -> None:
        pass


class PacketConsole:
    """Shell protocol v2: one byte of id, four of length, then the data."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._ended = False

    def read(self) -> bytes:
        while not self._ended:
            try:
                kind, length = struct.unpack("<BI", self._stream.exactly(5))
                if length > 1 << 20:
                    self._ended = True
                    break
                data = self._stream.exactly(length)
            except StreamClosed:
                break
            if kind == CLOSE_STDIN:
                self._ended = True
            elif kind == STDIN and data:
                return data
        return b""

    def out(self, data: bytes) -> None:
        self._packet(STDOUT, data)

    def err(self, data: bytes) -> None:
        self._packet(STDERR, data)

    def finish(self, code: int) -> None:
        self._packet(EXIT, bytes([code & 0xFF]))

    def _packet(self, kind: int, data: bytes) -> None:
        self._stream.write(struct.pack("<BI", kind, len(data)) + data)


class Terminal:
    """A console with a person in front: input is echoed and comes by lines, output gets its returns."""

    def __init__(self, inner: Console) -> None:
        self._inner = inner
        self._line = bytearray()
        self._lines: list[bytes] = []
        self._ended = False

    def read(self) -> bytes:
        while not self._lines and not self._ended:
            data = self._inner.read()
            if not data:
                self._ended = True
            for byte in data:
                self._key(byte)
        return self._lines.pop(0) if self._lines else b""

    def _key(self, byte: int) -> None:
        match byte:
            case 0x0D | 0x0A:
                self._take(b"\n")
            case 0x03:  # Control-C
                self._line.clear()
                self._inner.out(b"^C")
                self._take(b"\n")
            case 0x04:  # Control-D
                if not self._line:
                    self._ended = True
            case 0x7F | 0x08:
                if self._line:
                    while len(self._line) > 1 and self._line[-1] & 0xC0 == 0x80:
                        self._line.pop()
                    self._line.pop()
                    self._inner.out(b"\b \b")
            case _ if byte >= 0x20:
                self._line.append(byte)
                self._inner.out(bytes([byte]))

    def _take(self, end: bytes) -> None:
        self._inner.out(b"\r\n")
        self._lines.append(bytes(self._line) + end)
        self._line.clear()

    def out(self, data: bytes) -> None:
        self._inner.out(data.replace(b"\n", b"\r\n"))

    def err(self, data: bytes) -> None:
        self.out(data)

    def finish(self, code: int) -> None:
        self._inner.finish(code)


def interactive(console: Console, run: Callable[[str], int], prompt: bytes) -> int:
    """Read lines and run each until the input ends or says `exit`; returns the last exit code."""
    code = 0
    console.out(prompt)
    pending = b""
    while data := console.read():
        pending += data
        *lines, pending = pending.split(b"\n")
        for line in lines:
            words = line.decode("utf-8", "replace").strip()
            if words.split()[:1] == ["exit"]:
                return code
            if words:
                code = run(words)
            console.out(prompt)
    if pending.strip():
        code = run(pending.decode("utf-8", "replace"))
    return code
