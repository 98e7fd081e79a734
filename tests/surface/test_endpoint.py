"""The endpoint with the unmodified openai client on one side and a scripted model's server on the other."""

import base64
import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import openai
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.surface.agent import OwnDevice
from tests.surface.upstream import Upstream, upstream
from waypost.cli.app import app
from waypost.parts.face import open_map
from waypost.surface.endpoint import Endpoint, EndpointConfig, MapTasks, serve_endpoint
from waypost.surface.endpoint.body import added, read
from waypost.surface.endpoint.instruction import HEADER
from waypost.surface.endpoint.report import Served

TASK = "how long until the countdown rings"
KEY = "sk-secret-of-the-agent"
IMAGE = "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 40).decode()
TOOLS: list[Any] = [
    {"type": "function", "function": {"name": "tap", "parameters": {"type": "object", "properties": {}}}}
]
MESSAGES: list[Any] = [
    {"role": "system", "content": "You drive a phone."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": f"## User Instruction\n{TASK}\n\nNext action?"},
            {"type": "image_url", "image_url": {"url": IMAGE}},
        ],
    },
]


@contextmanager
def _between(folder: Path, **config: Any) -> Iterator[tuple[Endpoint, Upstream, list[Served]]]:
    noted: list[Served] = []
    with upstream() as model:
        made = EndpointConfig(**{"upstream": model.url, "port": 0, **config})
        endpoint = serve_endpoint(made, MapTasks.of(str(folder)), note=noted.append)
        try:
            yield endpoint, model, noted
        finally:
            endpoint.close()


@contextmanager
def _client(url: str, **more: Any) -> Iterator[openai.OpenAI]:
    client = openai.OpenAI(base_url=url, api_key=KEY, max_retries=0, **more)
    try:
        yield client
    finally:
        client.close()


def _block(folder: Path, task: str = TASK) -> str:
    with open_map(folder, readonly=True) as known:
        return known.route(task).block


def _chat(client: openai.OpenAI, messages: list[Any], **more: Any) -> Any:
    return client.chat.completions.create(model="scripted", messages=messages, tools=TOOLS, **more)


def _pair(folder: Path, messages: list[Any], **more: Any) -> tuple[bytes, bytes]:
    """Return what the model's server gets directly, and by way of the endpoint."""
    with _between(folder) as (endpoint, model, _):
        for url in (model.url, endpoint.url):
            with _client(url) as client:
                answer = _chat(client, messages, **more)
                if more.get("stream"):
                    list(answer)
        (_, _, direct), (_, _, guided) = model.came
        return direct, guided


# What goes on


@pytest.mark.parametrize("stream", [False, True])
def test_a_request_goes_on_byte_for_byte_but_for_the_block(clock_map: Path, stream: bool) -> None:
    more = {"stream": True} if stream else {}
    direct, guided = _pair(clock_map, MESSAGES, temperature=0.30, **more)
    block = json.dumps("\n\n" + _block(clock_map))[1:-1].encode()
    assert guided != direct
    assert guided.count(block) == 1
    assert guided.replace(block, b"") == direct
    system = json.loads(guided)["messages"][0]["content"]
    assert system == f"You drive a phone.\n\n{_block(clock_map)}"


def test_a_request_without_a_system_message_gets_one(clock_map: Path) -> None:
    _, guided = _pair(clock_map, [{"role": "user", "content": TASK}])
    first, second = json.loads(guided)["messages"]
    assert first == {"role": "system", "content": _block(clock_map)}
    assert second == {"role": "user", "content": TASK}


def test_what_is_not_on_the_map_goes_on_unchanged(clock_map: Path) -> None:
    direct, guided = _pair(clock_map, [{"role": "user", "content": "book a flight to Lisbon"}])
    assert guided == direct


def test_the_block_takes_its_own_place_where_the_prompt_has_one(clock_map: Path) -> None:
    placed = [{"role": "user", "content": f"Task: {TASK}\nGuide: <AGENTP>\nAct."}]
    _, guided = _pair(clock_map, placed)
    assert json.loads(guided)["messages"][0]["content"] == f"Task: {TASK}\nGuide: {_block(clock_map)}\nAct."
    _, absent = _pair(clock_map, [{"role": "user", "content": "Task: book a flight to Lisbon\n<AGENTP>"}])
    assert json.loads(absent)["messages"] == [{"role": "user", "content": "Task: book a flight to Lisbon\n"}]


def test_a_header_says_the_instruction_outright(clock_map: Path) -> None:
    with _between(clock_map) as (endpoint, model, _):
        with _client(endpoint.url, default_headers={HEADER: quote(TASK)}) as client:
            _chat(client, [{"role": "user", "content": "What do you see?"}])
        _, headers, body = model.came[0]
        assert _block(clock_map) == json.loads(body)["messages"][0]["content"]
        assert HEADER.lower() not in headers
        assert headers["authorization"] == f"Bearer {KEY}"
        assert headers["host"] == urlsplit(model.url).netloc


def test_every_step_of_a_task_carries_the_block_once(clock_map: Path) -> None:
    with _between(clock_map) as (endpoint, model, _), _client(endpoint.url) as client:
        history = list(MESSAGES)
        for _ in range(3):
            answer = _chat(client, history).choices[0].message
            history += [
                answer.model_dump(exclude_none=True),
                {"role": "tool", "tool_call_id": "t1", "content": "ok"},
            ]
        block = json.dumps(_block(clock_map))[1:-1].encode()
        assert [body.count(block) for _, _, body in model.came] == [1, 1, 1]


def test_with_refresh_each_step_says_where_the_agent_is(clock_map: Path) -> None:
    own = OwnDevice("clock")
    with _between(clock_map, refresh=True) as (endpoint, model, _), _client(endpoint.url) as client:
        for _ in range(2):
            _chat(client, [{"role": "user", "content": f"Task: {TASK}\n{own.xml()}"}])
            own.tap("Timer")
        before, after = (json.loads(body)["messages"][0]["content"] for _, _, body in model.came)
        assert 'You are here: "Alarms".\nNext: on "Alarms", tap tab "Timer"' in before
        assert "This is the destination: stop." in after


# What comes back


def _raw(url: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    try:
        connection.request(
            "POST", f"{parts.path}/chat/completions", body, {"Content-Type": "application/json"}
        )
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize("status", [200, 400, 401, 429, 500, 503])
@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_comes_back_unchanged(clock_map: Path, status: int, stream: bool) -> None:
    body = json.dumps({"model": "m", "messages": MESSAGES, "stream": stream}).encode()
    with _between(clock_map) as (endpoint, model, _):
        model.status = status
        direct, guided = _raw(model.url, body), _raw(endpoint.url, body)
    assert (guided[0], guided[2]) == (direct[0], direct[2])
    assert direct[1].items() - {("Date", direct[1]["Date"])} <= guided[1].items()
    assert int(guided[1]["X-Waypost-Added-Tokens"]) > 0


def test_the_client_reads_streams_tools_and_errors_as_ever(clock_map: Path) -> None:
    with _between(clock_map) as (endpoint, model, _), _client(endpoint.url) as client:
        called = _chat(client, MESSAGES).choices[0].message.tool_calls[0]
        assert (called.function.name, called.function.arguments) == ("tap", '{"x": 1}')
        words = [c.choices[0].delta.content for c in _chat(client, MESSAGES, stream=True)]
        assert "".join(words) == "Tap the second tab. 好"
        assert client.models.list().data == []
        assert model.came[-1][0] == "/api/v1/models"
        model.status = 429
        with pytest.raises(openai.RateLimitError, match="slow down"):
            _chat(client, MESSAGES)


def test_a_server_that_hangs_up_between_requests_is_asked_again(clock_map: Path) -> None:
    with _between(clock_map) as (endpoint, model, _), _client(endpoint.url) as client:
        model.hang_up = True
        assert [_chat(client, MESSAGES).id for _ in range(4)] == ["c1"] * 4
        assert len(model.came) == 4


def test_a_server_that_is_not_there_is_told_as_an_error(clock_map: Path) -> None:
    with (
        _between(clock_map, upstream="http://127.0.0.1:9/v1") as (endpoint, _, _),
        _client(endpoint.url) as client,
        pytest.raises(openai.InternalServerError, match="does not answer"),
    ):
        _chat(client, MESSAGES)


def test_fifty_at_once_each_get_their_own(clock_map: Path) -> None:
    tasks = [TASK, "choose what alarms sound like", "book a flight to Lisbon", "see the time in another city"]
    blocks = {task: _block(clock_map, task) for task in tasks}

    with _between(clock_map) as (endpoint, model, _), _client(endpoint.url, timeout=120) as client:

        def one(n: int) -> str:
            told = [{"role": "user", "content": tasks[n % 4]}, {"role": "assistant", "content": str(n)}]
            return str(_chat(client, told).id)

        with ThreadPoolExecutor(50) as pool:
            assert list(pool.map(one, range(200))) == ["c1"] * 200
        for _, _, body in model.came:
            *system, user, number = json.loads(body)["messages"]
            assert user["content"] == tasks[int(number["content"]) % 4]
            block = blocks[user["content"]]
            assert system == ([{"role": "system", "content": block}] if block else [])
        assert endpoint.report.as_json()["requests"] == 200


# What is told


def test_added_tokens_and_latency_are_told_and_keys_never(
    clock_map: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with _between(clock_map) as (endpoint, _, noted):
        with _client(endpoint.url, default_query={"key": KEY}) as client:
            _chat(client, MESSAGES)
        connection = http.client.HTTPConnection(urlsplit(endpoint.url).netloc, timeout=60)
        connection.request("GET", "/waypost/report")
        told = json.loads(connection.getresponse().read())
        connection.close()
    assert (told["requests"], told["guided"], told["errors"]) == (1, 1, 0)
    assert told["added_tokens"] == noted[0].added_tokens > 20
    assert told["latency_ms"]["p95"] > 0
    assert noted[0].page == "Timer"
    said = capfd.readouterr()
    assert KEY not in f"{said.out}{said.err}{noted}{told}"


@pytest.mark.parametrize("url", ["ftp://x/v1", "api.example.com", f"https://user:{KEY}@x/v1"])
def test_an_upstream_that_is_none_is_wrong_use(url: str, clock_map: Path) -> None:
    result = CliRunner().invoke(app, ["serve", str(clock_map), "--upstream", url, "--port", "0", "--json"])
    assert result.exit_code == 2
    assert KEY not in result.output


def test_the_command_serves_until_it_is_told_to_stop(clock_map: Path) -> None:
    with upstream() as model:
        words = ["serve", str(clock_map), "--upstream", model.url, "--port", "0"]
        with subprocess.Popen(
            [sys.executable, "-m", "waypost", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as running:
            assert running.stdout is not None
            url = running.stdout.readline().split()[2]
            with _client(url) as client:
                _chat(client, MESSAGES)
            running.terminate()
            _, noted = running.communicate(timeout=60)
        assert running.returncode == 0
        assert "/v1/chat/completions 200 -> 'Timer'" in noted
        assert "1 requests, 1 guided" in noted
        assert KEY not in noted


# Bytes

_TEXT = st.text(max_size=20)
_CONTENT = st.one_of(
    _TEXT, st.none(), st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": _TEXT}), max_size=3)
)
_CHAT = st.fixed_dictionaries(
    {
        "model": _TEXT,
        "messages": st.lists(
            st.fixed_dictionaries(
                {"role": st.sampled_from(["system", "user", "assistant"]), "content": _CONTENT}
            ),
            max_size=5,
        ),
        "temperature": st.floats(allow_nan=False, allow_infinity=False),
    }
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_CHAT, st.text(min_size=1, max_size=40), st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_what_is_put_in_can_be_taken_out_again(
    chat: dict[str, Any], words: str, ascii_only: bool, indent: int | str | None
) -> None:
    body = json.dumps(chat, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    request = read(body)
    if request is None:  # Lone surrogates, unescaped, are no UTF-8.
        return
    put = added(request, words)
    if json.dumps(words)[1:-1] in request.text:
        assert put == body
        return
    before, after = chat["messages"], json.loads(put)["messages"]
    assert {**json.loads(put), "messages": before} == chat
    told = json.dumps(words)[1:-1].encode()
    # Once more among what is said; a short word may be part of a key, or have been said before.
    assert _times(words, after) - _times(words, before) == 1
    at = put.index(told)
    # All that stood before and after still does.
    assert body.startswith(put[:at][: len(_shared(body, put))])
    assert body.endswith(put[len(put) - (len(body) - len(_shared(body, put))) :])
    assert len(after) - len(before) in (0, 1)


def _times(words: str, messages: list[dict[str, Any]]) -> int:
    contents = [m["content"] or "" for m in messages]
    said = [c for c in contents if isinstance(c, str)]
    said += [part["text"] for c in contents if not isinstance(c, str) for part in c]
    return sum(text.count(words) for text in said)


def _shared(a: bytes, b: bytes) -> bytes:
    n = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return a[:n]


@given(st.binary(max_size=80))
def test_whatever_is_no_chat_passes(body: bytes) -> None:
    found = read(body)
    assert found is None or added(found, "") == body
