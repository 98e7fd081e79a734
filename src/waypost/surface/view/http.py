"""A viewer in, a page on loopback out: GET reads, POST corrects, and nothing else is answered."""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

from waypost.errors import UsageError
from waypost.surface.local import LocalHandler, words
from waypost.surface.quiet import QuietServer
from waypost.surface.serving import Serving, listening
from waypost.surface.view.page import policy, rendered
from waypost.surface.view.pictures import SIZES
from waypost.surface.view.viewer import Viewer

__all__ = ["serve_view"]

_PICTURE = re.compile(r"/picture/(\w+)/([0-9a-f]{64})")
_Query: TypeAlias = dict[str, str]


class _Server(QuietServer):
    viewer: Viewer


def serve_view(viewer: Viewer, host: str = "127.0.0.1", port: int = 8766) -> Serving[_Server]:
    """Serve a page in the background. Raises UsageError where the port is taken."""
    server = listening(_Server, _Handler, host, port)
    server.viewer = viewer
    return Serving(server, "/", viewer.close)


class _Handler(LocalHandler):
    server: _Server

    def do_GET(self) -> None:
        if not self.ours():
            return
        parts = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/":
            page, digest = rendered(None)
            self.send(HTTPStatus.OK, page.encode(), "text/html; charset=utf-8", policy(digest))
        elif found := _PICTURE.fullmatch(parts.path):
            self._picture(found[1], found[2])
        elif ask := _QUESTIONS.get(parts.path):
            self.answer(lambda: ask(self.server.viewer, query))
        else:
            self.say(HTTPStatus.NOT_FOUND, "There is no such page")

    def do_POST(self) -> None:
        if not self.ours() or (body := self.sent()) is None:
            return
        if self.path != "/api/correct":
            self.say(HTTPStatus.NOT_FOUND, "There is no such page")
            return
        self.answer(lambda: _correct(self.server.viewer, body))

    def _picture(self, size: str, image_hash: str) -> None:
        shown = self.server.viewer.picture(image_hash, size) if size in SIZES else b""
        if shown:
            # A picture is named by what it holds: it never changes.
            self.send(HTTPStatus.OK, shown, "image/webp", keep=True)
        else:
            self.say(HTTPStatus.NOT_FOUND, "There is no such picture")


def _number(query: _Query, name: str) -> int:
    text = query.get(name, "")
    if not re.fullmatch(r"-?\d{1,12}", text):
        raise UsageError(f"{name!r} is a number")
    return int(text)


def _correct(viewer: Viewer, body: bytes) -> dict[str, Any]:
    said = words(body, "A correction")
    return viewer.correct(said["what"], said)


_QUESTIONS: dict[str, Callable[[Viewer, _Query], dict[str, Any]]] = {
    "/api/start": lambda v, q: v.start(),
    "/api/live": lambda v, q: v.live(_number(q, "since")),
    "/api/page": lambda v, q: v.card(q.get("id", "")),
    "/api/search": lambda v, q: v.search(q.get("q", "")),
    "/api/route": lambda v, q: v.route(q.get("to", ""), q.get("from", "")),
    "/api/changes": lambda v, q: v.changes(),
}
