"""HTTP/1.1 over a stream: requests in, answers out, one after the other until either side ends."""

from collections.abc import Callable

from waypost.adapters.phone.streams import Stream, StreamClosed

__all__ = ["Answer", "serve_http"]

Answer = Callable[[str, str, bytes, Stream], tuple[int, str, bytes]]
"""Method, path, body and the stream in; status, content type and body out."""
_HEAD = 64 * 1024
_BODY = 16 * 1024 * 1024
_REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 413: "Too Large"}


def serve_http(stream: Stream, answer: Answer) -> None:
    """Answer requests until the peer ends."""
    buffer = b""
    while True:
        while b"\r\n\r\n" not in buffer:
            data = stream.read()
            if not data or len(buffer) > _HEAD:
                return
            buffer += data
        head, _, buffer = buffer.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        words = lines[0].split(" ")
        headers = {k.strip().casefold(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])}
        length = headers.get("content-length", "0")
        if len(words) != 3 or not length.isdecimal() or "transfer-encoding" in headers:
            _reply(stream, 400, "text/plain", b"bad request", close=True)
            return
        if int(length) > _BODY:
            _reply(stream, 413, "text/plain", b"too large", close=True)
            return
        while len(buffer) < int(length):
            data = stream.read()
            if not data:
                raise StreamClosed("the peer ended in the middle of a request")
            buffer += data
        body, buffer = buffer[: int(length)], buffer[int(length) :]
        status, kind, said = answer(words[0], words[1], body, stream)
        close = headers.get("connection", "").casefold() == "close" or words[2] == "HTTP/1.0"
        _reply(stream, status, kind, said, close=close)
        if close:
            return


def _reply(stream: Stream, status: int, kind: str, body: bytes, *, close: bool) -> None:
    head = (
        f"HTTP/1.1 {status} {_REASONS.get(status, 'Error')}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: {'close' if close else 'keep-alive'}\r\n\r\n"
    )
    stream.write(head.encode("latin-1") + body)
