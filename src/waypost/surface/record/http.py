"""A recorder in, a page on loopback out: whoever knows the token may tap."""

import hmac
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from waypost.surface.local import LocalHandler, words
from waypost.surface.quiet import QuietServer
from waypost.surface.record.page import rendered
from waypost.surface.record.recorder import Recorder
from waypost.surface.serving import Serving, listening
from waypost.surface.view.page import policy

__all__ = ["serve_record"]


class _Server(QuietServer):
    recorder: Recorder
    token: str
    finished: Callable[[], None]


def serve_record(
    recorder: Recorder, token: str, *, finished: Callable[[], None], port: int = 8768
) -> Serving[_Server]:
    """Serve the page on 127.0.0.1, its address with the token; `finished` is told when the person is done."""
    server = listening(_Server, _Handler, "127.0.0.1", port)
    server.recorder, server.token, server.finished = recorder, token, finished
    # Behind the hash a browser sends nothing: the token stands in no log and in no request line.
    return Serving(server, f"/#{token}", lambda: None)


class _Handler(LocalHandler):
    server: _Server

    def do_GET(self) -> None:
        if not self.ours():
            return
        parts = urlsplit(self.path)
        if parts.path == "/" and not parse_qs(parts.query):
            page, digest = rendered()
            self.send(HTTPStatus.OK, page.encode(), "text/html; charset=utf-8", policy(digest))
        else:
            self.say(HTTPStatus.NOT_FOUND, "There is no such page")

    def do_POST(self) -> None:
        if not self.ours() or (body := self.sent()) is None:
            return
        if not hmac.compare_digest(
            self.headers.get("X-Waypost-Token", "").encode(), self.server.token.encode()
        ):
            self.refuse("Open the very address that `waypost record` printed: it holds the token")
            return
        if self.path != "/api/do":
            self.say(HTTPStatus.NOT_FOUND, "There is no such page")
            return
        self.answer(lambda: self._done(words(body, "A deed")))

    def _done(self, said: dict[str, Any]) -> dict[str, Any]:
        match said["what"]:
            case "state":
                return self.server.recorder.state()
            case "finish":
                told = self.server.recorder.close()
                self.server.finished()
                return {"finished": told}
            case what:
                return self.server.recorder.do(what, said)
