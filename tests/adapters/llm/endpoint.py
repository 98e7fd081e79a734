"""A chat endpoint on loopback that answers as it is told to: the wire is real, the model is not."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

__all__ = ["Answer", "Served", "answer", "fault", "served"]


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: dict[str, Any]
    headers: tuple[tuple[str, str], ...] = ()


def answer(text: str, *, usage: bool = True, finish: str = "stop") -> Answer:
    body: dict[str, Any] = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
    }
    if usage:
        body["usage"] = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return Answer(200, body)


def fault(status: int, message: str, *headers: tuple[str, str]) -> Answer:
    return Answer(status, {"error": {"message": message, "type": "x"}}, headers)


@dataclass
class Served:
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    """Bodies of the requests, in order."""
    keys: list[str] = field(default_factory=list)


@contextmanager
def served(answers: Sequence[Answer]) -> Iterator[Served]:
    """Serve `answers` in order; after them, every question gets a 404."""
    waiting, lock, seen = list(answers), Lock(), Served()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                seen.asked.append(body)
                seen.keys.append(self.headers.get("authorization", ""))
                reply = waiting.pop(0) if waiting else fault(404, "no more answers")
            raw = json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in (("content-type", "application/json"), *reply.headers):
                self.send_header(name, value)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    seen.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
