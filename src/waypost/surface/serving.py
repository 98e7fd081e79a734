"""A server that listens, served on a thread of its own until it is closed."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Generic, TypeVar

from waypost.errors import UsageError
from waypost.surface.quiet import QuietServer

__all__ = ["Serving", "listening"]

S = TypeVar("S", bound=QuietServer)


class Serving(Generic[S]):
    """A running server; `close` ends it, and then what it was served from."""

    def __init__(self, server: S, path: str, let_go: Callable[[], None]) -> None:
        """`path` is what an address ends in; `let_go` closes what the server asks."""
        self.server, self._path, self._let_go = server, path, let_go
        self._thread = threading.Thread(target=server.serve_forever, name="waypost-http", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address to give to a person or a program."""
        host, port = self.server.server_address[:2]
        return f"http://{host!s}:{port}{self._path}"

    def close(self) -> None:
        self.server.shutdown()
        self._thread.join()
        self.server.server_close()
        self._let_go()


def listening(kind: type[S], handler: type[BaseHTTPRequestHandler], host: str, port: int) -> S:
    """Open a port. Raises UsageError where it is taken."""
    try:
        return kind((host, port), handler)
    except OSError as e:
        raise UsageError(f"Cannot listen on {host}:{port}: {e.strerror}; give another --port") from e
