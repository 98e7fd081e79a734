"""The tools as an agent's client meets them: over stdio, over HTTP, and in this process."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from typer.testing import CliRunner

from tests.surface.agent import OwnDevice
from waypost.adapters.mcp import Desk, Note, Toolbox
from waypost.adapters.mcp.server import server
from waypost.cli.app import app
from waypost.errors import Cancelled
from waypost.model import Role, TypeText
from waypost.surface.hops import seen_hop
from waypost.surface.toolbox import MapToolbox

Talk = Callable[[Client], Awaitable[None]]


def _listed(*words: str) -> str:
    result = CliRunner().invoke(app, ["mcp", "--list", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


async def _call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    (told,) = result.content
    assert told.type == "text"
    assert not result.is_error, told.text
    assert json.loads(told.text) == result.structured_content
    return dict(result.structured_content or {})


def _talk(toolbox: Callable[[], Toolbox], talk: Talk, *, explore: bool = False, mode: str = "auto") -> None:
    desk = Desk(toolbox)

    async def run() -> None:
        async with Client(server(desk, explore=explore), mode=mode) as client:
            await talk(client)

    try:
        anyio.run(run)
    finally:
        desk.close()


def _toolbox(folder: Path) -> Callable[[], MapToolbox]:
    ticks = iter(range(1, 10_000))
    return lambda: MapToolbox(str(folder), clock=lambda: float(next(ticks)))


async def _whole_task(client: Client) -> None:
    """Do what an agent does that lets Waypost drive: ask, plan, go, check."""
    assert (await _call(client, "where_am_i"))["on_map"]
    found = await _call(client, "find_page", sentence="the page with the timer")
    assert found["name"] == "Timer"
    planned = await _call(client, "plan_route", to=found["page"], detail=True)
    assert planned["expect"][-1] == found["page"]
    assert planned["block"].startswith("Task: ")
    gone = await _call(client, "go", to=found["page"])
    assert (gone["status"], gone["verified"], gone["page"]) == ("reached", True, found["page"])
    assert (await _call(client, "where_am_i"))["page"] == found["page"]
    absent = await _call(client, "go", to="book a flight to Lisbon")
    assert (absent["status"], absent["verified"]) == ("not_on_map", False)


# The list of tools


def test_the_list_of_tools_is_small_and_every_schema_is_one() -> None:
    line = _listed("--json", "--explore")
    assert len(line.encode()) <= 8192
    tools = json.loads(line)["tools"]
    assert len(tools) <= 8
    for tool in tools:
        Draft202012Validator.check_schema(tool["inputSchema"])
        assert tool["description"]
        assert all(p.get("description") for p in tool["inputSchema"]["properties"].values()), tool["name"]


def test_annotations_say_what_a_tool_may_do() -> None:
    tools = {t["name"]: t["annotations"] for t in json.loads(_listed("--json", "--explore"))["tools"]}
    reading = {n for n, a in tools.items() if a["readOnlyHint"]}
    assert reading == {"where_am_i", "find_page", "plan_route", "explain", "map_stats"}
    assert {n: a["destructiveHint"] for n, a in tools.items() if n not in reading} == {
        "go": False,
        "report_hop": False,
        "explore": True,
    }


def test_the_tool_that_grows_the_map_is_offered_only_on_demand() -> None:
    assert "explore" not in {t["name"] for t in json.loads(_listed("--json"))["tools"]}
    assert _listed("--explore").splitlines()[-1].startswith("explore: ")


# Both transports


def _command(folder: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "waypost", "mcp", str(folder), *more]


@pytest.mark.slow
def test_a_client_does_a_whole_task_over_stdio(clock_map: Path) -> None:
    program, *words = _command(clock_map)

    async def run() -> None:
        async with Client(StdioServerParameters(command=program, args=words, env=dict(os.environ))) as client:
            await _whole_task(client)

    anyio.run(run)


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    running = subprocess.Popen(
        _command(folder, "--http", "--port", "0", "--json"), stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    try:
        told = ""
        while not told.rstrip().endswith("}"):
            line = running.stdout.readline()
            assert line, "the server ended"
            told += line
        yield json.loads(told)["url"]
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)


@pytest.mark.slow
def test_a_client_does_a_whole_task_over_http(clock_map: Path) -> None:
    with _serving(clock_map) as url:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/mcp", url)

        async def run() -> None:
            async with Client(url) as client:
                await _whole_task(client)

        anyio.run(run)


@pytest.mark.slow
def test_what_is_listed_is_what_goes_over_the_wire(clock_map: Path) -> None:
    asked: list[dict[str, Any]] = [
        {
            "method": "initialize",
            "id": 1,
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "raw", "version": "0"},
            },
        },
        {"method": "notifications/initialized"},
        {"method": "tools/list", "id": 2},
    ]
    with subprocess.Popen(
        _command(clock_map), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for row in asked:
            running.stdin.write(json.dumps({"jsonrpc": "2.0", **row}) + "\n")
            running.stdin.flush()
            if "id" in row:
                answer = json.loads(running.stdout.readline())
        running.stdin.close()
        assert running.wait(60) == 0
    assert answer["id"] == 2
    assert answer["result"] == json.loads(_listed("--json"))


# Either side drives


def test_an_agent_that_keeps_its_device_passes_its_tree_and_reports_hops(
    clock_map: Path, tmp_path: Path
) -> None:
    own = OwnDevice("clock")

    async def talk(client: Client) -> None:
        here = await _call(client, "where_am_i", tree=own.xml())
        assert here["name"] == "Alarms"
        planned = await _call(client, "plan_route", to="the page with the timer", tree=own.xml())
        assert planned["from"]["page"] == here["page"]
        assert 'tap tab "Timer"' in planned["steps"][0]
        before = own.neutral(tmp_path)
        own.tap("Timer")
        hop = await _call(
            client,
            "report_hop",
            before=before,
            did="tap",
            target="timer",
            after=own.xml(),
            expected=planned["expect"][0],
        )
        assert (hop["as_expected"], hop["new_page"], hop["name"]) == (True, False, "Timer")
        arrived = await _call(client, "plan_route", to=planned["page"], tree=own.neutral(tmp_path))
        assert (arrived["status"], arrived["steps"]) == ("already_there", [])

    _talk(_toolbox(clock_map), talk)


def test_a_hop_is_learnt_and_told_apart_from_what_was_expected(clock_map: Path) -> None:
    own = OwnDevice("clock")

    async def talk(client: Client) -> None:
        steps = (await _call(client, "map_stats"))["steps"]
        before = own.xml()
        own.tap("World")
        hop = await _call(
            client, "report_hop", before=before, did="tap", target="World", after=own.xml(), expected="Timer"
        )
        assert hop["as_expected"] is False
        by_page = await _call(
            client, "report_hop", before="Alarms", did="tap", target="World", after=own.xml()
        )
        assert by_page["page"] == hop["page"]
        assert (await _call(client, "map_stats"))["steps"] == steps + 2

    _talk(_toolbox(clock_map), talk)


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("find_page", {"sentence": " "}, "Say in a sentence"),
        ("explain", {"page": "no such page"}, "No page is called"),
        ("where_am_i", {"tree": {"odd": 1}}, "no tree"),
        ("report_hop", {"before": "Alarms", "did": "fly", "after": "<hierarchy/>"}, "long_press"),
        (
            "report_hop",
            {"before": "Alarms", "did": "tap", "target": "zzz", "after": "<a/>"},
            "knows no 'tap'",
        ),
    ],
)
def test_a_mistake_is_answered_in_words(
    tool: str, arguments: dict[str, Any], said: str, clock_map: Path
) -> None:
    async def talk(client: Client) -> None:
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        (told,) = result.content
        assert told.type == "text"
        assert said in told.text
        assert "Traceback" not in told.text

    _talk(_toolbox(clock_map), talk)


def test_what_an_agent_typed_is_not_told_to_the_map() -> None:
    own = OwnDevice("clock")
    own.tap("Search")
    screen = own.screen()
    field = next(e for e in screen.visible() if e.role is Role.FIELD)
    x, y = field.bounds.center
    for target in (field.label, f"{x},{y}"):
        action, key = seen_hop("type", target, screen, "com.pocket.clock")
        assert isinstance(action, TypeText)
        assert (action.text, key.startswith("type:")) == ("", True)


# Resources, progress, cancel


def test_records_and_pictures_can_be_read(clock_map: Path) -> None:
    async def talk(client: Client) -> None:
        pages = (await client.read_resource("waypost://pages")).contents[0]
        assert pages.mime_type == "application/json"
        first = json.loads(pages.text)["pages"][0]["page"]  # type: ignore[union-attr]
        record = (await client.read_resource(f"waypost://page/{first}")).contents[0]
        assert json.loads(record.text)["page"] == first  # type: ignore[union-attr]
        screen = (await client.read_resource(f"waypost://screen/{first}")).contents[0]
        assert screen.mime_type == "image/png"
        assert screen.blob.startswith("iVBOR")  # type: ignore[union-attr]
        with pytest.raises(Exception, match="No page is called"):
            await client.read_resource("waypost://page/nowhere")

    _talk(_toolbox(clock_map), talk)


def test_going_and_exploring_tell_how_far_they_are(clock_map: Path) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def talk(client: Client) -> None:
        await client.call_tool("go", {"to": "the page with the timer"}, progress_callback=heard)
        assert (0, 40, 'tap tab "Timer"') in told
        told.clear()
        grown = await client.call_tool("explore", {"actions": 6}, progress_callback=heard)
        assert not grown.is_error
        assert [row[:2] for row in told] == [(n, 6) for n in range(1, 7)]
        assert (await _call(client, "where_am_i"))["on_map"]

    _talk(_toolbox(clock_map), talk, explore=True)


class _Tireless(MapToolbox):
    """Goes on for ever, until it is stopped."""

    stopped = False

    def go(self, to: str, note: Note, *, restart: bool, limit: int, detail: bool) -> dict[str, Any]:
        done = 0
        try:
            while True:
                done += 1
                note(done, None, "another step")
        except Cancelled:
            type(self).stopped = True
            raise


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_that_gives_up_stops_the_device(clock_map: Path, mode: str) -> None:
    _Tireless.stopped = False

    async def talk(client: Client) -> None:
        with anyio.CancelScope() as scope:

            async def heard(progress: float, total: float | None, message: str | None) -> None:
                scope.cancel()

            await client.call_tool("go", {"to": "the timer"}, progress_callback=heard)
        assert scope.cancelled_caught
        # It is answered only once the device is at rest: one thread does both.
        assert (await _call(client, "where_am_i"))["on_map"]
        assert _Tireless.stopped

    _talk(lambda: _Tireless(str(clock_map), clock=lambda: 1.0), talk, mode=mode)


# The command


def test_a_map_that_is_not_there_is_said_before_a_client_connects(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["mcp", str(tmp_path / "none"), "--json"])
    assert result.exit_code == 2
    assert "waypost explore" in json.loads(result.stdout)["error"]["message"]


def test_no_map_at_all_is_wrong_use() -> None:
    assert CliRunner().invoke(app, ["mcp"]).exit_code == 2
