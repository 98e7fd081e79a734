"""A phone's command line: commands as lists of words in, the bytes that they print out."""

import contextlib
import re
import shlex
import subprocess
from collections.abc import Sequence
from typing import Any, Protocol

from waypost.errors import DeviceError

__all__ = ["PATIENCE", "AdbShell", "Late", "Shell", "line"]

PATIENCE = 60.0
"""Seconds for one command: while an app is busy drawing, even what is in front may be told late."""

_LONGEST = 60_000
"""Bytes of one command line; the protocol holds 65,535."""


class Late(DeviceError):
    """The phone was reached, and did not answer in time."""


class Shell(Protocol):
    """One phone's command line: the narrow seam inside of this adapter."""

    @property
    def serial(self) -> str: ...

    def run(self, *commands: Sequence[str], seconds: float = PATIENCE) -> bytes:
        """Run commands one after the other; return all they print. Raises DeviceError, Late."""
        ...


def line(commands: Sequence[Sequence[str]]) -> str:
    """Write commands as one line of a shell: every word is quoted, so that none is ever more than a word.

    >>> line([["input", "text", "$(reboot); x"], ["ls"]])
    "input text '$(reboot); x'; ls"
    """
    written = "; ".join(" ".join(shlex.quote(word) for word in words) for words in commands)
    if "\0" in written or len(written.encode("utf-8", "surrogatepass")) > _LONGEST:
        raise DeviceError("A command for the phone holds a zero byte, or is too long")
    return written


class AdbShell:
    """A phone behind an adb server, which is started where none runs; a `host:port` is connected to."""

    def __init__(self, serial: str, *, host: str = "", port: int = 0) -> None:
        self._serial = serial
        self._host, self._port = host or None, port or None
        self._client: Any = None

    @property
    def serial(self) -> str:
        return self._serial

    def run(self, *commands: Sequence[str], seconds: float = PATIENCE) -> bytes:
        """Run commands one after the other; return all they print. Raises DeviceError, Late."""
        written = line(commands)
        try:
            return self._asked(written, seconds)
        except Late:
            raise
        except DeviceError:
            # A phone on the network that dropped off comes back when it is asked for.
            if not self._reconnected():
                raise
            return self._asked(written, seconds)

    def _asked(self, written: str, seconds: float) -> bytes:
        from adbutils.errors import AdbError, AdbTimeout

        try:
            wire = self._server().make_connection(timeout=seconds)
            # The socket itself is closed: adbutils' own way to close waits a hundredth of a second.
            with wire.conn:
                wire.send_command(f"host:transport:{self._serial}")
                wire.check_okay()
                wire.send_command(f"exec:{written}")
                wire.check_okay()
                return bytes(wire.read_until_close(encoding=None))
        except (AdbTimeout, TimeoutError) as e:
            raise Late(f"{self._serial!r} did not answer within {seconds:g} s") from e
        except (AdbError, OSError, ValueError, subprocess.SubprocessError) as e:
            raise DeviceError(self._why(e)) from e

    def _server(self) -> Any:
        if self._client is None:
            try:
                from adbutils import AdbClient
            except ImportError as e:
                raise DeviceError('Phones need adbutils: pip install "waypost[android]"') from e
            self._client = AdbClient(host=self._host, port=self._port)
        return self._client

    def _reconnected(self) -> bool:
        from adbutils.errors import AdbError

        if not re.fullmatch(r"[\w.\-\[\]:]+:\d+", self._serial):
            return False
        with contextlib.suppress(AdbError, OSError, ValueError, subprocess.SubprocessError):
            said = str(self._server().connect(self._serial, timeout=10.0))
            return said.startswith(("connected", "already connected"))
        return False

    def _why(self, error: Exception) -> str:
        said = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        if "unauthorized" in said:
            return f"{self._serial!r} does not trust this computer yet; confirm the dialog on the phone"
        if "offline" in said:
            return f"{self._serial!r} is offline; plug it in again, or: adb reconnect offline"
        if "not found" in said:
            return f"There is no phone {self._serial!r}; `adb devices` lists them, `waypost doctor` helps"
        return f"adb failed for {self._serial!r}: {said}; `waypost doctor` helps"
