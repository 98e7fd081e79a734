"""Whether a stored picture came through whole: bytes in, yes or no out."""

import struct
import zlib

__all__ = ["whole_png"]

_HEAD = b"\x89PNG\r\n\x1a\n"
_FRAME = 12
"""Bytes around what a chunk holds: its length, its name, its sum."""


def whole_png(data: bytes) -> bool:
    """Whether every chunk bears its own sum and the last one is the end.

    >>> empty = struct.pack(">I4sI", 0, b"IEND", zlib.crc32(b"IEND"))
    >>> whole_png(_HEAD + empty), whole_png(_HEAD + empty[:-1]), whole_png(b"")
    (True, False, False)
    """
    at = len(_HEAD)
    if data[:at] != _HEAD:
        return False
    name = b""
    while name != b"IEND" and at + _FRAME <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        name, end = data[at + 4 : at + 8], at + 8 + length
        if data[end : end + 4] != zlib.crc32(data[at + 4 : end]).to_bytes(4, "big"):
            return False
        at = end + 4
    return name == b"IEND"
