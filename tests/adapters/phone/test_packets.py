import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.adapters.phone.packets import HEADER, Kind, Packet, PacketError, pack, read_packet

_KINDS = st.sampled_from([Kind.CNXN, Kind.AUTH, Kind.OPEN, Kind.OKAY, Kind.CLSE, Kind.WRTE])
_NUMBERS = st.integers(0, 0xFFFFFFFF)
_PACKETS = st.builds(Packet, _KINDS, _NUMBERS, _NUMBERS, st.binary(max_size=300))


@given(_PACKETS, st.booleans())
def test_what_is_packed_reads_back_the_same(packet: Packet, checked: bool) -> None:
    read = io.BytesIO(pack(packet, checked=checked)).read
    assert read_packet(read, checked=checked) == packet


@given(st.lists(_PACKETS, max_size=5))
def test_packets_follow_each_other_without_a_gap(packets: list[Packet]) -> None:
    read = io.BytesIO(b"".join(map(pack, packets))).read
    assert [read_packet(read, checked=True) for _ in packets] == packets
    assert read(1) == b""


@given(st.binary(min_size=HEADER.size, max_size=HEADER.size))
def test_any_24_bytes_are_a_packet_or_a_fault_of_ours(head: bytes) -> None:
    read = io.BytesIO(head + bytes(1 << 20)).read
    try:
        packet = read_packet(read)
    except PacketError:
        return
    assert pack(packet, checked=False)[:4] == head[:4]


@given(_PACKETS.filter(lambda p: any(p.data)))
def test_a_wrong_sum_is_found_where_sums_are_looked_at(packet: Packet) -> None:
    torn = bytearray(pack(packet))
    torn[HEADER.size + next(i for i, b in enumerate(packet.data) if b)] -= 1
    with pytest.raises(PacketError, match="sums to"):
        read_packet(io.BytesIO(bytes(torn)).read, checked=True)
    assert read_packet(io.BytesIO(bytes(torn)).read).data != packet.data


def test_a_payload_that_nobody_would_send_is_refused() -> None:
    head = HEADER.pack(Kind.WRTE, 1, 1, 1 << 30, 0, Kind.WRTE ^ 0xFFFFFFFF)
    with pytest.raises(PacketError, match="are the most"):
        read_packet(io.BytesIO(head).read)
