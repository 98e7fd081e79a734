"""A small web app of our own on loopback, for tests of the browser device: a folder in, an address out."""

import http.server
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SITE = Path(__file__).parent / "site"


class _Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/slow":
            asked = parse_qs(parts.query)
            time.sleep(float(asked.get("ms", ["900"])[0]) / 1000)
            self.path = "/" + asked["to"][0]
        if parts.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", "http://elsewhere.invalid/away")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(folder: Path = SITE) -> Iterator[str]:
    """Serve a folder on a free loopback port; yield the address, without a slash at its end."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
