"""The phone's door: a port in, ADB connections served out, each on a thread of its own."""

import contextlib
import errno
import socket
import threading
from collections.abc import Callable

from waypost.adapters.phone.transport import Services, Transport
from waypost.errors import UsageError

__all__ = ["Server"]

_CONNECTIONS = 32
"""adb servers that are answered at a time; each serves any number of clients."""


class Server:
    """Listens once started. Use it as a context manager, or close it."""

    def __init__(
        self,
        banner: bytes,
        services: Services,
        *,
        host: str = "127.0.0.1",
        port: int = 5555,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.host = host
        self.port = port
        self._banner = banner
        self._services = services
        self._note = note
        self._listener: socket.socket | None = None
        self._threads: dict[Transport, threading.Thread] = {}
        self._changed = threading.Condition()
        self._accepting: threading.Thread | None = None

    def start(self) -> None:
        """Listen, on any free port where `port` is 0. Raises UsageError where it is taken."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((self.host, self.port))
            listener.listen(16)
        except (OSError, OverflowError) as e:
            listener.close()
            raise UsageError(_refused(self.host, self.port, e)) from e
        self.port = int(listener.getsockname()[1])
        self._listener = listener
        self._accepting = threading.Thread(
            target=self._accept, args=(listener,), name="waypost-phone-door", daemon=True
        )
        self._accepting.start()

    def close(self) -> None:
        """Stop listening and end every connection; calling it twice does no harm."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        if self._accepting is not None:
            self._accepting.join()
        with self._changed:
            held = dict(self._threads)
        for transport in held:
            transport.close()
        for thread in held.values():
            thread.join()

    @property
    def connections(self) -> int:
        """How many adb servers are connected."""
        return len(self._threads)

    @property
    def streams(self) -> int:
        """How many streams are open, over all connections."""
        with self._changed:
            return sum(t.streams for t in self._threads)

    def alone(self, seconds: float = 10.0) -> bool:
        """Wait until nobody is connected; False where somebody still is after `seconds`."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._threads, seconds)

    def quiet(self, seconds: float = 10.0) -> bool:
        """Wait until no stream is served; False where one still is after `seconds`."""
        with self._changed:
            return self._changed.wait_for(lambda: not any(t.streams for t in self._threads), seconds)

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                conn, _ = listener.accept()
            except OSError:
                return  # Closed.
            conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            conn.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            transport = Transport(conn, self._banner, self._services, self._note, self._tell)
            thread = threading.Thread(
                target=self._serve, args=(transport,), name="waypost-phone-connection", daemon=True
            )
            with self._changed:
                full = len(self._threads) >= _CONNECTIONS
                if not full:
                    self._threads[transport] = thread
            if full:
                self._note(f"a connection was refused: {_CONNECTIONS} are open")
                transport.close()
                continue
            thread.start()

    def _serve(self, transport: Transport) -> None:
        try:
            transport.serve()
        finally:
            with self._changed:
                self._threads.pop(transport, None)
                self._changed.notify_all()


def _refused(host: str, port: int, error: Exception) -> str:
    code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        return f"Port {port} on {host} is taken; choose another with --port, or 0 for any that is free"
    if code == errno.EACCES:
        return f"Port {port} may not be used by this user; choose one above 1023 with --port"
    return f"Cannot listen on {host}:{port} ({error}); choose another with --port"
