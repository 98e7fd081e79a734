"""Models that say what they were told to: for tests of whoever asks, and for trials without a key."""

from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any, TypeAlias, TypeVar

from waypost.adapters.llm.wire import Completion, Request
from waypost.errors import ModelError

__all__ = ["Asked", "Scripted", "ScriptedChat"]

T = TypeVar("T")
Asked: TypeAlias = tuple[str, tuple[bytes, ...]]
"""A prompt and its pictures."""


class Scripted:
    """An `LLM` that gives its replies in order, or what a function of the prompt says; errors are raised."""

    def __init__(
        self, replies: Iterable[Any] | Callable[[str, type[Any]], Any], *, id: str = "scripted"
    ) -> None:
        self._say = replies if callable(replies) else _in_order(replies)
        self._id, self._lock = id, Lock()
        self.asked: list[Asked] = []
        """Every question so far."""

    @property
    def id(self) -> str:
        return self._id

    def ask(self, prompt: str, images: Sequence[bytes] = (), *, returns: type[T]) -> T:
        with self._lock:
            self.asked.append((prompt, tuple(images)))
            reply = self._say(prompt, returns)
        if isinstance(reply, Exception):
            raise reply
        if not isinstance(reply, returns):
            raise TypeError(f"The script says {reply!r}, and a {returns.__name__} was asked for")
        return reply


class ScriptedChat:
    """A `Chat` that gives its texts in order, however broken they are; errors are raised."""

    def __init__(self, replies: Iterable[str | Completion | Exception], *, model: str = "scripted") -> None:
        self._say = _in_order(replies)
        self._model, self._lock = model, Lock()
        self.asked: list[Request] = []
        """Every request so far."""

    @property
    def model(self) -> str:
        return self._model

    def complete(self, request: Request) -> Completion:
        with self._lock:
            self.asked.append(request)
            reply = self._say("", str)
        if isinstance(reply, Exception):
            raise reply
        return (
            reply if isinstance(reply, Completion) else Completion(reply, len(request.turns) * 10, len(reply))
        )


def _in_order(replies: Iterable[Any]) -> Callable[[str, type[Any]], Any]:
    waiting = iter(replies)

    def say(prompt: str, returns: type[Any]) -> Any:
        try:
            return next(waiting)
        except StopIteration:
            raise ModelError("The script is at its end") from None

    return say
