"""ADB transport packets: bytes in, packets out, and back: a header of 24 bytes, then the payload."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

__all__ = [
    "CHECKED",
    "HEADER",
    "MAX_DATA",
    "UNCHECKED",
    "Kind",
    "Packet",
    "PacketError",
    "checksum",
    "pack",
    "read_packet",
]

HEADER = struct.Struct("<6I")
MAX_DATA = 256 * 1024
"""Bytes that one packet carries at most; a peer may ask for less."""
CHECKED, UNCHECKED = 0x01000000, 0x01000001
"""Protocol versions: the older one sums every payload, the newer leaves that to TCP."""
_BANNER = 1024 * 1024
"""Bytes of a payload that are taken at all; what a peer announces above that is a torn stream."""


class PacketError(Exception):
    """The bytes are no packet: the connection cannot be followed any further."""


class Kind:
    """The words of the protocol, as they stand in a header."""

    CNXN = 0x4E584E43
    AUTH = 0x48545541
    STLS = 0x534C5453
    OPEN = 0x4E45504F
    OKAY = 0x59414B4F
    CLSE = 0x45534C43
    WRTE = 0x45545257


@dataclass(frozen=True, slots=True)
class Packet:
    """One message of the transport."""

    kind: int
    arg0: int = 0
    arg1: int = 0
    data: bytes = b""


def checksum(data: bytes) -> int:
    """Sum the bytes of a payload, as the older protocol version wants it.

    >>> checksum(b"ab")
    195
    """
    return sum(data) & 0xFFFFFFFF


def pack(packet: Packet, *, checked: bool = True) -> bytes:
    """Write a packet; without its sum where the peer does not look at it.

    >>> pack(Packet(Kind.OKAY, 1, 2)).hex()
    '4f4b415901000000020000000000000000000000b0b4bea6'
    """
    total = checksum(packet.data) if checked else 0
    head = HEADER.pack(
        packet.kind, packet.arg0, packet.arg1, len(packet.data), total, packet.kind ^ 0xFFFFFFFF
    )
    return head + packet.data


def read_packet(read: Callable[[int], bytes], *, checked: bool = False) -> Packet:
    """Read one packet with `read(n)`, which returns exactly n bytes or raises. Raises PacketError."""
    kind, arg0, arg1, length, total, magic = HEADER.unpack(read(HEADER.size))
    if magic != kind ^ 0xFFFFFFFF:
        raise PacketError(f"a header's magic is {magic:#x}, not that of {kind:#x}")
    if length > _BANNER:
        raise PacketError(f"a payload of {length} bytes, where {_BANNER} are the most")
    data = read(length) if length else b""
    if checked and total != checksum(data):
        raise PacketError(f"a payload sums to {checksum(data)}, not to {total}")
    return Packet(kind, arg0, arg1, data)
