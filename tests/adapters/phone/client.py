"""A small adb client of our own over a socket, and a served phone to speak with."""

import re
import socket
import struct
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType

from waypost.adapters.phone import App, HandsetConfig, Phone
from waypost.adapters.phone.packets import MAX_DATA, UNCHECKED, Kind, Packet, pack, read_packet
from waypost.adapters.pocket.load import apps, load
from waypost.protocols import Device

__all__ = ["Client", "Line", "Said", "centre", "node", "pocket_config", "served"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a command answered by shell protocol v2."""

    out: str
    err: str
    code: int


class Client:
    """One connection. Reads only when asked to, so that a test decides what comes when."""

    def __init__(self, port: int, *, version: int = UNCHECKED, most: int = MAX_DATA) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), 30)
        self.checked = True
        self._next = 1
        self._lines: dict[int, Line] = {}
        self.send(Packet(Kind.CNXN, version, most, b"host::features=shell_v2,cmd\0"))
        self.checked = version < UNCHECKED
        self.hello = self.receive()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.sock.close()

    def send(self, packet: Packet) -> None:
        self.sock.sendall(pack(packet, checked=self.checked))

    def receive(self) -> Packet:
        def exactly(count: int) -> bytes:
            data = b""
            while len(data) < count:
                part = self.sock.recv(count - len(data))
                if not part:
                    raise EOFError
                data += part
            return data

        return read_packet(exactly, checked=self.checked)

    def open(self, destination: str) -> "Line":
        """Ask for a service; `Line.refused` tells where there is none."""
        line = Line(self, self._next)
        self._lines[self._next] = line
        self._next += 1
        self.send(Packet(Kind.OPEN, line.local, 0, destination.encode() + b"\0"))
        while not line.remote and not line.ended:
            self.turn()
        return line

    def turn(self) -> None:
        """Take one packet, and give it to the line that it is for."""
        packet = self.receive()
        line = self._lines.get(packet.arg1)
        if line is not None:
            line.take(packet)

    def run(self, destination: str) -> bytes:
        """Open, read to the end, close."""
        return self.open(destination).everything()

    def shell(self, command: str) -> Said:
        """Run a command by shell protocol v2."""
        data = self.run(f"shell,v2,raw:{command}")
        parts: dict[int, bytes] = {}
        while data:
            kind, length = struct.unpack("<BI", data[:5])
            parts[kind] = parts.get(kind, b"") + data[5 : 5 + length]
            data = data[5 + length :]
        return Said(parts.get(1, b"").decode(), parts.get(2, b"").decode(), parts.get(3, b"\xff")[0])

    def tree(self) -> ET.Element:
        """Return the screen as `uiautomator dump` writes it."""
        text = self.shell("uiautomator dump /dev/tty").out
        return ET.fromstring(text[: text.rindex("</hierarchy>") + len("</hierarchy>")])


class Line:
    """One stream as the client sees it."""

    def __init__(self, client: Client, local: int) -> None:
        self.local = local
        self.remote = 0
        self.refused = False
        self.ended = False
        self.acknowledged = 0
        self.data = b""
        self._client = client

    def take(self, packet: Packet) -> None:
        match packet.kind:
            case Kind.OKAY:
                self.acknowledged += bool(self.remote)
                self.remote = packet.arg0
            case Kind.WRTE:
                self.data += packet.data
                self._client.send(Packet(Kind.OKAY, self.local, self.remote))
            case Kind.CLSE:
                self.refused = not self.remote
                self.ended = True

    def write(self, data: bytes) -> None:
        self._client.send(Packet(Kind.WRTE, self.local, self.remote, data))

    def close(self) -> None:
        self._client.send(Packet(Kind.CLSE, self.local, self.remote))

    def until(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        while len(self.data) < count:
            if self.ended:
                raise EOFError
            self._client.turn()
        data, self.data = self.data[:count], self.data[count:]
        return data

    def everything(self) -> bytes:
        while not self.ended:
            self._client.turn()
        data, self.data = self.data, b""
        return data


@contextmanager
def served(
    device: Device, config: HandsetConfig | None = None, notes: list[str] | None = None
) -> Iterator[Phone]:
    """Serve a device on a free port, and see that nothing of it is left afterwards."""
    noted = (notes if notes is not None else []).append
    with Phone(device, config, port=0, note=noted) as phone:
        yield phone
    assert phone.server.connections == 0
    assert phone.server.streams == 0


def pocket_config() -> HandsetConfig:
    """What `waypost phone pocket` says of itself."""
    return HandsetConfig("pocket", tuple(App(load(a).package, "0.1.0") for a in apps()), True)


def node(tree: ET.Element, **wanted: str) -> ET.Element:
    """Return the node whose attributes are as wanted; `content_desc` stands for `content-desc`."""
    found = [
        n for n in tree.iter("node") if all(n.get(k.replace("_", "-"), "") == v for k, v in wanted.items())
    ]
    assert found, f"no node {wanted}"
    return found[0]


def centre(element: ET.Element) -> tuple[int, int]:
    left, top, right, bottom = map(int, re.findall(r"-?\d+", element.get("bounds", "")))
    return (left + right) // 2, (top + bottom) // 2
