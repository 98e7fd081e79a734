"""Replies by what was asked, on disk: a question that was answered once costs nothing again."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import get_ident
from typing import TypeVar

from waypost.adapters.llm.metering import Ledger
from waypost.adapters.llm.shape import fitted, schema_of
from waypost.adapters.llm.wire import digest
from waypost.model.codec import encode
from waypost.protocols import LLM

__all__ = ["Cached", "EpisodeCache"]

T = TypeVar("T")


class Cached:
    """Wraps an `LLM`; only replies that fit are kept, so that a broken one is asked anew."""

    def __init__(self, llm: LLM, folder: Path, *, ledger: Ledger | None = None) -> None:
        self._llm, self._folder, self._ledger = llm, folder, ledger

    @property
    def id(self) -> str:
        return self._llm.id

    def ask(self, prompt: str, images: Sequence[bytes] = (), *, returns: type[T]) -> T:
        return self.asked(prompt, images, 0, returns=returns)

    def asked(self, prompt: str, images: Sequence[bytes], nth: int, *, returns: type[T]) -> T:
        """Return the reply that this question got when it was asked for the `nth` time, from 0, or ask."""
        path = self._path(prompt, images, returns, nth)
        known = _read(path, returns)
        if known is not None:
            if self._ledger:
                self._ledger.save()
            return known
        reply = self._llm.ask(prompt, images, returns=returns)
        _write(path, encode(reply))
        return reply

    def holds(self, prompt: str, images: Sequence[bytes] = (), *, returns: type[T]) -> bool:
        """Say whether this question would cost nothing; asks nobody."""
        return _read(self._path(prompt, images, returns, 0), returns) is not None

    def _path(self, prompt: str, images: Sequence[bytes], returns: type[T], nth: int) -> Path:
        asked = [self.id, prompt, [digest(image) for image in images], schema_of(returns)]
        key = hashlib.sha256(json.dumps([*asked, nth] if nth else asked, sort_keys=True).encode()).hexdigest()
        return self._folder / key[:2] / f"{key}.json"


class EpisodeCache:
    """One episode's view of a cache: who asks the same again wants another reply, not the one that failed.

    The second asking is kept as the second, so that an episode run again still costs nothing.
    """

    def __init__(self, cached: Cached) -> None:
        self._cached = cached
        self._times: Counter[tuple[str, tuple[str, ...]]] = Counter()

    @property
    def id(self) -> str:
        return self._cached.id

    def ask(self, prompt: str, images: Sequence[bytes] = (), *, returns: type[T]) -> T:
        question = prompt, tuple(digest(image) for image in images)
        self._times[question] += 1
        return self._cached.asked(prompt, images, self._times[question] - 1, returns=returns)


def _read(path: Path, returns: type[T]) -> T | None:
    try:
        return fitted(returns, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None  # A torn or foreign file costs a question, nothing else.


def _write(path: Path, row: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.{os.getpid()}.{get_ident()}.part")
    aside.write_text(json.dumps(row, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    aside.replace(path)
