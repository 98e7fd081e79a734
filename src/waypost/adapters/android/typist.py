"""Text of any script into a field of a phone: a text in, keys or an input method's words out, read back.

Plain ASCII goes by `input text`, all else by an input method that takes text from a broadcast, or by
the clipboard, whichever the phone has. Nothing is installed; the user's own input method is put back.
"""

import base64
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from waypost.adapters.android import names
from waypost.adapters.android.shell import Shell
from waypost.adapters.android.state import input_method
from waypost.errors import DeviceError

__all__ = ["KEYBOARDS", "LONG", "Keyboard", "Typist", "pieces", "took"]

_PIECE = 160
"""Signs that one `input text` types; longer ones were seen to lose some."""
_KEYS_AT_ONCE = 60
LONG = 100
"""Signs from which on a tree may not say all of a text."""
_CLIPBOARD = "set-text"
"""The word that `cmd clipboard` lists where it can be written to."""


@dataclass(frozen=True, slots=True)
class Keyboard:
    """An input method that types what a broadcast brings it, in base64."""

    id: str
    action: str
    extra: str


KEYBOARDS = (
    Keyboard("com.android.adbkeyboard/.AdbIME", "ADB_INPUT_B64", "msg"),
    Keyboard("com.github.uiautomator/.AdbKeyboard", "ADB_KEYBOARD_INPUT_TEXT", "text"),
)
"""Those that are known, the commoner first. None of them is shipped or installed by Waypost."""

Way = Callable[[str], None]


def pieces(text: str) -> Iterator[str]:
    """Split ASCII into words of `input text`, which reads `%s` as a space and has no other escape.

    >>> list(pieces("50%sure it's $5"))
    ['50%', "sure%sit's%s$5"]
    """
    for part in re.split(r"(?<=%)(?=s)", text):
        for start in range(0, len(part), _PIECE):
            yield part[start : start + _PIECE].replace(" ", "%s")


def took(text: str, shown: str, *, password: bool = False) -> bool:
    """Tell whether a field holds a text: as it is, or with the signs that the field's own mask adds.

    >>> took("1200", "1,200.00"), took("hello", "hell"), took("$5", "5"), took("a  b", "a b")
    (True, False, False, True)
    >>> took("secret", "••••••", password=True), took("secret", "•••", password=True)
    (True, False)
    """
    if password:
        return len(shown) in (len(text), len(text.encode("utf-16-le")) // 2)
    if _plain(text) == _plain(shown):
        return True
    if len(shown) >= LONG and shown.endswith("…") and _plain(text).startswith(_plain(shown[:-1])):
        return True  # Some trees say only the beginning of a long text.
    signs = iter(shown.casefold())
    wanted = [c for c in text.casefold() if not c.isspace()]
    if not wanted or not all(any(c == s for s in signs) for c in wanted):
        return False
    added = len("".join(shown.split())) - len(wanted)
    return added <= 4 + len(wanted) // 3 and sum(map(str.isalpha, shown)) == sum(map(str.isalpha, text))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ")).strip()


class Typist:
    """Types into the field that has the focus."""

    def __init__(self, shell: Shell, rest: Callable[[float], None]) -> None:
        self._shell = shell
        self._rest = rest
        self._keyboard: Keyboard | None = None
        self._clipboard = False
        self._looked = False

    def ways(self, text: str) -> list[Way]:
        """Return the ways to type a text on this phone, the first to be tried first."""
        plain = bool(text) and text.isascii() and text.isprintable()
        if not text:
            return [lambda _: None]
        self._look()
        others: list[Way] = [self._by_keyboard] if self._keyboard else []
        others += [self._by_clipboard] if self._clipboard else []
        found = [self._by_keys, *others] if plain else others
        if not found:
            known = ", ".join(k.id for k in KEYBOARDS)
            raise DeviceError(
                f"This phone has no way to type {text[:40]!r}: only plain ASCII goes by keys. "
                f"Install an input method that adb can write to ({known}), then try again"
            )
        return found

    def clear(self, count: int) -> None:
        """Delete what stands in the field, `count` signs of it."""
        if count <= 0:
            return
        self._shell.run(["input", "keyevent", "KEYCODE_MOVE_END"])
        # As many after the cursor too: in a field of several lines the end is that of the line.
        for key in ("67", "112"):
            for start in range(0, count, _KEYS_AT_ONCE):
                self._shell.run(["input", "keyevent", *[key] * min(_KEYS_AT_ONCE, count - start)])

    def _look(self) -> None:
        if self._looked:
            return
        listed = self._said("ime", "list", "-s", "-a").split()
        self._keyboard = next((k for k in KEYBOARDS if k.id in listed), None)
        self._clipboard = _CLIPBOARD in self._said("cmd", "clipboard", "help")
        self._looked = True

    def _said(self, *words: str) -> str:
        return self._shell.run(list(words)).decode("utf-8", errors="replace")

    def _by_keys(self, text: str) -> None:
        for piece in pieces(text):
            self._shell.run(["input", "text", piece])

    def _by_keyboard(self, text: str) -> None:
        keyboard = self._keyboard
        assert keyboard is not None
        before = self._in_use()
        if before != keyboard.id:
            self._shell.run(["ime", "enable", keyboard.id], ["ime", "set", keyboard.id])
            self._await(keyboard.id)
        try:
            # Base64 in pieces of whole signs, so that no line grows too long.
            for start in range(0, len(text), 2000):
                coded = base64.b64encode(text[start : start + 2000].encode()).decode()
                self._shell.run(["am", "broadcast", "-a", keyboard.action, "--es", keyboard.extra, coded])
        finally:
            if before and before != keyboard.id:
                self._shell.run(["ime", "set", names.ime(before)])

    def _by_clipboard(self, text: str) -> None:
        self._shell.run(["cmd", "clipboard", _CLIPBOARD, text])
        self._shell.run(["input", "keyevent", "KEYCODE_PASTE"])

    def _in_use(self) -> str:
        said = self._said("settings", "get", "secure", "default_input_method").strip()
        return said if re.fullmatch(r"[\w.]+/[\w.$]+", said) else ""

    def _await(self, keyboard: str) -> None:
        """Wait until the field has taken up with the input method, a second or so at most."""
        for _ in range(8):
            if input_method(self._said("dumpsys", "input_method")) in (keyboard, ""):
                return
            self._rest(0.15)
