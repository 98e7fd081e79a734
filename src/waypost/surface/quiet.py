"""An HTTP server of threads that says nothing of clients that hang up."""

import sys
from http.server import ThreadingHTTPServer
from typing import Any

__all__ = ["QuietServer"]


class QuietServer(ThreadingHTTPServer):
    """A browser's tab that is closed in the middle of an answer is no error."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)
