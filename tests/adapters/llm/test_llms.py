"""Every `LLM` that ships, held against the suite of the seam."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.adapters.llm.endpoint import answer, served
from tests.conformance.llm import LLMSuite, MakeLLM, Opinion
from waypost.adapters.llm import Asking, Cached, Endpoint, EpisodeCache, OpenAiChat, Scripted, ScriptedChat
from waypost.errors import ReplyError
from waypost.protocols import LLM


def _text(reply: Opinion | None) -> str:
    return "I would rather not say." if reply is None else json.dumps(asdict(reply))


class TestScripted(LLMSuite):
    @pytest.fixture
    def make(self) -> MakeLLM:
        return lambda replies: Scripted([r or ReplyError("told to be broken") for r in replies])


class TestAsking(LLMSuite):
    @pytest.fixture
    def make(self) -> MakeLLM:
        return lambda replies: Asking(ScriptedChat(map(_text, replies)))


class TestCached(LLMSuite):
    @pytest.fixture
    def make(self, tmp_path: Path) -> MakeLLM:
        return lambda replies: Cached(Asking(ScriptedChat(map(_text, replies))), tmp_path)


class TestEpisodeCache(LLMSuite):
    @pytest.fixture
    def make(self, tmp_path: Path) -> MakeLLM:
        return lambda replies: EpisodeCache(Cached(Asking(ScriptedChat(map(_text, replies))), tmp_path))


class TestOpenAi(LLMSuite):
    @pytest.fixture
    def make(self) -> Iterator[MakeLLM]:
        with ExitStack() as stack:

            def made(replies: Sequence[Opinion | None]) -> LLM:
                endpoint = stack.enter_context(served([answer(_text(r)) for r in replies]))
                return Asking(OpenAiChat(Endpoint("m", endpoint.url)))

            yield made
