"""What the endpoint has done: one request after the other in, figures out. No key is ever seen here."""

from collections import deque
from dataclasses import dataclass
from threading import Lock
from typing import Any

__all__ = ["Report", "Served"]

_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Served:
    """One request as it was passed on."""

    path: str
    """Without its query, which may hold a key."""
    status: int
    added_tokens: int
    """About how many tokens were put into the prompt."""
    latency: float
    """Seconds that the request was held before it was passed on."""
    page: str = ""


class Report:
    """Counts all requests, and keeps the latencies of the last ones."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._latencies: deque[float] = deque(maxlen=_KEPT)
        self._requests = self._guided = self._tokens = self._errors = 0

    def add(self, served: Served) -> None:
        with self._lock:
            self._requests += 1
            self._guided += served.added_tokens > 0
            self._tokens += served.added_tokens
            self._errors += served.status >= 400
            self._latencies.append(served.latency)

    def as_json(self) -> dict[str, Any]:
        """Return the figures; latencies in milliseconds, tokens as estimated."""
        with self._lock:
            ordered = sorted(self._latencies)
            return {
                "requests": self._requests,
                "guided": self._guided,
                "errors": self._errors,
                "added_tokens": self._tokens,
                "latency_ms": {
                    q: round(_quantile(ordered, int(q[1:])) * 1000, 3) for q in ("p50", "p95", "p99")
                },
            }


def _quantile(ordered: list[float], percent: int) -> float:
    """Return the least value that `percent` of the values do not exceed.

    >>> _quantile([1.0, 2.0, 3.0, 4.0], 50), _quantile([], 95)
    (2.0, 0.0)
    """
    if not ordered:
        return 0.0
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]
