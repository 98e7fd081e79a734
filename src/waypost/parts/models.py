"""What a user says of a language model in, an `LLM` with its ledger out; nothing connects at once."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from waypost.adapters.llm import (
    Asking,
    Cached,
    Chat,
    Endpoint,
    Ledger,
    Limited,
    Metered,
    OpenAiChat,
    Prices,
    Redacting,
    Retrying,
    SpreadChat,
)
from waypost.errors import UsageError

__all__ = ["ModelOptions", "OpenModel", "from_cluster", "open_model", "replies_home"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Where a model is served, and what it may cost."""

    model: str = ""
    base_url: str = ""
    key: str = field(default="", repr=False)
    images: bool = True
    """False for a model that takes no pictures."""
    max_tokens: int = 2_048
    """Most tokens of one reply."""
    timeout: float = 120.0
    """Seconds for one reply."""
    price_sent: float = 0.0
    """Cost of a million tokens sent."""
    price_received: float = 0.0
    """Cost of a million tokens received."""
    workers: int = 4
    """Most questions at once."""
    cache: Path | None = None
    """Where replies are kept; None: `replies_home()`."""


@dataclass(frozen=True, slots=True)
class OpenModel:
    """A model ready to be asked, and what asking it has cost so far."""

    llm: Cached
    ledger: Ledger

    def spent(self) -> dict[str, Any]:
        """Return the sums of this run: calls, tokens, cost, and what the cache saved."""
        return self.ledger.as_json()

    def holds(self, prompt: str, images: tuple[bytes, ...], returns: type[Any]) -> bool:
        """Say whether the answer is in the cache, so that asking costs nothing."""
        return self.llm.holds(prompt, images, returns=returns)


def replies_home() -> Path:
    """Return where replies are kept: `$XDG_CACHE_HOME/waypost/replies`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "waypost" / "replies"


def open_model(options: ModelOptions, spread: Callable[[Endpoint], Chat] = OpenAiChat) -> OpenModel:
    """Put a model together: cached, redacted, metered, retried, limited. Raises UsageError.

    `spread` makes what goes over the wire: from here, unless told; see `from_cluster`.
    """
    if not options.model:
        raise UsageError("Say which model to ask: --model NAME, or set WAYPOST_LLM_MODEL; see docs/models.md")
    if options.base_url and not options.base_url.startswith(("http://", "https://")):
        raise UsageError(f"{options.base_url!r} is no address of a model; it begins with http:// or https://")
    endpoint = Endpoint(
        options.model,
        key=options.key,
        timeout=options.timeout,
        max_tokens=options.max_tokens,
        images=options.images,
    )
    if options.base_url:
        endpoint = replace(endpoint, base_url=options.base_url)
    ledger = Ledger()
    prices = Prices(options.price_sent, options.price_received)
    metered = Metered(Redacting(spread(endpoint)), ledger, clock=time.monotonic, prices=prices)
    chat = Limited(Retrying(metered, sleep=time.sleep), options.workers)
    return OpenModel(Cached(Asking(chat), options.cache or replies_home(), ledger=ledger), ledger)


@contextmanager
def from_cluster(options: ModelOptions, address: str) -> Iterator[OpenModel]:
    """Put a model together that is asked by `options.workers` processes of a Ray cluster.

    Each asks from its own machine, so that the address of the model may be one of its own loopback.
    What was sent, spent and kept is noted here. Raises UsageError.
    """
    from waypost.adapters.rayed import RayWorkers

    held: list[RayWorkers] = []

    def spread(endpoint: Endpoint) -> Chat:
        held.append(RayWorkers([partial(OpenAiChat, endpoint)] * options.workers, address))
        return SpreadChat(endpoint.model, held[0])

    try:
        yield open_model(options, spread)
    finally:
        for workers in held:
            workers.close()
