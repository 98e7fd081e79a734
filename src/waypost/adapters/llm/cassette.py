"""Conversations on file: recorded once with a real model, replayed in tests with none.

A JSON line each: `{"key", "request", "reply"}`, pictures by their SHA-256, so that a cassette stays small
and shows nobody's screen.
"""

import json
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from threading import Lock

from waypost.adapters.llm.wire import Chat, Completion, Request, canonical, request_key
from waypost.errors import ModelError

__all__ = ["Recording", "Replayed"]


class Recording:
    """Wraps a chat model; every answer is added to a cassette. Put it inside of `Redacting`."""

    def __init__(self, chat: Chat, path: Path) -> None:
        self._chat, self._path, self._lock = chat, path, Lock()

    @property
    def model(self) -> str:
        return self._chat.model

    def complete(self, request: Request) -> Completion:
        reply = self._chat.complete(request)
        row = {
            "key": request_key(request, self.model),
            "request": canonical(request, self.model),
            "reply": asdict(reply),
        }
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        return reply


class Replayed:
    """Answers from a cassette; equal questions get their answers in the order they were recorded in."""

    def __init__(self, path: Path, model: str) -> None:
        self._path, self._model, self._lock = path, model, Lock()
        self._replies: dict[str, list[Completion]] | None = None

    @property
    def model(self) -> str:
        return self._model

    def complete(self, request: Request) -> Completion:
        key = request_key(request, self._model)
        with self._lock:
            known = self._loaded().get(key, [])
            if not known:
                raise ModelError(f"{str(self._path)!r} holds no answer to this question; record it anew")
            # The last one stays: how often a question is asked is no part of it.
            return known.pop(0) if len(known) > 1 else known[0]

    def _loaded(self) -> dict[str, list[Completion]]:
        if self._replies is None:
            try:
                lines = self._path.read_text(encoding="utf-8").splitlines()
            except (OSError, UnicodeDecodeError) as e:
                raise ModelError(f"Cannot read the cassette {str(self._path)!r}: {e}") from e
            replies: defaultdict[str, list[Completion]] = defaultdict(list)
            for number, text in enumerate(lines, 1):
                try:
                    row = json.loads(text)
                    replies[row["key"]].append(Completion(**row["reply"]))
                except (ValueError, KeyError, TypeError) as e:
                    raise ModelError(f"{str(self._path)!r}, line {number} is no recorded answer") from e
            self._replies = replies
        return self._replies
