r"""A request's bytes in, the same bytes with a text put into the prompt out; nothing else is written anew.

The body is never decoded and encoded again: numbers, blanks, escapes and the order of keys stay as the agent
sent them, which also keeps a provider's prompt cache warm.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Message", "Request", "added", "read"]

_BLANK = re.compile(r"[ \t\n\r]*")
_SYSTEM = ("system", "developer")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a request, and where its content stands in the text."""

    role: str
    content: Any
    start: int
    end: int
    """Where the content ends; equal to `start` where it has none."""

    @property
    def text(self) -> str:
        """What it says, pictures left out."""
        if isinstance(self.content, str):
            return self.content
        parts = self.content if isinstance(self.content, list) else []
        said = [p.get("text") for p in parts if isinstance(p, dict)]
        return "\n".join(s for s in said if isinstance(s, str))


@dataclass(frozen=True, slots=True)
class Request:
    """A chat request as text, with the places where something can be put in."""

    text: str
    messages: tuple[Message, ...]
    head: int
    """Where the first message begins."""


def read(body: bytes) -> Request | None:
    """Find the messages of a chat request; None for whatever is none, which passes as it is.

    >>> found = read(b'{"messages": [{"role": "user", "content": "go"}]}')
    >>> [(m.role, m.text) for m in found.messages] if found else None
    [('user', 'go')]
    >>> read(b"[1, 2]") is None
    True
    """
    try:
        text = body.decode("utf-8")
        at = next((start for key, start, _ in _members(text, _after(text, 0)) if key == "messages"), None)
        if at is None or text[at] != "[":
            return None
        spans = list(_elements(text, at))
        return Request(text, tuple(_message(text, start) for start in spans), _after(text, at + 1))
    except (ValueError, RecursionError, IndexError):
        return None


def added(request: Request, words: str, placeholder: str = "") -> bytes:
    r"""Put words into the prompt: where the placeholder stands, else at the end of the system's message.

    A request without a system's message gets one. With no words, a placeholder is taken out.

    >>> found = read(b'{"messages": [{"role": "system", "content": "Be brief."}], "n":1.0}')
    >>> added(found, "Go left.") if found else b""
    b'{"messages": [{"role": "system", "content": "Be brief.\\n\\nGo left."}], "n":1.0}'
    """
    text = request.text
    inner = json.dumps(words)[1:-1]
    if placeholder and (found := _written(placeholder).search(text)):
        # Every place: an agent's own history may hold the prompt again.
        return (
            text[: found.start()] + _written(placeholder).sub(lambda _: inner, text[found.start() :])
        ).encode()
    if not words or inner in text:
        return text.encode()
    system = next((m for m in request.messages if m.role in _SYSTEM), None)
    if system is None or system.end == system.start:
        made = json.dumps({"role": "system", "content": words})
        more = ", " if request.messages else ""
        return (text[: request.head] + made + more + text[request.head :]).encode()
    last = system.end - 1
    if isinstance(system.content, str):
        gap = "\\n\\n" if system.content else ""
        return (text[:last] + gap + inner + text[last:]).encode()
    part = json.dumps({"type": "text", "text": words})
    return (text[:last] + (", " if system.content else "") + part + text[last:]).encode()


def _written(placeholder: str) -> re.Pattern[str]:
    """Match a placeholder as JSON may write it: as it stands, or with its signs escaped."""
    each = (f"(?:{re.escape(c)}|\\\\u{ord(c):04x}|\\\\u{ord(c):04X})" for c in placeholder)
    return re.compile("".join(each))


def _message(text: str, start: int) -> Message:
    if text[start] != "{":
        raise ValueError("a message is an object")
    role, content, begin, end = "", None, start, start
    for key, at, stop in _members(text, start):
        if key == "role":
            role = str(_DECODER.raw_decode(text, at)[0])
        elif key == "content":
            content, begin, end = _DECODER.raw_decode(text, at)[0], at, stop
    if not isinstance(content, (str, list)):
        begin = end = start
    return Message(role, content, begin, end)


def _members(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield each member of an object: its key, and where its value begins and ends."""
    if text[start] != "{":
        raise ValueError("not an object")
    at = _after(text, start + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _after(text, at)
        if text[at] != ":":
            raise ValueError("no value")
        begin = _after(text, at + 1)
        _, end = _DECODER.raw_decode(text, begin)
        yield key, begin, end
        at = _comma(text, end, "}")


def _elements(text: str, start: int) -> Iterator[int]:
    """Yield where each element of a list begins."""
    at = _after(text, start + 1)
    while text[at] != "]":
        yield at
        _, end = _DECODER.raw_decode(text, at)
        at = _comma(text, end, "]")


def _comma(text: str, end: int, closing: str) -> int:
    at = _after(text, end)
    if text[at] == ",":
        return _after(text, at + 1)
    if text[at] != closing:
        raise ValueError(f"neither comma nor {closing}")
    return at


def _after(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found is not None
    return found.end()
