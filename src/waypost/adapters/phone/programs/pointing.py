"""`input`: tap, swipe, text, keyevent, as Android's own program takes them."""

import re
from collections.abc import Callable

from waypost.adapters.phone.calls import Call, Program
from waypost.adapters.phone.drafts import Draft
from waypost.adapters.phone.keys import code_of
from waypost.adapters.phone.pressing import press
from waypost.model import Press, Tap

__all__ = ["PROGRAMS", "run_input"]

_SOURCES = frozenset(
    (
        "keyboard",
        "dpad",
        "gamepad",
        "touchscreen",
        "mouse",
        "stylus",
        "touchpad",
        "trackball",
        "touchnavigation",
    )
)
_USAGE = """Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]

The commands and default sources are:
      text <string> (Default: keyboard)
      keyevent [--longpress|--doubletap] <key code number or name> ... (Default: keyboard)
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      press (Default: trackball)
      roll <dx> <dy> (Default: trackball)
      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)
      keycombination <key code 1> <key code 2> ... (Default: keyboard)"""


def run_input(call: Call) -> int:
    """Do what the arguments say; 255 where they make no sense."""
    args = list(call.args)
    if args and args[0] in _SOURCES:
        args.pop(0)
    if args[:1] == ["-d"]:
        del args[:2]
    if not args:
        call.err(f"Error: Unknown command: \n{_USAGE}")
        return 255
    command, rest = args[0], args[1:]
    try:
        return _command(call, command, rest)
    except (ValueError, OverflowError, IndexError) as e:
        call.err(f"Error: Invalid arguments for command: {command} ({e})\n{_USAGE}")
        return 255


def _command(call: Call, command: str, rest: list[str]) -> int:
    hand = call.handset
    match command:
        case "tap":
            x, y = _numbers(rest, 2)
            hand.act(Tap((x, y)), call.gone)
        case "swipe" | "draganddrop":
            x, y, to_x, to_y = _numbers(rest, 4)
            ms = _numbers(rest[4:5], 1)[0] if len(rest) > 4 else 300
            hand.drag((x, y), (to_x, to_y), ms, call.gone)
        case "motionevent":
            x, y = _numbers(rest[1:], 2)
            hand.motion(rest[0].upper(), (x, y), call.gone)
        case "text":
            return _text(call, rest[0])
        case "keyevent":
            return _keys(call, rest)
        case "keycombination":
            return _combination(call, rest)
        case "press" | "roll":
            hand.note(f"'input {command}' does nothing here: there is no trackball")
        case _:
            call.err(f"Error: Unknown command: {command}\n{_USAGE}")
            return 255
    return 0


def _numbers(words: list[str], count: int) -> list[int]:
    if len(words) < count:
        raise ValueError("too few numbers")
    return [round(float(w)) for w in words[:count]]


def _text(call: Call, said: str) -> int:
    """Type what the virtual keyboard has keys for; as on Android, `%s` is a space and nothing else fits."""
    text = said.replace("%s", " ")
    if any(ord(c) > 126 or (ord(c) < 32 and c not in "\n\t") for c in text):
        call.err(
            "\nException occurred while executing 'text':\n"
            "java.lang.NullPointerException: Attempt to get length of null array\n"
            "\tat com.android.server.input.InputShellCommand.sendText"
        )
        return 255
    for part in re.split(r"(\n)", text):
        if part == "\n":
            call.handset.act(Press("enter"), call.gone)
        elif part:
            call.handset.edit(_inserting(part), call.gone)
    return 0


def _inserting(text: str) -> Callable[[Draft], Draft]:
    return lambda draft: draft.insert(text)


def _keys(call: Call, names: list[str]) -> int:
    long = "--longpress" in names
    codes = [(n, code_of(n)) for n in names if not n.startswith("--")]
    if not codes:
        raise ValueError("no key")
    for name, code in codes:
        if code < 0:
            call.err(f"Error: Unknown keycode: {name}")
            return 255
    press(call.handset, [c for _, c in codes], call.gone, long=long)
    return 0


def _combination(call: Call, names: list[str]) -> int:
    """Control with A, C, V or X, as a hardware keyboard sends them."""
    codes = [code_of(n) for n in names if not n.startswith("-")]
    if len(codes) < 2 or -1 in codes:
        raise ValueError("two keys or more")
    hand = call.handset
    if codes[0] not in (113, 114):
        hand.note(f"'input keycombination {' '.join(names)}' does nothing on this device")
        return 0
    match codes[1]:
        case 29:
            hand.edit(lambda draft: draft.mark(), call.gone)
        case 31:
            hand.edit(_copying(call, cut=False), call.gone)
        case 52:
            hand.edit(_copying(call, cut=True), call.gone)
        case 50:
            hand.edit(_inserting(hand.clipboard), call.gone)
        case _:
            hand.note(f"'input keycombination {' '.join(names)}' does nothing on this device")
    return 0


def _copying(call: Call, *, cut: bool) -> Callable[[Draft], Draft]:
    def change(draft: Draft) -> Draft:
        if draft.marked:
            call.handset.clipboard = draft.text
        return draft.delete() if cut and draft.marked else draft

    return change


PROGRAMS: dict[str, Program] = {"input": run_input}
