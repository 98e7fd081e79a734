"""A chat model asked from the machines of a cluster: a request in, the completion as a worker got it out."""

from collections.abc import Callable
from typing import Any, Protocol

from waypost.adapters.llm.wire import Chat, Completion, Request

__all__ = ["SpreadChat"]


class _Workers(Protocol):
    def do(self, work: Callable[..., Any], *given: Any) -> Any: ...


class SpreadChat:
    """Hands each request to whichever worker is free; every worker holds a chat of its own.

    So each machine can ask the model that it serves itself, at an address on its own loopback.
    """

    def __init__(self, model: str, workers: _Workers) -> None:
        self._model, self._workers = model, workers

    @property
    def model(self) -> str:
        return self._model

    def complete(self, request: Request) -> Completion:
        done: Completion = self._workers.do(_asked, request)
        return done


def _asked(chat: Chat, request: Request) -> Completion:
    return chat.complete(request)
