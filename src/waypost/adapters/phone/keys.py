"""Android's key codes in, what they do out."""

import string
from collections.abc import Callable
from typing import TypeAlias

from waypost.adapters.phone.drafts import Draft

__all__ = ["EDITS", "PASTE", "PRESSES", "code_of"]

Edit: TypeAlias = Callable[[Draft], Draft]

_NAMES = {
    "UNKNOWN": 0,
    "HOME": 3,
    "BACK": 4,
    "CALL": 5,
    "ENDCALL": 6,
    "DPAD_UP": 19,
    "DPAD_DOWN": 20,
    "DPAD_LEFT": 21,
    "DPAD_RIGHT": 22,
    "DPAD_CENTER": 23,
    "VOLUME_UP": 24,
    "VOLUME_DOWN": 25,
    "POWER": 26,
    "CAMERA": 27,
    "COMMA": 55,
    "PERIOD": 56,
    "TAB": 61,
    "SPACE": 62,
    "ENTER": 66,
    "DEL": 67,
    "GRAVE": 68,
    "MINUS": 69,
    "EQUALS": 70,
    "LEFT_BRACKET": 71,
    "RIGHT_BRACKET": 72,
    "BACKSLASH": 73,
    "SEMICOLON": 74,
    "APOSTROPHE": 75,
    "SLASH": 76,
    "AT": 77,
    "PLUS": 81,
    "MENU": 82,
    "NOTIFICATION": 83,
    "SEARCH": 84,
    "PAGE_UP": 92,
    "PAGE_DOWN": 93,
    "ESCAPE": 111,
    "FORWARD_DEL": 112,
    "CTRL_LEFT": 113,
    "CTRL_RIGHT": 114,
    "MOVE_HOME": 122,
    "MOVE_END": 123,
    "NUMPAD_ENTER": 160,
    "VOLUME_MUTE": 164,
    "APP_SWITCH": 187,
    "SLEEP": 223,
    "WAKEUP": 224,
    "CUT": 277,
    "COPY": 278,
    "PASTE": 279,
}
_NAMES |= {d: 7 + i for i, d in enumerate(string.digits)}
_NAMES |= {c: 29 + i for i, c in enumerate(string.ascii_uppercase)}

PRESSES = {3: "home", 4: "back", 66: "enter", 160: "enter", 84: "enter"}
"""Keys that a `Device` knows itself."""
PASTE = 279


def _types(text: str) -> Edit:
    return lambda draft: draft.insert(text)


EDITS: dict[int, Edit] = {
    67: lambda draft: draft.delete(),
    112: lambda draft: draft.delete(forward=True),
    122: lambda draft: draft.move(-draft.caret),
    123: lambda draft: draft.move(len(draft.text)),
    21: lambda draft: draft.move(-1),
    22: lambda draft: draft.move(1),
    62: _types(" "),
}
"""Keys that change a text, or where in it the caret is."""
EDITS |= {7 + i: _types(d) for i, d in enumerate(string.digits)}
EDITS |= {29 + i: _types(c) for i, c in enumerate(string.ascii_lowercase)}
EDITS |= {
    _NAMES[name]: _types(sign)
    for name, sign in (
        ("COMMA", ","),
        ("PERIOD", "."),
        ("GRAVE", "`"),
        ("MINUS", "-"),
        ("EQUALS", "="),
        ("LEFT_BRACKET", "["),
        ("RIGHT_BRACKET", "]"),
        ("BACKSLASH", "\\"),
        ("SEMICOLON", ";"),
        ("APOSTROPHE", "'"),
        ("SLASH", "/"),
        ("AT", "@"),
        ("PLUS", "+"),
    )
}


def code_of(name: str) -> int:
    """Return a key's code from its name or number; -1 where there is no such key.

    >>> code_of("KEYCODE_BACK"), code_of("home"), code_of("67"), code_of("X1")
    (4, 3, 67, -1)
    """
    if name.isascii() and name.isdecimal():
        return int(name) if len(name) < 5 else -1
    return _NAMES.get(name.upper().removeprefix("KEYCODE_"), -1)
