"""What asking has cost: calls in, counts, tokens, money and time out."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from waypost.adapters.llm.wire import Chat, Completion, Request
from waypost.errors import ModelError

__all__ = ["Call", "Ledger", "Metered", "Prices", "estimated_tokens"]

_PICTURE = 1_200
"""Tokens that a picture of a phone's screen is taken for where a server does not say; models differ."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in whatever currency the user thinks in."""

    sent: float = 0.0
    received: float = 0.0

    def cost(self, sent: int, received: int) -> float:
        """Return what so many tokens cost.

        >>> Prices(0.5, 1.5).cost(2_000_000, 1_000_000)
        2.5
        """
        return (sent * self.sent + received * self.received) / 1e6


@dataclass(frozen=True, slots=True)
class Call:
    """One question to the endpoint, answered or not."""

    model: str
    sent: int
    received: int
    estimated: bool
    """The endpoint did not say how many tokens it were."""
    cost: float
    seconds: float
    error: str = ""
    """Kind of the error; empty where there was an answer."""


class Ledger:
    """Calls as they were made; may be written to from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._calls: list[Call] = []
        self._saved = 0

    def add(self, call: Call) -> None:
        with self._lock:
            self._calls.append(call)

    def save(self) -> None:
        """Count a question that a cache answered."""
        with self._lock:
            self._saved += 1

    @property
    def calls(self) -> tuple[Call, ...]:
        with self._lock:
            return tuple(self._calls)

    def as_json(self) -> dict[str, Any]:
        """Return the sums: what a command says of its spending."""
        calls = self.calls
        return {
            "calls": len(calls),
            "failed": sum(1 for c in calls if c.error),
            "cached": self._saved,
            "tokens_sent": sum(c.sent for c in calls),
            "tokens_received": sum(c.received for c in calls),
            "estimated": any(c.estimated for c in calls),
            "cost": round(sum(c.cost for c in calls), 6),
            "seconds": round(sum(c.seconds for c in calls), 3),
        }


class Metered:
    """Wraps a chat model; every call is entered in a ledger, those that fail too."""

    def __init__(
        self, chat: Chat, ledger: Ledger, *, clock: Callable[[], float], prices: Prices | None = None
    ) -> None:
        self._chat, self._ledger, self._clock = chat, ledger, clock
        self._prices = prices or Prices()

    @property
    def model(self) -> str:
        return self._chat.model

    def complete(self, request: Request) -> Completion:
        began = self._clock()
        try:
            reply = self._chat.complete(request)
        except ModelError as e:
            took = self._clock() - began
            self._ledger.add(Call(self.model, 0, 0, False, 0.0, took, type(e).__name__))
            raise
        sent = estimated_tokens(request) if reply.sent is None else reply.sent
        received = len(reply.text.encode()) // 4 + 1 if reply.received is None else reply.received
        unsure = reply.sent is None or reply.received is None
        cost = self._prices.cost(sent, received)
        self._ledger.add(Call(self.model, sent, received, unsure, cost, self._clock() - began))
        return reply


def estimated_tokens(request: Request) -> int:
    """Guess the tokens of a request: four bytes each, and a round figure a picture."""
    words = sum(len(t.text.encode("utf-8", "replace")) // 4 + 4 for t in request.turns)
    return words + sum(_PICTURE * len(t.images) for t in request.turns)
