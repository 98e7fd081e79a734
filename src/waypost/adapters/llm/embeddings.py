"""Any OpenAI-compatible `/v1/embeddings` as an `Embedder`: texts in, unit rows of the served model out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from waypost.adapters.llm.faults import Asked, fault
from waypost.adapters.llm.sdk import client, sdk
from waypost.adapters.llm.wrappers import Backoff, Patience
from waypost.errors import ModelError
from waypost.model.private import withheld
from waypost.protocols import Vectors

__all__ = ["EmbeddingEndpoint", "OpenAiEmbedder"]


@dataclass(frozen=True, slots=True)
class EmbeddingEndpoint:
    """Where an embedding model is served."""

    model: str
    base_url: str = "https://api.openai.com/v1"
    key: str = field(default="", repr=False)
    """Empty for servers that want none."""
    dimensions: int = 0
    """Numbers that are asked for; 0 for as many as the model gives of itself."""
    batch: int = 10
    """Most texts of one request; DashScope's text-embedding-v4 takes no more."""
    letters: int = 2_000
    """Longer texts are cut: servers refuse what is over their model's length."""
    timeout: float = 60.0
    """Seconds for one reply."""


class OpenAiEmbedder:
    """Asks an endpoint; addresses, numbers and secrets are cut out of every text before it leaves.

    How many numbers a row has is found out with the first request.
    """

    def __init__(
        self,
        endpoint: EmbeddingEndpoint,
        *,
        sleep: Callable[[float], None],
        seed: int = 0,
        backoff: Backoff | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._patience = Patience(sleep=sleep, seed=seed, backoff=backoff)
        self._client: Any = None
        self._dimension = 0

    @property
    def id(self) -> str:
        told = self._endpoint
        return f"{told.model}@{told.dimensions}" if told.dimensions else told.model

    @property
    def dimension(self) -> int:
        if not self._dimension:
            self.embed(["."])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        sent = [self._sendable(t) for t in texts]
        size = self._endpoint.batch
        batches = [self._asked(sent[i : i + size]) for i in range(0, len(sent), size)]
        rows: Vectors = np.concatenate(batches)
        return rows

    def _sendable(self, text: str) -> str:
        # A lone surrogate cannot be sent, and an empty text is refused by most servers.
        whole = withheld(text).encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
        return whole[: self._endpoint.letters].strip() or "."

    def _asked(self, texts: list[str]) -> Vectors:
        return self._patience.ask(lambda: self._request(texts))

    def _request(self, texts: list[str]) -> Vectors:
        told = self._endpoint
        more = {"dimensions": told.dimensions} if told.dimensions else {}
        asked = self._connected().embeddings
        try:
            reply = asked.create(model=told.model, input=texts, encoding_format="float", **more)
        except sdk().OpenAIError as e:
            raise fault(e, Asked(told.model, told.base_url, told.timeout, "WAYPOST_EMBED")) from e
        return self._rows(reply, len(texts))

    def _rows(self, reply: Any, count: int) -> Vectors:
        """Return the rows in the order of the texts. Raises ModelError where they are none."""
        told = self._endpoint
        data = sorted(getattr(reply, "data", None) or [], key=lambda d: d.index)
        try:
            rows = np.array([d.embedding for d in data], np.float32)
        except (TypeError, ValueError) as e:
            raise ModelError(f"{told.base_url} sent rows of {told.model} that differ in length: {e}") from e
        if rows.ndim != 2 or len(rows) != count or not rows.shape[1] or not np.isfinite(rows).all():
            raise ModelError(
                f"{told.base_url} sent {rows.shape} numbers for {count} texts; is {told.model} for texts?"
            )
        if self._dimension and rows.shape[1] != self._dimension:
            raise ModelError(f"{told.model} gave {self._dimension} numbers a text, and now {rows.shape[1]}")
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        if not norms.all():
            raise ModelError(f"{told.base_url} sent a row of {told.model} that is nothing but zeros")
        self._dimension = rows.shape[1]
        unit: Vectors = (rows / norms).astype(np.float32)
        return unit

    def _connected(self) -> Any:
        if self._client is None:
            told = self._endpoint
            self._client = client(told.base_url, told.key, told.timeout)
        return self._client
