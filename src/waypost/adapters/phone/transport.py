"""One ADB connection: a socket in, streams with services behind them out."""

import contextlib
import socket
import threading
from collections.abc import Callable

from waypost.adapters.phone.packets import (
    CHECKED,
    MAX_DATA,
    UNCHECKED,
    Kind,
    Packet,
    PacketError,
    pack,
    read_packet,
)
from waypost.adapters.phone.streams import Stream, StreamClosed

__all__ = ["Service", "Services", "Transport"]

Service = Callable[[Stream], None]
Services = Callable[[str], Service | None]
"""What answers a destination (`shell:ls`); None where there is no such service."""
_STREAMS = 128
"""Streams of one connection that are served at a time."""


class Transport:
    """Speaks with one adb server. `serve` returns when the connection ends; nothing of it stays behind."""

    def __init__(
        self,
        conn: socket.socket,
        banner: bytes,
        services: Services,
        note: Callable[[str], None],
        closed: Callable[[], None] = lambda: None,
    ) -> None:
        """Take a connection; `closed` is told whenever a stream has ended."""
        self._conn = conn
        self._banner = banner
        self._services = services
        self._note = note
        self._streams: dict[int, Stream] = {}
        self._threads: list[threading.Thread] = []
        self._serving: set[int] = set()
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._next = 1
        self._closed = closed
        self._checked = True
        self._limit = 4096

    @property
    def streams(self) -> int:
        """How many streams are served."""
        return len(self._serving)

    def serve(self) -> None:
        """Answer until the peer goes away."""
        try:
            while True:
                self._answer(read_packet(self._exactly, checked=self._checked))
        except (OSError, EOFError):
            pass  # The peer is gone, or we are.
        except PacketError as e:
            self._note(f"a connection was dropped: {e}")
        finally:
            self.close()
            for thread in list(self._threads):
                thread.join()

    def close(self) -> None:
        """End the connection and every stream on it; calling it twice does no harm."""
        with contextlib.suppress(OSError):
            self._conn.shutdown(socket.SHUT_RDWR)
        self._conn.close()
        self._drop_all()

    def _drop_all(self) -> None:
        with self._lock:
            streams, self._streams = list(self._streams.values()), {}
        for stream in streams:
            stream.drop()

    def _exactly(self, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            data = self._conn.recv(min(count - len(parts), 1 << 20))
            if not data:
                raise EOFError
            parts += data
        return bytes(parts)

    def _send(self, packet: Packet) -> None:
        try:
            with self._sending:
                self._conn.sendall(pack(packet, checked=self._checked))
        except OSError as e:
            raise StreamClosed("the connection has ended") from e

    def _answer(self, packet: Packet) -> None:
        try:
            match packet.kind:
                case Kind.CNXN:
                    self._connect(packet)
                case Kind.OPEN:
                    self._open(packet)
                case Kind.WRTE | Kind.OKAY | Kind.CLSE:
                    self._route(packet)
                case _:
                    pass  # AUTH is never asked for here, and what is unknown is left alone.
        except StreamClosed as e:
            raise EOFError from e

    def _connect(self, packet: Packet) -> None:
        self._drop_all()
        self._limit = max(1, min(MAX_DATA, packet.arg1))
        version = min(packet.arg0, UNCHECKED)
        self._send(Packet(Kind.CNXN, UNCHECKED, MAX_DATA, self._banner))
        self._checked = version <= CHECKED

    def _open(self, packet: Packet) -> None:
        wanted = packet.data.partition(b"\0")[0].decode("utf-8", "replace")
        service = self._services(wanted) if packet.arg0 else None
        with self._lock:
            full = len(self._streams) >= _STREAMS
            if service is not None and not full:
                stream = Stream(self._next, packet.arg0, self._send, self._limit)
                self._streams[stream.local] = stream
                self._next += 1
        if service is None or full:
            if full:
                self._note(f"{wanted!r} was refused: {_STREAMS} streams are open")
            self._send(Packet(Kind.CLSE, 0, packet.arg0))
            return
        thread = threading.Thread(
            target=self._run, args=(stream, service), name=f"waypost-phone-stream-{stream.local}", daemon=True
        )
        self._threads = [t for t in self._threads if t.is_alive()] + [thread]
        self._serving.add(stream.local)
        thread.start()

    def _run(self, stream: Stream, service: Service) -> None:
        try:
            stream.accept()
            service(stream)
            stream.drained()
        except StreamClosed:
            pass  # The client did not wait for the answer.
        finally:
            with self._lock:
                ours = self._streams.pop(stream.local, None)
            if ours is not None:
                stream.drop()
                with contextlib.suppress(StreamClosed):
                    self._send(Packet(Kind.CLSE, stream.local, stream.remote))
            self._serving.discard(stream.local)
            self._closed()

    def _route(self, packet: Packet) -> None:
        with self._lock:
            stream = self._streams.get(packet.arg1)
            if stream is not None and packet.arg0 not in (stream.remote, 0):
                stream = None
            if stream is not None and packet.kind == Kind.CLSE:
                del self._streams[stream.local]
        if stream is None:
            if packet.kind == Kind.WRTE:
                self._send(Packet(Kind.CLSE, packet.arg1, packet.arg0))
        elif packet.kind == Kind.WRTE:
            stream.arrived(packet.data)
        elif packet.kind == Kind.OKAY:
            stream.acknowledged()
        else:
            stream.drop()
            self._send(Packet(Kind.CLSE, stream.local, stream.remote))
