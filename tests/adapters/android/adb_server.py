"""An adb server in this process, as its clients see it: phones by serial in, an address out."""

import contextlib
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator, Mapping

__all__ = ["serving"]

Phones = Mapping[str, Callable[[str], bytes] | str]
"""What runs a command line of each phone; a word instead is the state of one that cannot be driven."""


class _Client(socketserver.StreamRequestHandler):
    server: "_Server"

    def handle(self) -> None:
        phone: Callable[[str], bytes] | None = None
        while asked := self._asked():
            if asked.startswith("host:transport:"):
                phone = self._transported(asked.removeprefix("host:transport:"))
            elif phone is not None and asked.startswith("exec:"):
                self.wfile.write(b"OKAY" + phone(asked.removeprefix("exec:")))
                return
            else:
                self._answered(asked)
                return

    def _answered(self, asked: str) -> None:
        there = self.server.phones
        if asked == "host:version":
            self._told("0029")
        elif asked in ("host:devices", "host:devices-l"):
            rows = (f"{s}\t{p if isinstance(p, str) else 'device'}" for s, p in there.items())
            self._told("\n".join(rows) + "\n")
        elif asked.startswith("host:connect:"):
            serial = asked.removeprefix("host:connect:")
            if found := self.server.connectable.get(serial):
                there[serial] = found
            self._told(f"connected to {serial}" if found else f"failed to connect to {serial}")
        else:
            self._failed(f"unknown service {asked}")

    def _transported(self, serial: str) -> Callable[[str], bytes] | None:
        found = self.server.phones.get(serial)
        if found is None:
            self._failed(f"device '{serial}' not found")
        elif isinstance(found, str):
            self._failed(f"device {found}.")
        else:
            self.wfile.write(b"OKAY")
            return found
        return None

    def _asked(self) -> str:
        size = self.rfile.read(4)
        return self.rfile.read(int(size, 16)).decode() if len(size) == 4 else ""

    def _told(self, text: str) -> None:
        self.wfile.write(b"OKAY" + f"{len(text.encode()):04x}{text}".encode())

    def _failed(self, why: str) -> None:
        self.wfile.write(b"FAIL" + f"{len(why):04x}{why}".encode())


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    address_family = socket.AF_INET

    def __init__(self, phones: Phones, connectable: Phones) -> None:
        self.phones = dict(phones)
        self.connectable = dict(connectable)
        super().__init__(("127.0.0.1", 0), _Client)


@contextlib.contextmanager
def serving(phones: Phones, connectable: Phones | None = None) -> Iterator[int]:
    """Serve phones on a port of loopback; `connectable` are there after a `connect`."""
    with _Server(phones, connectable or {}) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
            thread.join()
