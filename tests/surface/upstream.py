"""A model's server that is scripted: it keeps every request as it came, and answers as it was told."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

__all__ = ["Upstream", "upstream"]

_ANSWER = {
    "id": "c1",
    "object": "chat.completion",
    "created": 1,
    "model": "scripted",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "t1", "type": "function", "function": {"name": "tap", "arguments": '{"x": 1}'}}
                ],
            },
        }
    ],
    "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
}


@dataclass
class Upstream:
    """What came, and what is to be answered."""

    url: str = ""
    came: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    """Path, headers in lower case, body."""
    status: int = 200
    pause: float = 0.0
    """Seconds that it thinks about each request: for benchmarks, never for tests."""
    hang_up: bool = False
    """Close the connection after each answer without saying so."""
    lock: Lock = field(default_factory=Lock)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    told: Upstream

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._take(b"")
        self._send(b'{"object": "list", "data": []}')

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self._take(body)
        if self.told.pause:
            time.sleep(self.told.pause)
        if self.told.status != 200:
            self._send(b'{"error": {"message": "slow down",  "type": "rate"}}', self.told.status)
        elif json.loads(body).get("stream"):
            self._stream()
        else:
            self._send(json.dumps(_ANSWER, indent=1).encode())
        self.close_connection = self.told.hang_up

    def _take(self, body: bytes) -> None:
        with self.told.lock:
            self.told.came.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))

    def _send(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("X-Request-Id", "r1")
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for line in _events():
            self.wfile.write(b"%x\r\n%b\r\n" % (len(line), line))
        self.wfile.write(b"0\r\n\r\n")


def _events() -> Iterator[bytes]:
    for word in ("Tap ", "the ", "second ", "tab. ", "好"):
        choice = {"index": 0, "delta": {"content": word}, "finish_reason": None}
        row = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}
        yield f"data: {json.dumps({**row, 'choices': [choice]}, ensure_ascii=False)}\n\n".encode()
    yield b"data: [DONE]\n\n"


@contextmanager
def upstream() -> Iterator[Upstream]:
    """Serve on loopback."""
    told = Upstream()
    handler = type("Scripted", (_Handler,), {"told": told})
    server = _Server(("127.0.0.1", 0), handler)
    told.url = f"http://127.0.0.1:{server.server_address[1]}/api/v1"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
