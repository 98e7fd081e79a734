"""An embedding endpoint over a true wire: the SDK, a server on loopback, rows that it computes."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from tests.adapters.llm.endpoint import Answer, fault, served
from tests.conformance.embedder import EmbedderSuite
from waypost.adapters.embedders import HashEmbedder
from waypost.adapters.llm import Backoff, EmbeddingEndpoint, OpenAiEmbedder
from waypost.errors import BusyError, ModelError, UsageError
from waypost.parts import memory


class _Server(ThreadingHTTPServer):
    """Embeds as text-embedding-v4 takes it: at most ten texts, none of them empty; rows in any order."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[list[str]] = []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts: list[str] = body["input"]
        self.server.asked.append(texts)
        if len(texts) > 10 or not all(texts) or max(map(len, texts)) > 8_000:
            self._reply(400, {"error": {"message": "the input is not valid", "type": "x"}})
            return
        rows = HashEmbedder(body.get("dimensions", 64)).embed(texts) * 3
        data = [{"object": "embedding", "index": i, "embedding": r.tolist()} for i, r in enumerate(rows)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        self._reply(200, {"object": "list", "data": data[::-1], "model": body["model"], "usage": usage})

    def _reply(self, status: int, body: dict[str, Any]) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[_Server]:
    made = _Server()
    thread = Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


def _embedder(url: str, dimensions: int = 0, slept: list[float] | None = None) -> OpenAiEmbedder:
    waits = slept if slept is not None else []
    endpoint = EmbeddingEndpoint("text-embedding-v4", url, "secret", dimensions)
    return OpenAiEmbedder(endpoint, sleep=waits.append, backoff=Backoff(tries=3))


class TestOpenAiEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self, server: _Server) -> OpenAiEmbedder:
        return _embedder(server.url)


def test_the_dimension_is_found_out_and_can_be_asked_for(server: _Server) -> None:
    assert _embedder(server.url).dimension == 64
    assert _embedder(server.url, 128).dimension == 128
    assert _embedder(server.url, 128).id != _embedder(server.url).id


def test_no_request_holds_more_than_ten_texts_and_the_order_is_kept(server: _Server) -> None:
    texts = [f"page {chr(97 + n)}" for n in range(23)]
    rows = _embedder(server.url).embed(texts)
    assert [len(t) for t in server.asked] == [10, 10, 3]
    assert np.allclose(rows, HashEmbedder(64).embed(texts), atol=1e-5)


def test_what_is_private_does_not_leave(server: _Server) -> None:
    _embedder(server.url).embed(["write to ann@example.org"])
    assert "ann@example.org" not in json.dumps(server.asked)


def test_a_busy_endpoint_is_asked_again_and_at_last_given_up() -> None:
    slept: list[float] = []
    row = {
        "object": "list",
        "model": "m",
        "data": [{"object": "embedding", "index": 0, "embedding": [0.0, 2.0]}],
    }
    with served([fault(429, "slow down", ("retry-after", "7")), Answer(200, row)]) as found:
        assert _embedder(found.url, slept=slept).embed(["x"]).tolist() == [[0.0, 1.0]]
        assert found.keys == ["Bearer secret"] * 2
    assert slept == [7.0]
    with served([fault(503, "down")] * 3) as found, pytest.raises(BusyError, match="asked 3 times"):
        _embedder(found.url).embed(["x"])


@pytest.mark.parametrize(
    "data",
    [
        [],
        [{"index": 0, "embedding": []}],
        [{"index": 0, "embedding": [0.0, 0.0]}],
        [{"index": 0, "embedding": ["a", "b"]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}],
    ],
)
def test_what_is_no_row_is_refused_by_name(data: list[dict[str, Any]]) -> None:
    body = {"object": "list", "model": "m", "data": [{"object": "embedding", **d} for d in data]}
    with (
        served([Answer(200, body)]) as found,
        pytest.raises(ModelError, match=r"127\.0\.0\.1|text-embedding"),
    ):
        _embedder(found.url).embed(["x"])


def test_the_cure_for_a_wrong_key_names_the_embedders_own_variable() -> None:
    with served([fault(401, "no")]) as found, pytest.raises(ModelError, match="WAYPOST_EMBED_KEY"):
        _embedder(found.url).embed(["x"])


def test_the_environment_chooses_the_endpoint(server: _Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYPOST_EMBED_MODEL", "text-embedding-v4")
    monkeypatch.setenv("WAYPOST_EMBED_BASE_URL", server.url)
    monkeypatch.setenv("WAYPOST_EMBED_DIMENSIONS", "32")
    memory.embedder.cache_clear()
    try:
        chosen = memory.embedder()
        assert chosen.id == "text-embedding-v4@32"
        assert chosen.embed(["Home", "Home"]).shape == (2, 32)
        chosen.embed(["Home"])
        assert server.asked == [["Home"]]
    finally:
        memory.embedder.cache_clear()


@pytest.mark.parametrize(("name", "said"), [("BASE_URL", "localhost"), ("DIMENSIONS", "many")])
def test_a_setting_that_makes_no_sense_is_told_with_the_cure(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYPOST_EMBED_MODEL", "m")
    monkeypatch.setenv(f"WAYPOST_EMBED_{name}", said)
    memory.embedder.cache_clear()
    with pytest.raises(UsageError, match=f"WAYPOST_EMBED_{name}"):
        memory.embedder()
