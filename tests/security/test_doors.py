"""Every server answers at its own address only, and beyond loopback to nobody without its token."""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.surface.big import big_map
from tests.surface.upstream import Upstream, upstream
from waypost.errors import UsageError
from waypost.surface.door import Door, loopback, token_for
from waypost.surface.endpoint import Endpoint, EndpointConfig, MapTasks, serve_endpoint

TOKEN = "t0123456789abcdef"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return big_map(tmp_path_factory.mktemp("door") / "map", 3)


@pytest.fixture
def served(folder: Path) -> Iterator[tuple[Endpoint, Upstream]]:
    with upstream() as model:
        made = EndpointConfig(upstream=model.url, port=0, token=TOKEN)
        endpoint = serve_endpoint(made, MapTasks.of(str(folder)))
        try:
            yield endpoint, model
        finally:
            endpoint.close()


def asked(url: str, path: str, **headers: str) -> int:
    link = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    try:
        link.request(
            "POST", path, json.dumps({"messages": []}), {"Content-Type": "application/json", **headers}
        )
        return link.getresponse().status
    finally:
        link.close()


def test_the_endpoint_wants_its_token_its_name_and_no_other_site(served: tuple[Endpoint, Upstream]) -> None:
    endpoint, model = served
    port = urlsplit(endpoint.url).port
    assert endpoint.url.endswith(f"/{TOKEN}/v1")
    path = f"/{TOKEN}/v1/chat/completions"
    for wrong in (
        "/v1/chat/completions",
        f"/{TOKEN[:-1]}x/v1/chat/completions",
        f"/{TOKEN}",
        "/waypost/report",
    ):
        assert asked(endpoint.url, wrong) == 403, wrong
    assert asked(endpoint.url, path, Host="evil.example") == 403
    assert asked(endpoint.url, path, Host=f"evil.example:{port}") == 403
    assert asked(endpoint.url, path, Origin="http://evil.example") == 403
    assert asked(endpoint.url, path, Origin="null") == 403
    assert model.came == []
    assert asked(endpoint.url, path) != 403
    assert asked(endpoint.url, path, Origin=f"http://127.0.0.1:{port}", Host=f"localhost:{port}") != 403


@pytest.mark.parametrize(
    ("host", "origin", "let_in"),
    [("127.0.0.1:80", None, True), ("localhost:80", "http://localhost:80", True), ("[::1]:80", None, True),
     ("127.0.0.1", None, False), ("127.0.0.1:81", None, False), ("127.0.0.1:80.evil.example", None, False),
     ("rebound.example:80", None, False), ("127.0.0.1:80", "http://127.0.0.1.evil.example:80", False),
     ("127.0.0.1:80", "https://evil.example", False), ("127.0.0.1:80", "null", False), ("", None, False)],
)  # fmt: skip
def test_names_that_merely_lead_here_are_refused(host: str, origin: str | None, let_in: bool) -> None:
    assert Door("127.0.0.1", 80).ours(host, origin) is let_in


def test_beyond_loopback_there_is_always_a_token() -> None:
    assert [loopback(h) for h in ("127.0.0.1", "::1", "192.168.0.2", "0.0.0.0", "evil.example")] == [
        True, True, False, False, False]  # fmt: skip
    one, other = token_for("0.0.0.0"), token_for("192.168.0.2")
    assert one != other
    assert min(len(one), len(other)) > 30
    assert token_for("127.0.0.1") == ""
    assert token_for("127.0.0.1", TOKEN) == TOKEN
    for weak in ("short", "with/slash/in/the/middle", "ünïcödé-0123456789", "spaces are no good here"):
        with pytest.raises(UsageError, match="A token"):
            token_for("127.0.0.1", weak)


def test_behind_a_token_the_path_is_what_it_was() -> None:
    door = Door("0.0.0.0", 80, TOKEN)
    assert door.inside(f"/{TOKEN}/v1/models?x=/a") == "/v1/models?x=/a"
    for wrong in ("/", "", "/v1", f"/{TOKEN.upper()}/v1", f"//{TOKEN}/v1", f"/{TOKEN}x/v1"):
        assert door.inside(wrong) is None, wrong
    assert door.ours("192.168.0.2:80", "http://192.168.0.2:80")
    assert not door.ours("192.168.0.2:80", "http://evil.example")
