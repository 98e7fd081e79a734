"""Broken input of every format: what can be read is, the rest is told by file and line, nothing is fatal."""

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from waypost.adapters.foreign import IMPORTERS, Imported
from waypost.errors import UsageError

VIEWS = [
    {"class": "android.widget.FrameLayout", "package": "a.b", "bounds": [[0, 0], [1080, 1920]], "parent": -1,
     "children": [1, 2], "visible": True, "enabled": True},
    {"class": "android.widget.Button", "package": "a.b", "text": "Sound", "bounds": [[0, 100], [1080, 200]],
     "children": [], "parent": 0, "clickable": True, "visible": True, "enabled": True, "view_str": "v1"},
    {"class": "android.widget.TextView", "package": "a.b", "text": "Settings", "bounds": [[0, 0], [1080, 90]],
     "children": [], "parent": 0, "visible": True, "enabled": True, "view_str": "v2"},
]  # fmt: skip


def _views(title: str) -> list[dict[str, Any]]:
    return [*VIEWS[:2], {**VIEWS[2], "text": title}]


def droidbot(folder: Path) -> Path:
    """Write a run as DroidBot itself does: a file a state, a file an event."""
    for name in ("states", "events"):
        (folder / name).mkdir()
    for n, name in enumerate(("Home", "Sound")):
        row: dict[str, Any] = {
            "tag": f"t{n}",
            "state_str": f"s{n}",
            "foreground_activity": "a.b/.Main",
            "views": _views(name),
        }
        row |= {"width": 1080, "height": 1920}
        (folder / "states" / f"state_t{n}.json").write_text(json.dumps(row))
    touch = {"event_type": "touch", "view": VIEWS[1]}
    for n, event in enumerate((touch, {"event_type": "key", "name": "BACK"}, {"event_type": "intent"})):
        told = {
            "event": event,
            "start_state": "s0" if n != 1 else "s1",
            "stop_state": "s1" if n != 1 else "s0",
        }
        (folder / "events" / f"event_{n}.json").write_text(json.dumps(told))
    return folder


def autodroid(folder: Path) -> Path:
    button = {"id": 0, "tag": "button", "text": "Sound", "checked": None}
    data = {
        "app": "a.b",
        "states": {
            "s0": {
                "elements": [button],
                "summary": "func: the first page",
                "element_desc": ["task: set sounds"],
            },
            "s1": {"elements": [{**button, "text": "Volume"}]},
        },
        "transitions": [{"s": "s0", "choice": 0, "input": None, "t": "s1", "n": 3}],
    }
    (folder / "a.json.gz").write_bytes(gzip.compress(json.dumps(data).encode()))
    return folder


def colorbench(folder: Path) -> Path:
    click = {"action_type": "click", "x": 5, "y": 6, "bbox": [0, 0, 10, 20]}
    data = {
        "a.png": {"b.png": [click, {"action_type": "swipe", "direction": "up"}], "c.png": []},
        "b.png": {"a.png": [{"action_type": "type", "text": "x"}, {"action_type": "dance"}]},
    }
    (folder / "graph.json").write_text(json.dumps(data))
    return folder


def mobilegpt(folder: Path) -> Path:
    screen = (
        '<div index="0"><p index="1">Calendar</p><button index="2" id="search" description="Search"/></div>'
    )
    other = '<div index="0"><button index="1" description="Back"/></div>'
    tasks = [{"name": "search_event", "description": "Search for an event", "parameters": {}}]
    with (folder / "pages.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["index", "available_subtasks", "trigger_uis", "extra_uis", "screen"])
        out.writerow([0, json.dumps(tasks), "{}", "[]", screen])
        out.writerow([1, "[]", "{}", "[]", other])
    (folder / "pages" / "0").mkdir(parents=True)
    with (folder / "pages" / "0" / "actions.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["subtask_name", "step", "action", "example"])
        click = {"name": "click", "parameters": {"index": "2", "description": "Search"}}
        out.writerow(["search_event", 0, json.dumps(click), "{}"])
    with (folder / "tasks.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["name", "path"])
        out.writerow(["find", json.dumps({"0": ["search_event"], "1": ["finish"]})])
    return folder


def minimap(folder: Path) -> Path:
    for name in ("places", "edges"):
        (folder / ".minimap" / name).mkdir(parents=True)
    for place, texts in (("p1", ["Home", "SEARCH"]), ("p2", ["Search"])):
        prints = {
            "selectors": ["text=SEARCH"] if place == "p1" else ["id=a:id/query"],
            "texts": texts,
            "roles": {},
        }
        row: dict[str, Any] = {"id": place, "slug": texts[0].lower(), "label": texts[0], "variants": []}
        row["baseline"] = {"identity_hash": "x", "fingerprint": prints}
        (folder / ".minimap" / "places" / f"{place}.json").write_text(json.dumps(row))
    edges: list[tuple[str, str, list[dict[str, Any]]]] = [
        ("p1", "p2", [{"kind": "tap", "selector": "text=SEARCH"}]),
        ("p2", "p1", [{"kind": "back"}]),
        ("p1", "p9", [{"kind": "back"}]),
        ("p1", "p2", [{"kind": "tap", "point": [3, 4], "viewport": [1080, 2400]}, {"kind": "back"}]),
    ]
    for n, (source, target, recipe) in enumerate(edges):
        edge = {"id": f"e{n}", "from": source, "to": target, "intent": "", "recipe": recipe}
        (folder / ".minimap" / "edges" / f"e{n}.json").write_text(json.dumps(edge))
    return folder


def trailblaze(folder: Path) -> Path:
    (folder / "waypoints").mkdir()
    (folder / "shortcuts").mkdir()
    (folder / "trailmap.yaml").write_text("id: x\ntarget:\n  app_ids:\n    - com.x.app\n")
    tree = {"viewHierarchy": {"x2": 1080, "y2": 2400, "children": [
        {"text": "Sound", "className": "android.widget.Button", "clickable": True,
         "x1": 0, "y1": 100, "x2": 1080, "y2": 200}]}}  # fmt: skip
    (folder / "waypoints" / "home.example.json").write_text(json.dumps({"waypointId": "x/home", **tree}))
    for name in ("home", "sound"):
        (folder / "waypoints" / f"{name}.waypoint.yaml").write_text(
            f"id: x/{name}\ndescription: The {name} page\n"
        )
    tool = {"tapOnElementBySelector": {"nodeSelector": {"androidAccessibility": {"textRegex": "Sound"}}}}
    row = {"id": "s", "shortcut": {"from": "x/home", "to": "x/sound"}, "tools": [tool]}
    (folder / "shortcuts" / "s.shortcut.yaml").write_text(json.dumps(row))
    return folder


def jsonl(folder: Path) -> Path:
    rows: list[dict[str, Any]] = [
        {"type": "map", "app": "a.b", "root": "n1"},
        {"type": "page", "id": "n1", "name": "Home", "kind": "page", "screens": [{"app": "a.b"}]},
        {"type": "page", "id": "n2", "name": "Sound", "kind": "page"},
        {"type": "transition", "source": "n1", "action": {"do": "Press", "key": "back"}, "target": "n2"},
        {"type": "record", "node": "n2", "summary": "Sounds", "intents": ["mute"]},
    ]
    (folder / "m.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return folder


MAKERS: dict[str, Callable[[Path], Path]] = {
    "autodroid": autodroid, "colorbench": colorbench, "droidbot": droidbot, "jsonl": jsonl,
    "minimap": minimap, "mobilegpt": mobilegpt, "trailblaze": trailblaze,
}  # fmt: skip


def test_every_format_has_a_sample_here() -> None:
    assert set(MAKERS) == set(IMPORTERS)


@pytest.mark.parametrize("format", sorted(MAKERS))
def test_a_whole_source_gives_its_pages_and_ways(format: str, tmp_path: Path) -> None:
    found = IMPORTERS[format](MAKERS[format](tmp_path))
    assert len(found.pages) == (3 if format == "colorbench" else 2)
    # ColorBench names no first page: that is found out when the map is made.
    assert found.root in {p.id for p in found.pages} or format == "colorbench"
    assert found.ways
    names = {p.id for p in found.pages}
    assert all(w.source in names and w.target in names for w in found.ways)


def test_what_is_no_action_on_the_interface_is_told(tmp_path: Path) -> None:
    found = IMPORTERS["droidbot"](droidbot(tmp_path))
    assert [(f.file, f.why) for f in found.faults] == [
        ("event_2.json", "ValueError: not an action on the interface: intent")
    ]
    assert [type(w.action).__name__ for w in found.ways] == ["Tap", "Press"]


def test_an_autodroid_memory_brings_its_words(tmp_path: Path) -> None:
    first = IMPORTERS["autodroid"](autodroid(tmp_path)).pages[0]
    assert (first.summary, first.intents) == ("the first page", ("set sounds",))


def test_a_waypoint_without_a_look_is_a_page_and_a_shortcut_leads_there(tmp_path: Path) -> None:
    found = IMPORTERS["trailblaze"](trailblaze(tmp_path))
    blind = next(p for p in found.pages if not p.screens)
    assert (blind.name, blind.summary) == ("sound", "The sound page")
    assert [(w.source, w.target) for w in found.ways] == [("x/home", "x/sound")]


def test_the_element_of_a_mobilegpt_action_is_found_by_its_name(tmp_path: Path) -> None:
    (way,) = IMPORTERS["mobilegpt"](mobilegpt(tmp_path)).ways
    target = getattr(way.action, "target", None)
    assert target is not None
    assert (target.label, target.resource_id) == ("Search", "search")
    assert target.bounds.area


def test_a_minimap_edge_of_several_actions_or_an_unknown_place_is_told(tmp_path: Path) -> None:
    found = IMPORTERS["minimap"](minimap(tmp_path))
    assert {f.file: f.why for f in found.faults} == {
        "e2.json": "ValueError: an edge of an unknown place: p9",
        "e3.json": "ValueError: takes 2 actions; the places in between are not told",
    }


def test_a_broken_line_is_told_by_its_number(tmp_path: Path) -> None:
    path = jsonl(tmp_path) / "m.jsonl"
    lines = path.read_text().splitlines()
    broken = ["{", '{"type": "song"}', '{"type": "transition", "source": "n1"}', "[]"]
    path.write_text("\n".join([*lines, *broken, '{"type": "page", "id": "n3", "screens": [7]}']))
    found = IMPORTERS["jsonl"](tmp_path)
    assert [f.line for f in found.faults] == [6, 7, 8, 9, 10]
    assert len(found.pages) == 2


@pytest.mark.parametrize("format", sorted(IMPORTERS))
def test_nothing_at_all_is_a_users_mistake(format: str, tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(UsageError):
            IMPORTERS[format](path)


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file())


@pytest.mark.parametrize("format", sorted(MAKERS))
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_is_broken_is_skipped_or_a_users_mistake(
    format: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = MAKERS[format](tmp_path_factory.mktemp("broken"))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(_files(folder)))
        _break(path, data)
    try:
        found = IMPORTERS[format](folder)
    except UsageError:
        return  # As it must be where nothing can be read at all.
    assert isinstance(found, Imported)
    assert found.pages


def _break(path: Path, data: st.DataObject) -> None:
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    how = data.draw(st.sampled_from(["cut", "junk", "bytes", "value"]))
    if how == "cut":
        raw = raw[: data.draw(st.integers(0, len(raw)))]
    elif how == "junk":
        raw = json.dumps(data.draw(_JUNK)).encode()
    elif how == "bytes":
        raw = data.draw(st.binary(max_size=40)) + raw[40:]
    else:
        raw = _changed(raw, data)
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" and data.draw(st.booleans()) else raw)


def _changed(raw: bytes, data: st.DataObject) -> bytes:
    """Put junk in the place of one value of a JSON text, whatever its depth."""
    try:
        root = json.loads(raw)
    except ValueError:
        return raw
    at = root
    while isinstance(at, (dict, list)) and at:
        key: Any = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else list(range(len(at)))))
        inner = at[key]
        if not (isinstance(inner, (dict, list)) and inner) or data.draw(st.booleans()):
            at[key] = data.draw(_JUNK)
            break
        at = inner
    return json.dumps(root).encode()
