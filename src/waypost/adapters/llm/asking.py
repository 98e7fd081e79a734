"""A chat model as an `LLM`: a prompt and a dataclass in, an instance of it out, after one repair at most."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from string import Template
from typing import TypeVar, cast

from waypost.adapters.llm.shape import fitted, schema_of
from waypost.adapters.llm.wire import Chat, Completion, Request, Turn
from waypost.errors import ReplyError
from waypost.model.replies import json_in

__all__ = ["Asking"]

T = TypeVar("T")
_SHOWN = 2_000
"""Letters of a broken reply that are shown to the model again."""


class Asking:
    """Wraps a chat model: says which shape is wanted, reads the reply, asks once more where it is broken."""

    def __init__(self, chat: Chat, *, repairs: int = 1) -> None:
        self._chat, self._repairs = chat, repairs

    @property
    def id(self) -> str:
        return self._chat.model

    def ask(self, prompt: str, images: Sequence[bytes] = (), *, returns: type[T]) -> T:
        if returns is str:
            # An actor's reply has a grammar of its own: it is read, and asked for again, by who knows it.
            said = self._chat.complete(Request((Turn("user", prompt, tuple(images)),)))
            return cast(T, said.text)
        schema = json.dumps(schema_of(returns), ensure_ascii=False)
        first = Turn("user", _template("answer").substitute(prompt=prompt, schema=schema), tuple(images))
        turns: tuple[Turn, ...] = (first,)
        for _ in range(self._repairs + 1):
            reply = self._chat.complete(Request(turns, schema, returns.__name__))
            try:
                return _read(returns, reply)
            except ValueError as e:
                fault = str(e)
            # A model often answers an image better than a repeat of it: the pictures go along once more.
            again = _template("repair").substitute(fault=fault)
            turns = (first, Turn("assistant", reply.text[:_SHOWN] or "(nothing)"), Turn("user", again))
        raise ReplyError(f"{self.id} gave no usable {returns.__name__}: {fault}")


def _read(returns: type[T], reply: Completion) -> T:
    try:
        return fitted(returns, json_in(reply.text))
    except ValueError as e:
        if reply.cut and "cut off" not in str(e):
            raise ValueError(f"it ran into the limit of tokens ({e})") from e
        raise


@cache
def _template(name: str) -> Template:
    return Template(Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").strip())
