"""What goes over the wire to a chat model: turns in, text and a token count out; no shapes, no parsing."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Literal, Protocol

__all__ = ["Chat", "Completion", "Request", "Turn", "canonical", "digest", "request_key"]


@dataclass(frozen=True, slots=True)
class Turn:
    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[bytes, ...] = ()
    """PNG, JPEG or WebP."""


@dataclass(frozen=True, slots=True)
class Request:
    turns: tuple[Turn, ...]
    schema: str = ""
    """JSON Schema, as text, that the reply shall fit; empty where any text will do."""
    name: str = "reply"
    """What the shape is called; servers want a name for a schema."""


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    sent: int | None = None
    """Tokens of the request; None where the server does not say."""
    received: int | None = None
    """Tokens of the reply; None where the server does not say."""
    cut: bool = False
    """The reply ran into the limit of tokens."""


class Chat(Protocol):
    """A model as it is spoken to. May be called from several threads at once."""

    @property
    def model(self) -> str: ...

    def complete(self, request: Request) -> Completion:
        """Raises BusyError where asking again may help, else ModelError."""
        ...


def digest(image: bytes) -> str:
    """Return what stands for a picture in keys and recordings: its SHA-256, hex."""
    return hashlib.sha256(image).hexdigest()


def canonical(request: Request, model: str) -> dict[str, Any]:
    """Return a request as plain JSON values, pictures by their SHA-256."""
    turns = [
        {"role": t.role, "text": t.text, "images": [digest(image) for image in t.images]}
        for t in request.turns
    ]
    return {"model": model, "turns": turns, "schema": request.schema}


def request_key(request: Request, model: str) -> str:
    """Return the key that equal requests share.

    >>> ask = Request((Turn("user", "hello"),))
    >>> request_key(ask, "m") == request_key(ask, "m") != request_key(ask, "n")
    True
    """
    text = json.dumps(canonical(request, model), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
