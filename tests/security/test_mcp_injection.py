"""What a screen says reaches an agent through MCP as data in its fields: never a tool, nor a line of ours."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from tests.security.test_injection import ATTACKS, FORBIDDEN, MARK, QUOTED, screens, world
from waypost.adapters.mcp import Desk
from waypost.adapters.mcp.server import server
from waypost.mapping import MapStore
from waypost.model import Element, Screen
from waypost.surface.toolbox import MapToolbox

CHANNELS = ("title", "button", "hint", "invisible")
OURS = ("steps", "block", "advice", "ways_on", "reason", "verdict", "status")
"""Fields whose words are Waypost's own: what they take from a screen stands inside quotes."""


def tree(screen: Screen) -> dict[str, Any]:
    """Write a screen as an agent would pass it."""

    def node(e: Element) -> dict[str, Any]:
        box = [e.bounds.left, e.bounds.top, e.bounds.right, e.bounds.bottom]
        flags = [name for name, on in (("clickable", e.clickable), ("invisible", not e.visible)) if on]
        said = {"class": e.role.value, "text": e.text, "desc": e.description, "id": e.resource_id}
        return {**said, "bounds": box, "flags": flags, "children": [node(c) for c in e.children]}

    return {**node(screen.root), "package": screen.app}


def leaves(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a reply with the field that it is in."""
    match value:
        case dict():
            for key, inside in value.items():
                assert MARK not in key
                yield from leaves(inside, key)
        case list():
            for inside in value:
                yield from leaves(inside, field)
        case str():
            yield field, value


def answers(folder: Path, shown: Screen) -> dict[str, Any]:
    """Ask everything that an agent may ask, as one would; `shown` is the screen that it passes."""
    desk = Desk(lambda: MapToolbox(str(folder), clock=lambda: 1.0))
    found: dict[str, Any] = {}

    async def talk() -> None:
        async with Client(server(desk)) as client:
            found["tools"] = [(t.name, t.description) for t in (await client.list_tools()).tools]
            asked: dict[str, dict[str, Any]] = {
                "where_am_i": {"tree": tree(shown), "detail": True},
                "find_page": {"sentence": "open the sounds", "detail": True},
                "plan_route": {"to": "open the sounds", "detail": True},
                "map_stats": {},
                "report_hop": {
                    "before": tree(shown),
                    "did": "tap",
                    "target": "no such",
                    "after": tree(shown),
                },
            }
            for name, words in asked.items():
                result = await client.call_tool(name, words)
                (told,) = result.content
                assert told.type == "text"
                found[name] = {"error": told.text} if result.is_error else json.loads(told.text)

    try:
        anyio.run(talk)
    finally:
        desk.close()
    return found


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """Give the tools as they are offered for an app that wants no harm."""
    shown = asked(tmp_path_factory.mktemp("plain") / "m", "Loud", "label")
    return list(shown["tools"])


def asked(folder: Path, attack: str, channel: str) -> dict[str, Any]:
    made = world(attack, channel)
    store = MapStore.create(folder, made.graph.app)
    store.save_all(made.graph)
    store.close()
    return answers(folder, screens(attack, channel)[1])


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_what_an_agent_is_told_stays_data(
    attack: str, channel: str, tmp_path: Path, tools: list[tuple[str, str]]
) -> None:
    found = asked(tmp_path / "m", ATTACKS[attack], channel)
    assert found.pop("tools") == tools
    for tool, reply in found.items():
        for field, said in leaves(reply):
            assert not FORBIDDEN.search(said), (tool, field, said)
            if channel == "invisible":
                assert MARK not in said, (tool, field, said)
            if field in OURS:
                for own in said.split("\n"):
                    assert MARK not in QUOTED.sub("", own), (tool, field, own)
            elif field != "block":
                assert "\n" not in said, (tool, field, said)


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_map_from_elsewhere_hides_nothing_in_its_names(attack: str, tmp_path: Path) -> None:
    made = world("Loud", "label")
    graph = made.graph
    graph.nodes[made.target] = replace(graph.nodes[made.target], name=ATTACKS[attack])
    store = MapStore.create(tmp_path / "m", graph.app)
    store.save_all(graph)
    store.close()
    found = answers(tmp_path / "m", screens("Loud", "label")[1])
    named = [said for _, said in leaves(found) if MARK in said]
    assert named
    assert not any(FORBIDDEN.search(said) for said in named), named
