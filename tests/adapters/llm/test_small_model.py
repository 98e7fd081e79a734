"""A small real model behind a real server: its answers are judged for shape, not for wit."""

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from waypost.actors import DIALECTS, Vision, VisionConfig
from waypost.adapters.llm import Asking, Endpoint, OpenAiChat, Request, Turn
from waypost.adapters.pocket import PocketDevice
from waypost.errors import ModelError
from waypost.guidance import silent
from waypost.model import StopReason, Task
from waypost.navigate import navigate
from waypost.parts.models import ModelOptions, open_model

pytestmark = [pytest.mark.model, pytest.mark.slow]


@dataclass(frozen=True, slots=True)
class Short:
    fits: bool
    number: int


def test_a_real_model_answers_in_the_shape(small_model: str) -> None:
    chat = OpenAiChat(Endpoint("smollm2", small_model, max_tokens=60))
    found = Asking(chat).ask("Is a list of alarms a page of a clock? Say how many.", returns=Short)
    assert isinstance(found, Short)
    assert type(found.fits) is bool


def test_a_real_server_counts_tokens_and_says_where_it_was_cut(small_model: str) -> None:
    chat = OpenAiChat(Endpoint("smollm2", small_model, max_tokens=8))
    reply = chat.complete(Request((Turn("user", "Count to one hundred."),)))
    assert reply.cut
    assert reply.received == 8
    assert reply.sent
    assert reply.sent > 5


def test_a_real_server_that_takes_no_pictures_is_told_apart_from_a_busy_one(small_model: str) -> None:
    png = b"\x89PNG\r\n\x1a\n"
    with pytest.raises(ModelError, match="--no-images"):
        OpenAiChat(Endpoint("smollm2", small_model)).complete(Request((Turn("user", "look", (png,)),)))


def test_the_whole_stack_asks_once_and_then_never_again(small_model: str, tmp_path: Path) -> None:
    options = ModelOptions("smollm2", small_model, price_sent=1.0, price_received=2.0, cache=tmp_path)
    first, again = open_model(options), open_model(options)
    answer = first.llm.ask("Is a list of alarms a page of a clock?", returns=Short)
    assert first.spent()["calls"] >= 1
    assert first.spent()["cost"] > 0
    began = time.monotonic()
    assert again.llm.ask("Is a list of alarms a page of a clock?", returns=Short) == answer
    assert time.monotonic() >= began
    assert (again.spent()["calls"], again.spent()["cached"]) == (0, 1)


def test_a_real_model_can_be_an_actor_and_what_it_says_is_an_action_or_unusable(small_model: str) -> None:
    chat = OpenAiChat(Endpoint("smollm2", small_model, max_tokens=80))
    actor = Vision(Asking(chat), DIALECTS["tree"], config=VisionConfig(tries=2))
    episode = navigate(Task("t", "", "Show the world clock"), PocketDevice("clock"), actor, silent, limit=2)
    assert 1 <= episode.model_calls <= 6
    assert not episode.verified
    if episode.stop is StopReason.REPLY_BROKEN:
        assert not episode.claimed
        assert "could not be understood" in episode.note
