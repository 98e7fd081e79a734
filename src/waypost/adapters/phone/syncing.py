"""`sync:`: adb's file transfer, both versions: STAT, LIST, RECV, SEND in, files of the phone out and in."""

import struct

from waypost.adapters.phone.files import SPACE, Entry, FileError, Files
from waypost.adapters.phone.streams import Stream, StreamClosed

__all__ = ["serve_sync"]

_CHUNK = 64 * 1024
"""Bytes of a DATA block at most, by the protocol."""
_PATH = 4096
ENOENT = 2


def serve_sync(stream: Stream, files: Files) -> None:
    """Answer requests until QUIT, or until the peer ends."""
    while True:
        try:
            kind, length = struct.unpack("<4sI", stream.exactly(8))
        except StreamClosed:
            return
        if kind == b"QUIT" or length > _PATH:
            return
        path = stream.exactly(length).decode("utf-8", "surrogateescape") if length else ""
        match kind:
            case b"STAT":
                stream.write(_stat(files.stat(path)))
            case b"STA2" | b"LST2":
                stream.write(_stat2(kind, files.stat(path)))
            case b"LIST" | b"LIS2":
                stream.write(_list(files, path, second=kind == b"LIS2"))
            case b"RECV":
                _send(stream, files, path)
            case b"SEND":
                _receive(stream, files, path)
            case _:
                stream.write(_fail(f"unknown command {kind!r}"))
                return


def _stat(entry: Entry | None) -> bytes:
    if entry is None:
        return struct.pack("<4sIII", b"STAT", 0, 0, 0)
    return struct.pack("<4sIII", b"STAT", entry.mode, entry.size, entry.changed & 0xFFFFFFFF)


def _stat2(kind: bytes, entry: Entry | None) -> bytes:
    return kind + _details(entry)


def _details(entry: Entry | None) -> bytes:
    """Error, device, inode, mode, links, owner, group, size and three times, as version 2 wants them."""
    if entry is None:
        return struct.pack("<IQQIIIIQqqq", ENOENT, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    at = entry.changed
    return struct.pack("<IQQIIIIQqqq", 0, 1, 1, entry.mode, 1, 2000, 2000, entry.size, at, at, at)


def _list(files: Files, path: str, *, second: bool) -> bytes:
    try:
        entries = files.list(path)
    except FileError:
        entries = []
    out = []
    for entry in entries:
        name = entry.name.encode("utf-8", "surrogateescape")
        if second:
            out.append(b"DNT2" + _details(entry) + struct.pack("<I", len(name)) + name)
        else:
            head = (entry.mode, entry.size, entry.changed & 0xFFFFFFFF, len(name))
            out.append(b"DENT" + struct.pack("<IIII", *head) + name)
    return b"".join(out) + (b"DONE" + bytes(72) if second else b"DONE" + bytes(16))


def _send(stream: Stream, files: Files, path: str) -> None:
    try:
        data = files.read(path)
    except FileError as e:
        stream.write(_fail(f"open failed: {e.reason}"))
        return
    out = bytearray()
    for at in range(0, len(data), _CHUNK):
        part = data[at : at + _CHUNK]
        out += struct.pack("<4sI", b"DATA", len(part)) + part
    stream.write(bytes(out) + struct.pack("<4sI", b"DONE", 0))


def _receive(stream: Stream, files: Files, said: str) -> None:
    """Take a file whole before it is written, so that one that breaks off leaves nothing behind."""
    path, _, mode = said.rpartition(",")
    data = bytearray()
    while True:
        kind, length = struct.unpack("<4sI", stream.exactly(8))
        if kind == b"DONE":
            changed = length
            break
        if kind != b"DATA" or length > _CHUNK:
            stream.write(_fail("bad data"))
            raise StreamClosed("what was sent is no file")
        part = stream.exactly(length)
        if len(data) <= SPACE:
            data += part
    try:
        files.make_folder(path.rpartition("/")[0] or "/", parents=True)
        files.write(path, bytes(data), mode=int(mode) if mode.isdecimal() else 0o660, changed=changed)
    except FileError as e:
        stream.write(_fail(f"couldn't create file: {e.reason}"))
        return
    stream.write(struct.pack("<4sI", b"OKAY", 0))


def _fail(why: str) -> bytes:
    said = why.encode("utf-8", "replace")
    return struct.pack("<4sI", b"FAIL", len(said)) + said
