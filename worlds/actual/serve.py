"""Serve a built single-page app on loopback, isolated as its SQLite in the browser asks: FOLDER PORT in."""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

__all__ = ["AppHandler", "server"]


class AppHandler(SimpleHTTPRequestHandler):
    """Files of the build; every other path is the app's own route, so it gets the start page."""

    protocol_version = "HTTP/1.1"

    def send_head(self):  # type: ignore[no-untyped-def]
        """Open what the path names, or the start page."""
        if not Path(self.translate_path(self.path)).exists():
            self.path = "/index.html"
        return super().send_head()

    def end_headers(self) -> None:
        """Add what SharedArrayBuffer needs; never let an old build be cached."""
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Make a server on 127.0.0.1 that is not serving yet; port 0 takes a free one."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(AppHandler, directory=str(folder)))


if __name__ == "__main__":
    server(Path(sys.argv[1]), int(sys.argv[2])).serve_forever()
