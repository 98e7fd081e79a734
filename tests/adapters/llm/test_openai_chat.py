"""The adapter over the real SDK and a real socket; only the model is scripted."""

import socket

import pytest

from tests.adapters.llm.endpoint import Answer, answer, fault, served
from waypost.adapters.llm import Endpoint, OpenAiChat, Request, Turn
from waypost.errors import BusyError, ModelError

ASK = Request((Turn("user", "hello"),), '{"type": "object"}', "Notes")
PNG = b"\x89PNG\r\n\x1a\nxx"


def test_a_question_goes_out_with_schema_key_and_pictures() -> None:
    with served([answer("hi")]) as endpoint:
        chat = OpenAiChat(Endpoint("m", endpoint.url, "k-1"))
        reply = chat.complete(Request((Turn("user", "look", (PNG, b"\xff\xd8j")),), ASK.schema, "Notes"))
    assert (reply.text, reply.sent, reply.received, reply.cut) == ("hi", 100, 20, False)
    (body,) = endpoint.asked
    assert endpoint.keys == ["Bearer k-1"]
    assert body["response_format"]["json_schema"] == {
        "name": "Notes",
        "strict": True,
        "schema": {"type": "object"},
    }
    text, png, jpeg = body["messages"][0]["content"]
    assert text == {"type": "text", "text": "look"}
    assert png["image_url"]["url"].startswith("data:image/png;base64,")
    assert jpeg["image_url"]["url"].startswith("data:image/jpeg;base64,")


def test_a_model_without_eyes_is_sent_the_words_alone() -> None:
    with served([answer("hi")]) as endpoint:
        chat = OpenAiChat(Endpoint("m", endpoint.url, images=False))
        chat.complete(Request((Turn("user", "look", (PNG,)),)))
    assert endpoint.asked[0]["messages"] == [{"role": "user", "content": "look"}]


def test_a_server_without_schemas_is_asked_with_less_and_remembered() -> None:
    no = fault(400, "response_format of type json_schema is not available")
    with served(
        [no, fault(400, "response_format.type must be text"), answer("hi"), answer("ho")]
    ) as endpoint:
        chat = OpenAiChat(Endpoint("m", endpoint.url))
        assert [chat.complete(ASK).text for _ in range(2)] == ["hi", "ho"]
    forms = [b.get("response_format", {}).get("type") for b in endpoint.asked]
    assert forms == ["json_schema", "json_object", None, None]


def test_a_model_that_wants_other_words_for_the_limit_gets_them() -> None:
    refusals = [
        fault(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        fault(400, "'temperature' does not support 0 with this model."),
    ]
    with served([*refusals, answer("hi")]) as endpoint:
        assert OpenAiChat(Endpoint("m", endpoint.url)).complete(ASK).text == "hi"
    assert "max_tokens" not in endpoint.asked[-1]
    assert endpoint.asked[-1]["max_completion_tokens"] == 2048
    assert "temperature" not in endpoint.asked[-1]


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_is_told_as_busy_with_the_wait_it_asks_for(status: int) -> None:
    with served([fault(status, "later", ("retry-after", "7"))]) as endpoint, pytest.raises(BusyError) as told:
        OpenAiChat(Endpoint("m", endpoint.url)).complete(ASK)
    assert told.value.after == 7.0
    assert len(endpoint.asked) == 1  # the SDK does not retry on its own


@pytest.mark.parametrize(
    ("reply", "cure"),
    [
        (fault(401, "bad key"), "WAYPOST_LLM_KEY"),
        (fault(404, "no such model"), "WAYPOST_LLM_MODEL"),
        (fault(400, "context too long"), "refused the question"),
        (fault(429, "You exceeded your current quota"), "out of credit"),
        (fault(500, "image input is not supported"), "--no-images"),
    ],
)
def test_what_waiting_does_not_cure_is_told_with_what_does(reply: Answer, cure: str) -> None:
    with served([reply]) as endpoint, pytest.raises(ModelError, match=cure) as told:
        OpenAiChat(Endpoint("m", endpoint.url, "k-secret")).complete(ASK)
    assert not isinstance(told.value, BusyError)
    assert "k-secret" not in str(told.value)


def test_nobody_at_the_address_is_told_with_the_address() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
    with pytest.raises(BusyError, match=url):
        OpenAiChat(Endpoint("m", url)).complete(ASK)


def test_a_reply_without_usage_or_choice_is_no_crash() -> None:
    empty = answer("x")
    empty.body["choices"] = []
    with served([answer("hi", usage=False), empty]) as endpoint:
        chat = OpenAiChat(Endpoint("m", endpoint.url))
        assert chat.complete(ASK).sent is None
        with pytest.raises(BusyError, match="without a choice"):
            chat.complete(ASK)


def test_the_key_never_shows_in_a_text_of_the_endpoint() -> None:
    assert "k-secret" not in repr(Endpoint("m", key="k-secret"))
