import json
from dataclasses import dataclass

import pytest

from waypost.adapters.llm import Asking, Completion, ScriptedChat
from waypost.errors import ModelError, ReplyError


@dataclass(frozen=True, slots=True)
class Notes:
    summary: str
    intents: tuple[str, ...]


GOOD = '{"summary": "Sounds", "intents": ["mute"]}'


def test_the_prompt_goes_out_whole_with_the_shape_behind_it() -> None:
    chat = ScriptedChat([GOOD])
    Asking(chat).ask("Costs $5, {curly} and $name stay as they are", returns=Notes)
    (asked,) = chat.asked
    (turn,) = asked.turns
    assert turn.text.startswith("Costs $5, {curly} and $name stay as they are\n")
    assert json.loads(asked.schema)["required"] == ["summary", "intents"]
    assert asked.schema in turn.text


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("", "empty"),
        ("I am only a language model.", "no JSON object"),
        ('{"summary": "Sou', "cut off"),
        ('{"summary": ["Sounds"], "intents": []}', "summary: wants a text"),
        ('{"summary": "Sounds"}', "intents: is missing"),
        ("[]", "wants an object"),
    ],
)
def test_a_broken_reply_is_shown_to_the_model_with_what_is_wrong(broken: str, told: str) -> None:
    chat = ScriptedChat([broken, GOOD])
    assert Asking(chat).ask("?", [b"png"], returns=Notes) == Notes("Sounds", ("mute",))
    first, second = chat.asked
    assert second.turns[0] == first.turns[0]
    assert second.turns[0].images == (b"png",)
    assert second.turns[1].role == "assistant"
    assert told in second.turns[2].text


def test_after_one_repair_it_is_a_reply_error_that_names_model_and_fault() -> None:
    chat = ScriptedChat(["no", "no", GOOD], model="qwen")
    with pytest.raises(ReplyError, match=r"qwen gave no usable Notes: .*no JSON"):
        Asking(chat).ask("?", returns=Notes)
    assert len(chat.asked) == 2


def test_a_whole_reply_that_used_up_its_tokens_counts() -> None:
    chat = ScriptedChat([Completion(GOOD + " and so on and", cut=True)])
    assert Asking(chat).ask("?", returns=Notes).summary == "Sounds"


def test_the_limit_of_tokens_is_named_where_it_is_to_blame() -> None:
    chat = ScriptedChat([Completion("Let me think about", cut=True)] * 2)
    with pytest.raises(ReplyError, match="limit of tokens"):
        Asking(chat).ask("?", returns=Notes)


def test_what_breaks_in_the_chat_is_passed_on() -> None:
    with pytest.raises(ModelError, match="gone"):
        Asking(ScriptedChat([ModelError("gone")])).ask("?", returns=Notes)
