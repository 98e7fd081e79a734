"""What looks at the screen: `uiautomator dump`, `screencap`, uiautomator2's server behind `app_process`."""

import struct

from waypost.adapters.phone.calls import Call, Program
from waypost.adapters.phone.files import FileError
from waypost.adapters.phone.hierarchy import EMPTY, hierarchy
from waypost.adapters.phone.http import serve_http
from waypost.adapters.phone.pictures import NoPicture, png, raw
from waypost.adapters.phone.rpc import Automation
from waypost.model import TreeQuality

__all__ = ["PROGRAMS"]

_DUMP = "/sdcard/window_dump.xml"
_SERVERS = ("com.wetest.uia2.Main",)
"""Main classes that serve the screen over JSON-RPC, and whose part is played here."""


def _uiautomator(call: Call) -> int:
    args = list(call.args)
    if args[:1] != ["dump"]:
        call.err(
            "Usage: uiautomator dump [--compressed] [FILE]\n  creates an XML dump of the current UI hierarchy"
        )
        return 1
    compressed = "--compressed" in args
    said = next((a for a in args[1:] if not a.startswith("--")), _DUMP)
    look = call.handset.look(call.gone) if compressed else call.handset.at_rest(call.gone)
    if look is None:
        call.err("ERROR: could not get idle state.")
        return 0
    if look.screen.quality is TreeQuality.NONE:
        call.err(EMPTY)
        return 0  # As on Android: what became of a dump is told by its words, not by the code.
    text = hierarchy(look.screen, call.handset.windowed(look.screen).package, compressed=compressed)
    data = text.encode("utf-8", "replace")
    path = call.path(said)
    if path in ("/dev/tty", "/dev/stdout", "/proc/self/fd/1"):
        call.write(data)
    else:
        try:
            call.files.write(path, data)
        except FileError as e:
            call.err(f"java.io.FileNotFoundException: {said}: open failed: {e.reason}")
            return 1
    call.out(f"UI hierchary dumped to: {said}")  # Android's own spelling; clients look for it.
    return 0


def _screencap(call: Call) -> int:
    args = list(call.args)
    as_png = "-p" in args
    if "-d" in args[:-1]:
        at = args.index("-d")
        del args[at : at + 2]
    path = next((a for a in args if not a.startswith("-")), "")
    look = call.handset.look(call.gone, pixels=True)
    try:
        if as_png or path.endswith(".png"):
            data = png(look)
        else:
            width, height, pixels = raw(look)
            data = struct.pack("<IIII", width, height, 1, 0) + pixels
    except NoPicture as e:
        call.err(f"Failed to take screenshot. Status: {e.status}")
        return 1
    if not path:
        call.write(data)
        return 0
    try:
        call.files.write(call.path(path), data)
    except FileError as e:
        call.err(f"Error opening file: {path} ({e.reason})")
        return 1
    return 0


def _app_process(call: Call) -> int:
    """Play the part of a known server until whoever started it goes; what else is started is not there."""
    main = next((a for a in call.args if "." in a and "/" not in a), "")
    if main not in _SERVERS:
        call.handset.note(f"unknown program for app_process: {main[:80]!r}")
        call.err(f"Error: could not find class '{main}'\njava.lang.ClassNotFoundException: {main}")
        return 1
    jar = call.env.get("CLASSPATH", "")
    entry = call.files.stat(call.path(jar)) if jar else None
    if entry is None or entry.folder:
        call.err(f"java.lang.ClassNotFoundException: {main} (no file {jar!r})")
        return 1
    args = list(call.args)
    said = args[args.index("-p") + 1] if "-p" in args[:-1] else "9008"
    port = int(said) if said.isdecimal() else 0
    if not 0 < port < 65536:
        call.err(f"java.lang.NumberFormatException: port {said!r}")
        return 1
    automation = Automation(call.handset)
    if not call.handset.listen(port, lambda stream: serve_http(stream, automation.answer)):
        call.err("java.lang.IllegalStateException: UiAutomationService is already registered!")
        return 1
    try:
        call.out("[server] INFO: [UiAutomator2Server] Starting Server")
        call.gone.wait()
    finally:
        call.handset.unlisten(port)
    return 0


PROGRAMS: dict[str, Program] = {
    "app_process": _app_process,
    "app_process64": _app_process,
    "screencap": _screencap,
    "uiautomator": _uiautomator,
}
