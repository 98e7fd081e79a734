"""A request's bytes in, the same bytes with a text put into the prompt out; nothing else is written anew.

The body is never decoded and encoded again: numbers, blanks, escapes and the order of keys stay as the agent
sent them, which also keeps a provider's prompt cache warm.
"""

import json
import re
from collections.abc import Callable, Iterator
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
        at = next((begin for key, begin, _ in _members(text, _after(text, 0)) if key == "messages"), None)
        if at is None or text[at] != "[":
            return None
        return Request(text, tuple(_messages(text, at)), _after(text, at + 1))
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
    # Looked for plainly first: most requests are one long picture, and hold none.
    perhaps = bool(placeholder) and (placeholder in text or "\\u" in text)
    if perhaps and (found := _written(placeholder).search(text)):
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


def _messages(text: str, start: int) -> Iterator[Message]:
    at = _after(text, start + 1)
    while text[at] != "]":
        message, end = _message(text, at)
        yield message
        at = _comma(text, end, "]")


def _message(text: str, start: int) -> tuple[Message, int]:
    """Read one message, every part of it once: pictures are long. Returns where it ends as well."""
    role, content, begin, end = "", None, start, start
    last = start + 1
    for key, at, skip in _members(text, start):
        value, last = _DECODER.raw_decode(text, at)
        skip(last)
        if key == "role":
            role = str(value)
        elif key == "content":
            content, begin, end = value, at, last
    if not isinstance(content, (str, list)):
        begin = end = start
    return Message(role, content, begin, end), _after(text, last) + 1


def _members(text: str, start: int) -> Iterator[tuple[str, int, Callable[[int], None]]]:
    """Yield each member of an object: its key, where its value begins, and whom to tell where it ends.

    Whoever has read the value tells it, so that it is not read twice.
    """
    if text[start] != "{":
        raise ValueError("not an object")
    at = _after(text, start + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _after(text, at)
        if not isinstance(key, str) or text[at] != ":":
            raise ValueError("no value")
        begin = _after(text, at + 1)
        told: list[int] = []
        yield key, begin, told.append
        end = told[0] if told else _DECODER.raw_decode(text, begin)[1]
        at = _comma(text, end, "}")


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
