"""Destinations in (`shell:ls`, `sync:`, `tcp:9008`), what serves them out."""

import re
import struct
from collections.abc import Mapping
from functools import partial

from waypost.adapters.phone.calls import Program
from waypost.adapters.phone.console import Console, PacketConsole, RawConsole, Terminal, interactive
from waypost.adapters.phone.files import Files
from waypost.adapters.phone.handset import Handset
from waypost.adapters.phone.pictures import NoPicture, raw
from waypost.adapters.phone.shell import Shell
from waypost.adapters.phone.streams import Stream
from waypost.adapters.phone.syncing import serve_sync
from waypost.adapters.phone.transport import Service
from waypost.errors import DeviceError

__all__ = ["FEATURES", "Desk"]

FEATURES = ("shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir")
"""What the phone can do beyond the first version of the protocol."""
_PROMPT = b"waypost:/ $ "
_REFUSED = {
    "root:": "adbd cannot run as root in production builds\n",
    "unroot:": "adbd not running as root\n",
    "remount:": 'Not running as root. Try "adb root" first.\n',
    "tcpip:": "restarting is not possible on a served device\n",
    "usb:": "restarting is not possible on a served device\n",
}


class Desk:
    """Finds who serves a destination."""

    def __init__(self, handset: Handset, files: Files, programs: Mapping[str, Program]) -> None:
        self._hand = handset
        self._files = files
        self._programs = programs

    def service(self, wanted: str) -> Service | None:
        """Return what serves a destination; None where nothing does."""
        name, _, rest = wanted.partition(":")
        head, *options = name.split(",")
        match head:
            case "shell":
                return partial(self._shell, command=rest, options=frozenset(options))
            case "exec":
                return partial(self._shell, command=rest, options=frozenset(("raw",)))
            case "sync":
                return partial(serve_sync, files=self._files)
            case "framebuffer":
                return self._framebuffer
            case "tcp":
                return self._port(rest)
            case "reverse":
                return partial(_reverse, command=rest)
        said = _REFUSED.get(f"{head}:")
        if said is not None:
            return lambda stream: stream.write(said.encode())
        self._hand.note(f"unknown service: {wanted[:100]!r}")
        return None

    def _port(self, rest: str) -> Service | None:
        found = re.fullmatch(r"(\d{1,5})(:(localhost|127\.0\.0\.1))?", rest)
        return self._hand.listening(int(found[1])) if found else None

    def _shell(self, stream: Stream, command: str, options: frozenset[str]) -> None:
        inner: Console = PacketConsole(stream) if "v2" in options else RawConsole(stream)
        typed = "pty" in options or (not command and "raw" not in options)
        console = Terminal(inner) if typed else inner
        shell = Shell(self._hand, self._files, self._programs, console, stream.gone)
        prompt = _PROMPT if typed else b""
        code = shell.run(command) if command else interactive(console, shell.run, prompt)
        console.finish(code)

    def _framebuffer(self, stream: Stream) -> None:
        try:
            width, height, pixels = raw(self._hand.look(stream.gone, pixels=True))
        except (NoPicture, DeviceError) as e:
            self._hand.note(f"no framebuffer: {e}")
            return
        # Version, bits a pixel, size, width, height; then offset and length of red, blue, green, alpha.
        head = (1, 32, len(pixels), width, height, 0, 8, 16, 8, 8, 8, 24, 8)
        stream.write(struct.pack("<13I", *head) + pixels)


def _reverse(stream: Stream, command: str) -> None:
    """Nothing on the phone connects outwards, so there is nothing to forward."""
    if command.startswith("list-forward"):
        stream.write(b"OKAY0000")
    elif command.startswith("killforward-all"):
        stream.write(b"OKAY")
    else:
        said = b"a served device has no reverse forwards"
        stream.write(b"FAIL" + f"{len(said):04x}".encode() + said)
