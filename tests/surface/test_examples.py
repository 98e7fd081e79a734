"""The examples for outside agents: the loop is run with the real client, the others' prompts are read."""

import importlib.util
import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import openai
import pytest

from tests.surface.agent import OwnDevice
from waypost.adapters.pocket import PocketDevice
from waypost.model import Press
from waypost.parts.seeds import install

EXAMPLES = Path(__file__).parents[2] / "examples" / "agents"
WISH = "time left until the countdown rings"


@pytest.fixture(autouse=True)
def _map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    install("pocket-clock")


def _example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Phone(OwnDevice):
    def back(self) -> None:
        self._device.perform(Press("back"))

    def where(self) -> str:
        assert isinstance(self._device, PocketDevice)
        return self._device.where()


class _Model(BaseHTTPRequestHandler):
    """A model that does what it was told last, and nothing else."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        told = str(next(m["content"] for m in reversed(body["messages"]) if m["role"] == "user"))
        hop = re.search(r'^Next: on ".*?", .*?"(.*?)"', told, re.MULTILINE)
        name, values = ("tap", {"label": hop.group(1)}) if hop else ("back", {})
        if "This is the destination: stop." in told:
            name, values = "done", {"said": "there"}
        call = {"id": "c", "type": "function", "function": {"name": name, "arguments": json.dumps(values)}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
        row = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        raw = json.dumps(row).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def client() -> Iterator[openai.OpenAI]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Model)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    with openai.OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none") as client:
        yield client
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_plain_tool_loop_with_three_lines_of_ours_arrives(client: openai.OpenAI) -> None:
    phone = _Phone("clock")
    said = _example("openai_tools").run(client, "m", phone, WISH, "pocket-clock")
    assert (said, phone.where()) == ("there", "clock/timer")


def test_each_example_has_three_lines_of_ours_at_most() -> None:
    for path in EXAMPLES.glob("*.py"):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if "# Waypost" in line]
        assert 2 <= len(lines) <= 3, path.name


def test_the_way_stands_behind_the_instruction_and_names_no_position() -> None:
    (prompt,) = _example("uitars").prompts(WISH, "pocket-clock", [_Phone("clock").xml()])
    said = prompt.partition("## User Instruction")[2]
    assert WISH in said
    assert 'tap tab "Timer"' in said
    assert not re.search(r"\(\d+, ?\d+\)", said)


def test_a_goal_holds_the_way_and_is_the_wish_alone_where_there_is_none() -> None:
    goal = _example("mobilerun").goal
    assert goal(WISH, "pocket-clock").startswith(f"{WISH}\n\nTask:")
    assert goal("weigh an elephant", "pocket-clock") == "weigh an elephant"
