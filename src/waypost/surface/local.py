"""What pages on loopback share: only requests of the page itself are answered, always with its own policy."""

import json
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any

from waypost.errors import MapError, UsageError, WaypostError
from waypost.surface.door import Door
from waypost.surface.quiet import QuietServer

__all__ = ["MOST", "LocalHandler", "words"]

MOST = 100_000
"""Bytes of what a page sends; what is longer is not from it."""


class LocalHandler(BaseHTTPRequestHandler):
    """Says nothing in any log: what a person looks at is nobody's business."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def ours(self) -> bool:
        """Whether a request means this very server: a name that merely leads here is refused."""
        assert isinstance(self.server, QuietServer)
        host, port = self.server.server_address[:2]
        if Door(str(host), int(port)).ours(self.headers.get("Host"), self.headers.get("Origin")):
            return True
        self.refuse("This page is served for its own address only")
        return False

    def sent(self) -> bytes | None:
        """Return what the page sends; None, and refused, where it was not the page that sent it."""
        length = self.headers.get("Content-Length", "")
        # A form of another site cannot send JSON, nor this header, without being asked first.
        if self.headers.get("X-Waypost") != "1" or not length.isdecimal() or int(length) > MOST:
            self.refuse("This comes from the page itself only")
            return None
        return self.rfile.read(int(length))

    def refuse(self, words: str) -> None:
        self.close_connection = True
        self.say(HTTPStatus.FORBIDDEN, words)

    def answer(self, ask: Callable[[], dict[str, Any]]) -> None:
        """Answer with what `ask` returns, or with what it says is wrong."""
        try:
            self.json(HTTPStatus.OK, ask())
        except UsageError as e:
            self.say(HTTPStatus.BAD_REQUEST, str(e))
        except MapError as e:
            self.say(HTTPStatus.CONFLICT, str(e))
        except WaypostError as e:
            self.say(HTTPStatus.INTERNAL_SERVER_ERROR, str(e))

    def say(self, status: HTTPStatus, words: str) -> None:
        self.json(status, {"error": words})

    def json(self, status: HTTPStatus, value: dict[str, Any]) -> None:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        self.send(status, text.encode(), "application/json; charset=utf-8")

    def send(
        self, status: HTTPStatus, body: bytes, kind: str, csp: str = "default-src 'none'", keep: bool = False
    ) -> None:
        """Send a body; `keep` is for what never changes."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", csp)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "private, max-age=31536000, immutable" if keep else "no-store")
        self.end_headers()
        self.wfile.write(body)


def words(body: bytes, what: str) -> dict[str, Any]:
    """Read what a page sent as a JSON object. Raises UsageError; `what` names it."""
    try:
        said = json.loads(body)
    except ValueError as e:
        raise UsageError(f"{what} is a JSON object") from e
    if not isinstance(said, dict) or not isinstance(said.get("what"), str):
        raise UsageError(f"{what} is a JSON object that says 'what'")
    return said
