import socket
import struct
import threading

import pytest

from tests.adapters.phone.client import Client, pocket_config, served
from waypost.adapters.phone import Phone
from waypost.adapters.phone.packets import CHECKED, MAX_DATA, UNCHECKED, Kind, Packet
from waypost.adapters.pocket import PocketDevice
from waypost.errors import UsageError
from waypost.model import Action, Observation
from waypost.protocols import Device


def _threads() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name.startswith("waypost-phone")]


class _Watched:
    """A device that remembers which threads touched it, and whether two ever did at once."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._busy = threading.Lock()
        self.threads: set[int] = set()
        self.overlapped = False
        self.closed = False

    def _enter(self) -> None:
        self.threads.add(threading.get_ident())
        if not self._busy.acquire(blocking=False):
            self.overlapped = True

    @property
    def name(self) -> str:
        return self._device.name

    def observe(self, *, pixels: bool = False) -> Observation:
        self._enter()
        try:
            return self._device.observe(pixels=pixels)
        finally:
            self._busy.release()

    def perform(self, action: Action) -> None:
        self._enter()
        try:
            self._device.perform(action)
        finally:
            self._busy.release()

    def restart(self, app: str = "") -> None:
        self._device.restart(app)

    def close(self) -> None:
        self.threads.add(threading.get_ident())
        self.closed = True


def test_a_phone_says_who_it_is(client: Client) -> None:
    assert (client.hello.kind, client.hello.arg0, client.hello.arg1) == (Kind.CNXN, UNCHECKED, MAX_DATA)
    assert client.hello.data.startswith(b"device::ro.product.name=waypost;ro.product.model=pocket;")
    assert b"features=shell_v2,cmd,stat_v2,ls_v2" in client.hello.data


def test_a_peer_of_the_older_version_gets_its_sums(phone: Phone) -> None:
    with Client(phone.server.port, version=CHECKED) as old:  # Its reader refuses packets without sums.
        assert old.shell("echo sums").out == "sums\n"


def test_a_payload_is_cut_to_what_the_peer_can_take(phone: Phone) -> None:
    with Client(phone.server.port, most=4096) as small:
        line = small.open("exec:screencap -p")
        sizes = []
        while not line.ended:
            packet = small.receive()
            if packet.kind == Kind.WRTE:
                sizes.append(len(packet.data))
            line.take(packet)
        assert max(sizes) == 4096
        assert line.data.startswith(b"\x89PNG")
        assert sum(sizes) == len(line.data)


def test_nothing_more_is_sent_before_it_was_acknowledged(client: Client, phone: Phone) -> None:
    first = client.open("exec:screencap")
    packet = client.receive()
    assert packet.kind == Kind.WRTE
    assert len(packet.data) == MAX_DATA
    # The other stream answers meanwhile, and nothing of the first comes in between.
    second = client.open("exec:echo still here")
    assert second.everything() == b"still here\n"
    assert first.data == b""
    first.take(packet)
    assert len(first.everything()) == 16 + 1080 * 2400 * 4


def test_a_service_that_is_not_there_is_refused_and_the_connection_lives(client: Client) -> None:
    assert client.open("localabstract:chrome_devtools_remote").refused
    assert client.open("tcp:9008").refused
    assert client.open("nonsense").refused
    assert client.shell("echo on").out == "on\n"


def test_streams_of_one_connection_do_not_wait_for_each_other(client: Client) -> None:
    waiting = client.open("shell:cat")
    assert client.shell("echo quick").out == "quick\n"
    waiting.write(b"now")
    assert waiting.until(3) == b"now"
    waiting.close()


def test_many_streams_answer_at_once(client: Client) -> None:
    lines = [client.open(f"exec:echo {n}; echo {n * n}") for n in range(40)]
    for n, line in enumerate(lines):
        assert line.everything() == f"{n}\n{n * n}\n".encode()


def test_several_clients_are_served_at_once(phone: Phone) -> None:
    clients = [Client(phone.server.port) for _ in range(6)]
    try:
        lines = [c.open("shell:cat") for c in clients]
        assert phone.server.connections == 6
        for n, line in enumerate(lines):
            line.write(b"%d" % n)
        assert [line.until(1) for line in lines] == [b"%d" % n for n in range(6)]
    finally:
        for c in clients:
            c.sock.close()
    assert phone.server.alone()


def test_a_killed_client_leaves_nothing_behind(phone: Phone) -> None:
    before = sorted(_threads())
    victim = Client(phone.server.port)
    victim.shell("echo x > /data/local/tmp/u2.jar")
    victim.open("shell:cat")
    victim.open("shell:sleep 3600")
    victim.open("shell:logcat")
    victim.open("exec:while true; do true; done")
    victim.open("shell:")
    victim.open("sync:").write(struct.pack("<4sI", b"SEND", 20) + b"/sdcard/half.bin,33188"[:20])
    server = victim.open("shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008")
    server.until(8)
    assert phone.handset.listening(9008) is not None
    # Without a goodbye: the socket is reset, as when a process is killed.
    victim.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    victim.sock.close()
    assert phone.server.alone()
    assert phone.server.streams == 0
    assert phone.handset.listening(9008) is None
    assert phone.files.stat("/sdcard/half.bin") is None
    assert set(_threads()) <= {*before, "waypost-phone-device_0"}
    with Client(phone.server.port) as next_one:
        assert next_one.shell("echo fine").out == "fine\n"


def test_a_client_that_closes_a_stream_ends_what_runs_there(client: Client, phone: Phone) -> None:
    line = client.open("shell:while true; do true; done")
    line.close()
    assert line.everything() == b""
    assert client.shell("echo on").out == "on\n"


def test_bytes_that_are_no_packets_cost_only_that_connection(phone: Phone, notes: list[str]) -> None:
    with Client(phone.server.port) as good, socket.create_connection(("127.0.0.1", phone.server.port)) as bad:
        bad.sendall(b"GET / HTTP/1.1\r\nHost: phone\r\n\r\n")
        assert bad.recv(1) == b""
        assert good.shell("echo on").out == "on\n"
    assert any("dropped" in n for n in notes)


def test_a_second_greeting_starts_anew(client: Client) -> None:
    client.open("shell:cat")
    client.send(Packet(Kind.CNXN, UNCHECKED, MAX_DATA, b"host::\0"))
    assert client.receive().kind == Kind.CNXN
    assert client.shell("echo on").out == "on\n"


def test_one_thread_alone_touches_the_device() -> None:
    device = _Watched(PocketDevice("clock"))
    with served(device, pocket_config()) as phone:

        def poke() -> None:
            with Client(phone.server.port) as client:
                for _ in range(5):
                    client.shell(
                        "input tap 5 5; uiautomator dump; dumpsys window; screencap -p /sdcard/a.png"
                    )

        threads = [threading.Thread(target=poke) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert len(device.threads) == 1
    assert not device.overlapped
    assert device.closed
    assert not [t for t in _threads() if "door" in t or "connection" in t or "device" in t]


def test_a_port_that_is_taken_is_told_with_the_cure(phone: Phone) -> None:
    with pytest.raises(UsageError, match=r"is taken; choose another with --port"):
        Phone(PocketDevice("clock"), port=phone.server.port).start()


def test_a_phone_listens_on_loopback_alone(phone: Phone) -> None:
    assert phone.serial == f"127.0.0.1:{phone.server.port}"
