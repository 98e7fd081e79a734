"""What a dump command printed in, the tree's text or why there is none out. Exit codes are not asked."""

import re
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Dump", "clean", "decoded", "tree_text"]


class Dump(StrEnum):
    """Why a dump command gave no tree."""

    NONE = ""
    """It did give one."""
    EMPTY = "empty"
    """It printed nothing, or a tree without a node."""
    BUSY = "busy"
    """The screen never came to rest."""
    KILLED = "killed"
    """The system ended it, mostly for memory."""
    NO_WINDOW = "no window"
    """There was no active window to read."""
    TAKEN = "taken"
    """Another program holds the phone's UiAutomation."""
    REFUSED = "refused"
    """No permission, no such command, no such file."""
    UNREADABLE = "unreadable"


# What the command is known to print instead of a tree; the first that is found counts.
_COMPLAINTS: tuple[tuple[Dump, re.Pattern[str]], ...] = (
    (Dump.BUSY, re.compile(r"could not get idle state|waitForIdle.{0,40}time", re.I)),
    (
        Dump.TAKEN,
        re.compile(
            r"UiAutomation(Service)?\b.{0,60}(already registered|not connected|already connected)", re.I
        ),
    ),
    (Dump.NO_WINDOW, re.compile(r"null root node|no active window|root filtered out", re.I)),
    (Dump.KILLED, re.compile(r"\bKilled\b|signal 9|out ?of ?memory", re.I)),
    (
        Dump.REFUSED,
        re.compile(
            r"permission denial|permission denied|not found|inaccessible|no such file|read-only", re.I
        ),
    ),
)
_TAG = r"(?:hierarchy|displays|AppiumAUT|XCUIElementType\w+|node|androidx?\.[\w.$]+)"
_START = re.compile(rf"<\?xml|<{_TAG}[\s/>]")
_ANY_START = re.compile(r"<[A-Za-z][\w.$:-]*(?:\s+[\w:-]+\s*=\s*[\"']|\s*/?>)")
_BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass(frozen=True, slots=True)
class Told:
    """The tree's text, or why there is none."""

    text: str
    fault: Dump = Dump.NONE
    said: str = ""
    """The first line of what stood in its place, or before it."""


def decoded(raw: bytes | bytearray) -> str:
    r"""Turn bytes into text; what is no UTF-8 becomes the replacement sign, split surrogates are kept.

    >>> decoded(b"caf\xc3\xa9 \xff")
    'café \ufffd'
    """
    raw = bytes(raw)
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", errors="replace")
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        # Some phones write an emoji as two surrogates of three bytes each.
        return raw.decode("utf-8", errors="surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("utf-8", errors="replace")


def clean(text: str) -> str:
    r"""Join split surrogate pairs, mark lone ones, and drop what no screen can show.

    >>> clean("a\ud83d\udc4bb\ud83d\x01c") == "a👋b\ufffdc"
    True
    """
    if not _BAD.search(text):
        return text
    text = _PAIR.sub(lambda m: m[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return _BAD.sub(lambda m: "\ufffd" if "\ud800" <= m[0] <= "\udfff" else "", text)


def tree_text(printed: str | bytes) -> Told:
    r"""Find the tree in what a command printed: log lines before it are cut off, complaints are named.

    >>> tree_text("WARNING: linker\n<hierarchy rotation='0'></hierarchy>").text
    "<hierarchy rotation='0'></hierarchy>"
    >>> tree_text("ERROR: could not get idle state.").fault.value
    'busy'
    """
    text = decoded(printed) if isinstance(printed, (bytes, bytearray)) else printed
    found = _START.search(text) or _ANY_START.search(text)
    before = text[: found.start()] if found else text
    said = next((line.strip() for line in before.splitlines() if line.strip()), "")[:200]
    if found:
        return Told(text[found.start() :], Dump.NONE, said)
    if not text.strip("\x00 \r\n\t"):
        return Told("", Dump.EMPTY)
    return Told("", complaint(text) or Dump.UNREADABLE, said)


def complaint(text: str) -> Dump:
    """Name what a dump command complains of; Dump.NONE where it does not.

    >>> complaint("Killed ").value
    'killed'
    """
    return next((kind for kind, pattern in _COMPLAINTS if pattern.search(text)), Dump.NONE)
