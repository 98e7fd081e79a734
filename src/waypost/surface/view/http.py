"""A viewer in, a page on loopback out: GET reads, POST corrects, and nothing else is answered."""

import json
import re
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from waypost.errors import MapError, UsageError, WaypostError
from waypost.surface.door import Door
from waypost.surface.quiet import QuietServer
from waypost.surface.view.page import policy, rendered
from waypost.surface.view.pictures import SIZES
from waypost.surface.view.viewer import Viewer

__all__ = ["Served", "serve_view"]

_PICTURE = re.compile(r"/picture/(\w+)/([0-9a-f]{64})")
_MOST = 100_000
"""Bytes of a correction; what is longer is none."""
_Query = dict[str, str]


class Served:
    """A page that is being served; `close` ends it."""

    def __init__(self, server: QuietServer, viewer: Viewer) -> None:
        self._server, self._viewer = server, viewer
        self._thread = threading.Thread(target=server.serve_forever, name="waypost-view-http", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}/"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._viewer.close()


def serve_view(viewer: Viewer, host: str = "127.0.0.1", port: int = 8766) -> Served:
    """Serve a page in the background. Raises UsageError where the port is taken."""
    try:
        server = _Server((host, port), _Handler)
    except OSError as e:
        raise UsageError(f"Cannot listen on {host}:{port}: {e.strerror}; give another --port") from e
    server.viewer = viewer
    return Served(server, viewer)


class _Server(QuietServer):
    viewer: Viewer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: what a person looks at is nobody's business."""

    def do_GET(self) -> None:
        if not self._ours():
            return
        parts = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/":
            page, digest = rendered(None)
            self._send(HTTPStatus.OK, page.encode(), "text/html; charset=utf-8", policy(digest))
        elif found := _PICTURE.fullmatch(parts.path):
            self._picture(found[1], found[2])
        elif ask := _QUESTIONS.get(parts.path):
            self._answer(lambda: ask(self.server.viewer, query))
        else:
            self._say(HTTPStatus.NOT_FOUND, "There is no such page")

    def do_POST(self) -> None:
        if not self._ours():
            return
        length = self.headers.get("Content-Length", "")
        # A form of another site cannot send JSON, nor this header, without being asked first.
        if self.headers.get("X-Waypost") != "1" or not length.isdecimal() or int(length) > _MOST:
            self.close_connection = True
            self._say(HTTPStatus.FORBIDDEN, "Corrections come from the page itself")
            return
        body = self.rfile.read(int(length))
        if self.path != "/api/correct":
            self._say(HTTPStatus.NOT_FOUND, "There is no such page")
            return
        self._answer(lambda: _correct(self.server.viewer, body))

    def _ours(self) -> bool:
        """Whether a request means this very server: a name that merely leads here is refused."""
        host, port = self.server.server_address[:2]
        if Door(str(host), port).ours(self.headers.get("Host"), self.headers.get("Origin")):
            return True
        self.close_connection = True
        self._say(HTTPStatus.FORBIDDEN, "This page is served for its own address only")
        return False

    def _picture(self, size: str, image_hash: str) -> None:
        shown = self.server.viewer.picture(image_hash, size) if size in SIZES else b""
        if shown:
            # A picture is named by what it holds: it never changes.
            self._send(HTTPStatus.OK, shown, "image/webp", keep=True)
        else:
            self._say(HTTPStatus.NOT_FOUND, "There is no such picture")

    def _answer(self, ask: Callable[[], dict[str, Any]]) -> None:
        try:
            self._json(HTTPStatus.OK, ask())
        except UsageError as e:
            self._say(HTTPStatus.BAD_REQUEST, str(e))
        except MapError as e:
            self._say(HTTPStatus.CONFLICT, str(e))
        except WaypostError as e:
            self._say(HTTPStatus.INTERNAL_SERVER_ERROR, str(e))

    def _say(self, status: HTTPStatus, words: str) -> None:
        self._json(status, {"error": words})

    def _json(self, status: HTTPStatus, value: dict[str, Any]) -> None:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        self._send(status, text.encode(), "application/json; charset=utf-8")

    def _send(
        self, status: HTTPStatus, body: bytes, kind: str, csp: str = "default-src 'none'", keep: bool = False
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", csp)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "private, max-age=31536000, immutable" if keep else "no-store")
        self.end_headers()
        self.wfile.write(body)


def _number(query: _Query, name: str) -> int:
    text = query.get(name, "-1")
    if not re.fullmatch(r"-?\d{1,12}", text):
        raise UsageError(f"{name!r} is a number")
    return int(text)


def _correct(viewer: Viewer, body: bytes) -> dict[str, Any]:
    try:
        said = json.loads(body)
    except ValueError as e:
        raise UsageError("A correction is a JSON object") from e
    if not isinstance(said, dict) or not isinstance(said.get("what"), str):
        raise UsageError("A correction is a JSON object that says 'what'")
    return viewer.correct(said["what"], said)


_QUESTIONS: dict[str, Callable[[Viewer, _Query], dict[str, Any]]] = {
    "/api/start": lambda v, q: v.start(),
    "/api/live": lambda v, q: v.live(_number(q, "since")),
    "/api/page": lambda v, q: v.card(q.get("id", "")),
    "/api/search": lambda v, q: v.search(q.get("q", "")),
    "/api/route": lambda v, q: v.route(q.get("to", ""), q.get("from", "")),
    "/api/changes": lambda v, q: v.changes(),
}
