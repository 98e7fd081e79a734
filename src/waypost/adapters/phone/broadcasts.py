"""`am broadcast`: what test keyboards and clipboard helpers listen to; text of any script in, typed out.

Two keyboards are spoken for, each only while it is the one that is set, as on a phone: ADBKeyBoard
(`ADB_INPUT_B64 --es msg`) and uiautomator2's (`ADB_KEYBOARD_INPUT_TEXT --es text`, base64).
"""

import base64
import binascii
import re
from collections.abc import Callable

from waypost.adapters.phone.calls import Call
from waypost.adapters.phone.drafts import Draft
from waypost.adapters.phone.intents import Intent
from waypost.adapters.phone.pressing import press
from waypost.adapters.phone.settings import IMES
from waypost.errors import DeviceError
from waypost.model import Press

__all__ = ["broadcast"]

_TEXTS = {
    ("ADB_INPUT_TEXT", "msg"): False,
    ("ADB_INPUT_B64", "msg"): True,
    ("ADB_KEYBOARD_INPUT_TEXT", "text"): True,
    ("ADB_KEYBOARD_SET_TEXT", "text"): True,
}
"""Broadcasts that carry text: action, name of the extra; True where it is base64."""


def broadcast(call: Call, made: Intent) -> int:
    """Send a broadcast, and say as `am` does what came of it."""
    call.out(f"Broadcasting: {made}")
    result = _clipboard(call, made) or _received(call, made)
    if result is None:
        call.handset.note(f"nobody listens to the broadcast {made.action[:80]!r}")
        call.out("Broadcast completed: result=0")
        return 0
    code, data = result
    call.out(f"Broadcast completed: result={code}" + (f', data="{data}"' if data else ""))
    return 0


def _clipboard(call: Call, made: Intent) -> tuple[int, str] | None:
    """What the Clipper app answers."""
    match made.action:
        case "clipper.set" | "ca.zgrs.clipper.SET":
            call.handset.clipboard = made.extras.get("text", "")
            return -1, "Text is copied into clipboard."
        case "clipper.get" | "ca.zgrs.clipper.GET":
            return -1, call.handset.clipboard
    return None


def _received(call: Call, made: Intent) -> tuple[int, str] | None:
    if not made.action.startswith("ADB_"):
        return None
    theirs = made.action.startswith("ADB_KEYBOARD_")
    if call.handset.settings.keyboard != (IMES[2] if theirs else IMES[1]):
        return None
    try:
        return _done(call, made, theirs)
    except (binascii.Error, ValueError, OverflowError) as e:
        return 0, f"bad text: {e}"
    except DeviceError as e:
        call.handset.note(f"{made.action} failed: {e}")
        return 0, re.sub(r'["\n]', " ", str(e))


def _done(call: Call, made: Intent, theirs: bool) -> tuple[int, str] | None:
    hand, said = call.handset, (-1, "success") if theirs else (0, "")
    for (action, extra), encoded in _TEXTS.items():
        if made.action == action and extra in made.extras:
            text = made.extras[extra]
            if encoded:
                text = base64.b64decode(text, validate=True).decode("utf-8")
            hand.edit(_put(text, whole=action.endswith("SET_TEXT")), call.gone)
            return said
    match made.action:
        case "ADB_CLEAR_TEXT" | "ADB_KEYBOARD_CLEAR_TEXT":
            hand.edit(lambda _: Draft("", 0), call.gone)
        case "ADB_INPUT_CHARS":
            text = "".join(chr(int(n)) for n in made.extras.get("chars", "").split(",") if n)
            hand.edit(_put(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")), call.gone)
        case "ADB_INPUT_CODE":
            press(hand, [int(made.extras.get("code", "0"))], call.gone)
        case "ADB_EDITOR_CODE" | "ADB_KEYBOARD_EDITOR_CODE" | "ADB_KEYBOARD_SMART_ENTER":
            hand.act(Press("enter"), call.gone)
        case "ADB_KEYBOARD_HIDE":
            hand.hide_keyboard(call.gone)
        case "ADB_KEYBOARD_GET_CLIPBOARD":
            return -1, base64.b64encode(hand.clipboard.encode("utf-8", "replace")).decode()
        case _:
            return None
    return said


def _put(text: str, *, whole: bool = False) -> Callable[[Draft], Draft]:
    return lambda draft: Draft.at_end(text) if whole else draft.insert(text)
