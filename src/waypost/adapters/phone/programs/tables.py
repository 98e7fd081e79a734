"""Names and values: getprop, setprop, settings, ime, wm."""

import re

from waypost.adapters.phone.calls import Call, Program
from waypost.adapters.phone.handset import density
from waypost.adapters.phone.settings import IMES

__all__ = ["PROGRAMS", "ime", "wm"]


def _getprop(call: Call) -> int:
    known = call.handset.properties()
    if not call.args:
        for name, value in sorted(known.items()):
            call.out(f"[{name}]: [{value}]")
        return 0
    default = call.args[1] if len(call.args) > 1 else ""
    call.out(known.get(call.args[0], default))
    return 0


def _setprop(call: Call) -> int:
    call.err(f"Failed to set property '{' '.join(call.args)[:80]}'.\nSee dmesg for error reason.")
    return 1


def _settings(call: Call) -> int:
    args = list(call.args)
    if "--user" in args:
        at = args.index("--user")
        del args[at : at + 2]
    table = call.handset.settings
    match args:
        case ["get", space, key] if table.table(space) is not None:
            value = table.read(space, key)
            call.out("null" if value is None else value)
        case ["put", space, key, value, *_] if table.write(space, key, value):
            pass
        case ["delete", space, key] if table.table(space) is not None:
            had = table.read(space, key) is not None
            table.write(space, key, None)
            call.out(f"Deleted {int(had)} rows")
        case ["list", space] if (rows := table.table(space)) is not None:
            for key, value in sorted(rows.items()):
                call.out(f"{key}={value}")
        case _:
            call.err("Invalid command: usage: settings [--user USER] get|put|delete|list TABLE [KEY] [VALUE]")
            return 255
    return 0


def ime(call: Call) -> int:
    """List, enable and choose keyboards."""
    table = call.handset.settings
    enabled = (table.read("secure", "enabled_input_methods") or "").split(":")
    match call.args:
        case ["list", *asked]:
            shown = IMES if "-a" in asked else [i for i in IMES if i in enabled]
            for name in shown:
                call.out(name if "-s" in asked else f"{name}:\n  mId={name} mSettingsActivityName=null")
        case ["set" | "enable" | "disable", name] if name not in IMES:
            call.err(f"Unknown input method {name} cannot be {call.args[0]} for user #0")
            return 1
        case ["set", name]:
            table.write("secure", "default_input_method", name)
            call.out(f"Input method {name} selected for user #0")
        case ["enable", name]:
            had = "already enabled" if name in enabled else "now enabled"
            table.write(
                "secure", "enabled_input_methods", ":".join(dict.fromkeys([*filter(None, enabled), name]))
            )
            call.out(f"Input method {name}: {had} for user #0")
        case ["disable", name]:
            kept = [i for i in enabled if i not in (name, "")]
            table.write("secure", "enabled_input_methods", ":".join(kept))
            if table.keyboard == name:
                table.write("secure", "default_input_method", IMES[0])
            call.out(f"Input method {name}: now disabled for user #0")
        case ["reset"]:
            table.write("secure", "enabled_input_methods", ":".join(IMES))
            table.write("secure", "default_input_method", IMES[0])
            call.out(f"Reset current and enabled IMEs for user #0\n  Selected: {IMES[0]}")
        case _:
            call.err("usage: ime list [-a] [-s] | ime enable|disable|set ID | ime reset")
            return 255
    return 0


def wm(call: Call) -> int:
    """Say how large the screen is; it cannot be changed."""
    screen = call.handset.window(call.gone).screen
    width, height = screen.size if screen.rotation % 2 == 0 else screen.size[::-1]
    match call.args:
        case ["size"]:
            call.out(f"Physical size: {width}x{height}")
        case ["density"]:
            call.out(f"Physical density: {density(screen.size)}")
        case ["size" | "density", "reset"]:
            pass
        case ["size" | "density", said] if re.fullmatch(r"\d+(x\d+)?", said):
            call.err(f"Error: the screen of a served device keeps its {call.args[0]}")
            return 1
        case ["user-rotation" | "fixed-to-user-rotation", *_]:
            call.out("lock 0")
        case ["dismiss-keyguard"]:
            pass
        case _:
            call.err("Window manager (window) commands: size, density")
            return 255
    return 0


PROGRAMS: dict[str, Program] = {
    "getprop": _getprop,
    "ime": ime,
    "setprop": _setprop,
    "settings": _settings,
    "wm": wm,
}
