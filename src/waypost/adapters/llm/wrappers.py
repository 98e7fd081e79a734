"""Behaviours that any chat model can be given: asked again, asked by few at once, told nothing private."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import BoundedSemaphore, Lock
from typing import TypeVar

from waypost.adapters.llm.wire import Chat, Completion, Request
from waypost.errors import BusyError
from waypost.model.private import withheld

__all__ = ["Backoff", "Limited", "Patience", "Redacting", "Retrying"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often a busy endpoint is asked, and how long is waited in between."""

    tries: int = 5
    first: float = 1.0
    """Seconds before the second try; doubled for each one after."""
    most: float = 60.0
    """Most seconds of one wait, also where the endpoint asks for more."""


class Patience:
    """Asks what is busy again, later and later, each time by a random bit more."""

    def __init__(
        self, *, sleep: Callable[[float], None], seed: int = 0, backoff: Backoff | None = None
    ) -> None:
        self._sleep = sleep
        self._random, self._lock = random.Random(seed), Lock()
        self._backoff = backoff or Backoff()

    def ask(self, question: Callable[[], T]) -> T:
        """Return what is answered. Raises BusyError where it stays busy."""
        wait = self._backoff.first
        for left in reversed(range(self._backoff.tries)):
            try:
                return question()
            except BusyError as e:
                if not left:
                    raise BusyError(f"{e} (asked {self._backoff.tries} times)", e.after) from e
                with self._lock:
                    # Or all the threads that were sent away together would come back together.
                    jitter = 1 + self._random.random() / 4
                self._sleep(min(self._backoff.most, max(wait * jitter, e.after or 0.0)))
                wait *= 2
        raise ValueError("a back-off needs at least one try")


class Retrying:
    """Wraps a chat model; asks a busy endpoint again."""

    def __init__(
        self, chat: Chat, *, sleep: Callable[[float], None], seed: int = 0, backoff: Backoff | None = None
    ) -> None:
        self._chat = chat
        self._patience = Patience(sleep=sleep, seed=seed, backoff=backoff)

    @property
    def model(self) -> str:
        return self._chat.model

    def complete(self, request: Request) -> Completion:
        return self._patience.ask(lambda: self._chat.complete(request))


class Limited:
    """Wraps a chat model; lets only so many questions out at once."""

    def __init__(self, chat: Chat, most: int) -> None:
        self._chat, self._gate = chat, BoundedSemaphore(most)

    @property
    def model(self) -> str:
        return self._chat.model

    def complete(self, request: Request) -> Completion:
        with self._gate:
            return self._chat.complete(request)


class Redacting:
    """Wraps a chat model; addresses, numbers and secrets are cut out of every text before it leaves.

    Pictures are passed on as they are: who takes them blots out what they show (`adapters.pictures`).
    """

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    @property
    def model(self) -> str:
        return self._chat.model

    def complete(self, request: Request) -> Completion:
        turns = tuple(replace(t, text=withheld(t.text)) for t in request.turns)
        return self._chat.complete(replace(request, turns=turns))
