"""Requests in, passed on to the model's server with the way in their prompt; its answers back, unchanged."""

import json
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, RemoteDisconnected
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from waypost.errors import UsageError, WaypostError
from waypost.surface.door import Door
from waypost.surface.endpoint.body import Request, added, read
from waypost.surface.endpoint.instruction import HEADER, instruction
from waypost.surface.endpoint.report import Report, Served
from waypost.surface.endpoint.tasks import MapTasks, Told
from waypost.surface.quiet import QuietServer
from waypost.surface.serving import Serving, listening

__all__ = ["Endpoint", "EndpointConfig", "serve_endpoint"]

_HOP = frozenset(
    (
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization"),
        *("te", "trailer", "transfer-encoding", "upgrade"),
    )
)
"""Headers that are meant for the next machine only (RFC 9110, 7.6.1)."""
_TREE = re.compile(r"<hierarchy\b.*?</hierarchy>", re.DOTALL)
_PIECE = 65_536


@dataclass(frozen=True, slots=True)
class EndpointConfig:
    upstream: str
    """Base address of the model's server, as a client would be given it: `https://api.example.com/v1`."""
    host: str = "127.0.0.1"
    port: int = 8767
    placeholder: str = "<AGENTP>"
    """Where it stands in a prompt, the block takes its place; else the system's message is added to."""
    refresh: bool = False
    """Say anew before every step where the agent is, from the tree in its last message (closed loop)."""
    timeout: float = 600.0
    """Seconds to wait for the model's server."""
    token: str = ""
    """Stands before every path; empty for none."""


class _Server(QuietServer):
    request_queue_size = 256
    config: EndpointConfig
    upstream: SplitResult
    tasks: MapTasks
    door: Door
    report: Report
    note: Callable[[Served], None]


class Endpoint(Serving[_Server]):
    """A running endpoint; its address is the base that an agent is given."""

    @property
    def report(self) -> Report:
        return self.server.report


def serve_endpoint(
    config: EndpointConfig, tasks: MapTasks, *, note: Callable[[Served], None] = lambda _: None
) -> Endpoint:
    """Serve in the background; `note` is told of every request. Raises UsageError."""
    upstream = urlsplit(config.upstream)
    if upstream.scheme not in ("http", "https") or not upstream.hostname or upstream.username:
        raise UsageError(
            f"{upstream.scheme}://{upstream.hostname or ''} is no upstream; give the base address of the "
            "model's server, such as https://api.example.com/v1, and leave the key to the agent"
        )
    server = listening(_Server, _Handler, config.host, config.port)
    server.config, server.upstream, server.tasks, server.note = config, upstream, tasks, note
    server.report = Report()
    server.door = Door(config.host, int(server.server_address[1]), config.token)
    return Endpoint(server, f"{server.door.prefix}/v1", tasks.close)


class _Handler(BaseHTTPRequestHandler):
    """One connection of a client; it keeps one connection to the upstream."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server
    _upstream: HTTPConnection | None = None

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: a line of the request may hold a key."""

    def do_GET(self) -> None:
        if not self._let_in():
            return
        if self.path == "/waypost/report":
            self._own(HTTPStatus.OK, self.server.report.as_json())
        else:
            self._pass()

    def do_POST(self) -> None:
        if self._let_in():
            self._pass()

    def _let_in(self) -> bool:
        """Take the token off the path; a request that is not for this server goes nowhere."""
        door = self.server.door
        ours = door.ours(self.headers.get("Host"), self.headers.get("Origin"))
        inside = door.inside(self.path) if ours else None
        if inside is None:
            self.close_connection = True
            words = "This endpoint answers at its own address only, as `waypost serve` printed it"
            self._own(HTTPStatus.FORBIDDEN, _error(words))
            return False
        self.path = inside
        return True

    do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_HEAD = do_POST

    def finish(self) -> None:
        if self._upstream is not None:
            self._upstream.close()
        super().finish()

    def _pass(self) -> None:
        body = self._body()
        if body is None:
            self.close_connection = True
            self._own(HTTPStatus.LENGTH_REQUIRED, _error("Send the body with a Content-Length"))
            return
        began = time.perf_counter()
        told = Told("")
        request = read(body) if self._chats() else None
        if request is not None:
            told = self._told(request)
            body = added(request, told.text, self.server.config.placeholder)
        held = time.perf_counter() - began
        try:
            answer = self._forward(body)
        except (OSError, HTTPException) as e:
            self._drop()
            words = f"The upstream {self.server.upstream.hostname} does not answer: {type(e).__name__}"
            self._own(HTTPStatus.BAD_GATEWAY, _error(words))
            self._count(HTTPStatus.BAD_GATEWAY, told, held)
            return
        self._count(answer.status, told, held)
        try:
            self._back(answer, told, held)
        except (OSError, HTTPException):
            # Half an answer went out already: only a broken connection says so.
            self._drop()
            self.close_connection = True

    def _chats(self) -> bool:
        return self.command == "POST" and urlsplit(self.path).path.rstrip("/").endswith("/chat/completions")

    def _told(self, request: Request) -> Told:
        """Return what to add; whatever is wrong with the map, the request passes as it is."""
        said = self.headers.get(HEADER)
        asked = unquote(said) if said is not None else instruction(request.messages)
        try:
            if self.server.config.refresh and request.messages:
                trees = _TREE.findall(request.messages[-1].text)
                if trees:
                    return self.server.tasks.refreshed(asked, trees[-1])
            return self.server.tasks.told(asked)
        except WaypostError:
            return Told("")

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length")
        if length is not None and length.isdecimal():
            return self.rfile.read(int(length))
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return b"".join(self._chunks())
        return b"" if self.command in ("GET", "HEAD", "DELETE", "OPTIONS") else None

    def _chunks(self) -> Iterable[bytes]:
        while size := int(self.rfile.readline(1024).split(b";")[0] or b"0", 16):
            yield self.rfile.read(size)
            self.rfile.readline(8)
        while self.rfile.readline(8192).strip():
            pass

    def _forward(self, body: bytes) -> HTTPResponse:
        """Send the request on; a kept connection that the server has closed meanwhile is opened anew once."""
        kept = self._upstream is not None
        try:
            return self._send(body)
        except (RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            if not kept:
                raise
            self._drop()
            return self._send(body)

    def _send(self, body: bytes) -> HTTPResponse:
        base = self.server.upstream
        if self._upstream is None:
            kind = HTTPSConnection if base.scheme == "https" else HTTPConnection
            self._upstream = kind(base.hostname or "", base.port, timeout=self.server.config.timeout)
        path = self.path.removeprefix("/v1") if self.path.startswith("/v1/") else self.path
        link = self._upstream
        link.putrequest(self.command, base.path.rstrip("/") + path, skip_host=True, skip_accept_encoding=True)
        link.putheader("Host", base.netloc)
        for name, value in self.headers.items():
            if name.lower() not in _HOP | {"host", "content-length", HEADER.lower()}:
                link.putheader(name, value)
        if body or self.command in ("POST", "PUT", "PATCH"):
            link.putheader("Content-Length", str(len(body)))
        link.endheaders(body or None)
        return link.getresponse()

    def _back(self, answer: HTTPResponse, told: Told, held: float) -> None:
        """Pass the answer back piece by piece, as it comes."""
        self.send_response_only(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in _HOP:
                self.send_header(name, value)
        self.send_header("X-Waypost-Added-Tokens", str(told.tokens))
        self.send_header("X-Waypost-Latency-Ms", f"{held * 1000:.2f}")
        chunked = answer.getheader("Content-Length") is None and self._has_body(answer)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while self._has_body(answer) and (piece := answer.read1(_PIECE)):
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
        if chunked:
            self.wfile.write(b"0\r\n\r\n")
        # Read to its end, it still has to be closed before the connection takes the next request.
        answer.close()
        if answer.will_close:
            self._drop()

    def _has_body(self, answer: HTTPResponse) -> bool:
        return self.command != "HEAD" and answer.status not in (204, 304)

    def _drop(self) -> None:
        if self._upstream is not None:
            self._upstream.close()
            self._upstream = None

    def _count(self, status: int, told: Told, held: float) -> None:
        served = Served(urlsplit(self.path).path, status, told.tokens, held, told.page)
        self.server.report.add(served)
        self.server.note(served)

    def _own(self, status: HTTPStatus, said: dict[str, Any]) -> None:
        body = json.dumps(said).encode()
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _error(words: str) -> dict[str, Any]:
    """Say what is wrong in the form that clients of such servers read."""
    return {"error": {"message": words, "type": "waypost_error", "param": None, "code": None}}
