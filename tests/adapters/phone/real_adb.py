"""Debian's real adb with a server of its own: the program in, a server that is stopped afterwards out."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from waypost.adapters.phone import Phone

__all__ = ["Adb", "connected", "running"]


class Adb:
    """Calls the program against its own server; `serial` is the phone that it means."""

    def __init__(self, program: str, home: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.program = program
        self.env = {
            **os.environ,
            "ANDROID_ADB_SERVER_PORT": str(self.port),
            "HOME": str(home),
            "TMPDIR": str(home),
        }
        self.serial = ""

    def command(self, *words: str) -> list[str]:
        return [self.program, *(["-s", self.serial] if self.serial else []), *words]

    def __call__(self, *words: str, **options: Any) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            self.command(*words), env=self.env, capture_output=True, timeout=60, check=False, **options
        )

    def out(self, *words: str) -> str:
        done = self(*words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout.decode()


@contextmanager
def running(program: str, home: Path) -> Iterator[Adb]:
    """Start a server on a port of its own; the user's own is never spoken to."""
    real = Adb(program, home)
    real.out("start-server")
    try:
        yield real
    finally:
        real("kill-server")


@contextmanager
def connected(server: Adb, phone: Phone) -> Iterator[Adb]:
    """Connect to a served phone, and see that nothing of it is left afterwards."""
    assert f"connected to {phone.serial}" in server.out("connect", phone.serial)
    server.serial = phone.serial
    try:
        yield server
    finally:
        server.serial = ""
        server("disconnect", phone.serial)
    assert phone.server.alone()
