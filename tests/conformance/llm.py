"""What every `LLM` must do. Subclass, and provide the fixture `make`: an `LLM` that will give these replies.

A reply is an instance of `Opinion`, or None for one that cannot be read.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import pytest

from waypost.errors import ModelError, ReplyError
from waypost.protocols import LLM

__all__ = ["LLMSuite", "MakeLLM", "Opinion"]


@dataclass(frozen=True, slots=True)
class Opinion:
    page: str
    reasons: tuple[str, ...]
    sure: float


MakeLLM: TypeAlias = Callable[[Sequence[Opinion | None]], LLM]

ONE = Opinion("设置 “Wi-Fi”", ("it\nsays so", ""), 0.5)
TWO = Opinion("n2", (), 1.0)


class LLMSuite:
    def test_a_question_is_answered_in_the_shape_that_was_asked_for(self, make: MakeLLM) -> None:
        assert make([ONE]).ask("Which page?", returns=Opinion) == ONE

    def test_pictures_may_go_along(self, make: MakeLLM) -> None:
        assert make([TWO]).ask("Which page?", [b"\x89PNG\r\n\x1a\n"], returns=Opinion) == TWO

    def test_two_questions_get_two_answers(self, make: MakeLLM) -> None:
        llm = make([ONE, TWO])
        assert [llm.ask(q, returns=Opinion) for q in ("first?", "second?")] == [ONE, TWO]

    def test_no_usable_reply_is_an_error_of_its_own(self, make: MakeLLM) -> None:
        with pytest.raises(ReplyError):
            make([None, None]).ask("Which page?", returns=Opinion)

    def test_no_reply_at_all_is_a_model_error(self, make: MakeLLM) -> None:
        with pytest.raises(ModelError):
            make([]).ask("Which page?", returns=Opinion)

    def test_the_id_names_the_model(self, make: MakeLLM) -> None:
        llm = make([])
        assert llm.id
        assert llm.id == llm.id.strip()

    def test_it_may_be_asked_from_several_threads(self, make: MakeLLM) -> None:
        llm = make([TWO] * 16)
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(lambda n: llm.ask(f"question {n}", returns=Opinion), range(16)))
        assert replies == [TWO] * 16
