"""Folders of looks: whatever shape somebody wrote them in, they are read; what we write is read again."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.conformance.screens import elements
from waypost.adapters.looks import read_looks, write_labels, write_look
from waypost.adapters.trees import Dialect, parse
from waypost.errors import TreeError, UsageError
from waypost.model import Bounds, Element, Observation, Role, Screen, TreeQuality

WHOLE = [0, 0, 1080, 2400]


def _write(folder: Path, name: str, row: Any) -> None:
    (folder / f"{name}.json").write_text(json.dumps(row), encoding="utf-8")


def _button(**more: Any) -> dict[str, Any]:
    return {"class": "android.widget.Button", "text": "Go", "bounds": [10, 20, 110, 80], **more}


def _only(row: dict[str, Any]) -> Element:
    look = {"package": "a.b", "activity": ".Main", "root": {"bounds": WHOLE, "children": [row]}}
    return parse(look).screen.root.children[0]


@pytest.mark.parametrize(
    "bounds",
    [
        [10, 20, 110, 80],
        [[10, 20], [110, 80]],
        "[10,20][110,80]",
        "10, 20, 110, 80",
        {"left": 10, "top": 20, "right": 110, "bottom": 80},
        {"x": 10, "y": 20, "width": 100, "height": 60},
        {"x1": 10, "y1": 20, "x2": 110, "y2": 80},
    ],
)
def test_bounds_are_read_in_any_of_their_shapes(bounds: Any) -> None:
    assert _only(_button(bounds=bounds)).bounds == Bounds(10, 20, 110, 80)


@pytest.mark.parametrize(
    "flags",
    [
        {"flags": ["clickable", "long-clickable", "selected"]},
        {"flags": "clickable|longClickable|selected"},
        {"flags": {"clickable": True, "long_clickable": True, "selected": True, "checked": False}},
        {"clickable": True, "longClickable": "true", "isSelected": True, "checked": "false"},
    ],
)
def test_flags_are_read_in_any_of_their_shapes(flags: dict[str, Any]) -> None:
    found = _only(_button(**flags))
    assert (found.clickable, found.long_clickable, found.selected) == (True, True, True)
    assert (found.checked, found.enabled, found.visible) == (False, True, True)


def test_a_list_of_flags_that_lists_what_is_enabled_says_what_is_not() -> None:
    held = [_button(flags=["clickable", "enabled"]), _button(flags=["clickable"]), _button()]
    on, off, silent = parse({"activity": "a/.B", "root": {"children": held}}).screen.root.children
    assert (on.enabled, off.enabled, silent.enabled) == (True, False, True)


@pytest.mark.parametrize("key", ["root", "tree", "hierarchy", None])
def test_the_tree_stands_under_a_key_or_is_the_look_itself(key: str | None) -> None:
    tree = {"class": "android.widget.FrameLayout", "bounds": WHOLE, "children": [_button()]}
    place = {"activity": "a.b/.Main", "package": "a.b"}
    found = parse({**place, **tree} if key is None else {**place, key: tree})
    assert found.dialect is Dialect.NEUTRAL
    assert (found.screen.app, found.screen.activity) == ("a.b", "a.b.Main")
    assert [e.role for e in found.screen.root.children] == [Role.BUTTON]


@pytest.mark.parametrize("activity", [".Main", "a.b.Main", "a.b/.Main", "a.b/a.b.Main", "Main"])
def test_an_activity_is_one_in_short_and_in_full(activity: str) -> None:
    assert parse({"package": "a.b", "activity": activity, "root": _button()}).screen.activity == "a.b.Main"


def test_an_address_is_split_as_the_browser_does() -> None:
    tree = {"class": "html", "bounds": WHOLE, "children": [
        {"class": "a", "text": "Home", "href": "/", "bounds": [0, 0, 90, 40]},
        {"tag": "input", "type": "checkbox", "bounds": [0, 50, 40, 90]},
        {"class": "div", "text": "Hello", "bounds": [0, 100, 90, 140]},
        {"class": "span", "text": "Send", "flags": ["clickable"], "bounds": [0, 150, 90, 190]},
    ]}  # fmt: skip
    screen = parse({"url": "http://127.0.0.1:5006/a/1?q=b#c", "root": tree}).screen
    assert (screen.app, screen.activity) == ("http://127.0.0.1:5006", "/a/1?q=b#c")
    assert screen.root.role is Role.WEB
    assert [e.role for e in screen.root.children] == [Role.LINK, Role.CHECKBOX, Role.TEXT, Role.BUTTON]


def test_an_address_without_its_origin_is_one_of_the_web_all_the_same() -> None:
    tree = {"role": "BUTTON", "aria-label": "Search", "tag": "div", "bounds": [0, 0, 90, 40]}
    screen = parse({"url": "/inbox?page=2", "root": [tree, {**tree, "role": "", "text": "Hello"}]}).screen
    assert (screen.app, screen.activity) == ("", "/inbox?page=2")
    assert [(e.role, e.label) for e in screen.root.children] == [
        (Role.BUTTON, "Search"),
        (Role.TEXT, "Hello"),
    ]


def test_the_window_of_another_app_is_that_app() -> None:
    row = _button(package="com.android.permissioncontroller")
    assert parse({"package": "a.b", "activity": ".M", "root": row}).screen.app == row["package"]


def test_a_look_whose_nodes_lie_nowhere_is_laid_out_so_that_it_is_seen() -> None:
    tree = {"children": [{"text": "one", "class": "android.widget.TextView"}, {"text": "two"}]}
    found = parse({"activity": "a/.B", "root": tree})
    assert [e.text for e in found.screen.visible()] == ["", "one", "two"]
    assert "laid out" in " ".join(found.notes)


def test_a_container_without_a_place_has_that_of_what_it_holds() -> None:
    tree = {"children": [{"children": [_button(), _button(bounds=[0, 300, 50, 340])]}, {"bounds": WHOLE}]}
    found = parse({"activity": "a/.B", "root": tree}).screen.root
    assert found.children[0].bounds == Bounds(0, 20, 110, 340)


def test_a_look_without_a_tree_is_visual_only() -> None:
    screen = parse({"package": "a.b", "activity": ".Game", "screenshot": "x.png", "root": None}).screen
    assert (screen.app, screen.activity, screen.quality) == ("a.b", "a.b.Game", TreeQuality.NONE)


def test_a_broken_file_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    _write(tmp_path, "good", {"package": "a.b", "activity": ".M", "root": _button()})
    _write(tmp_path, "other", {"name": "a project", "version": 1})
    _write(tmp_path, "number", 7)
    (tmp_path / "torn.json").write_text('{"root": {"cl')
    (tmp_path / "good.png").write_bytes(b"no picture")
    found = read_looks(tmp_path)
    assert list(found.screens) == ["good"]
    assert sorted(found.faults) == ["number.json", "other.json", "torn.json"]
    assert "not JSON" in found.faults["torn.json"]


def test_a_folder_in_which_nothing_can_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no \.json"):
        read_looks(tmp_path)
    (tmp_path / "torn.json").write_text("{")
    with pytest.raises(UsageError, match=r"torn\.json"):
        read_looks(tmp_path)
    with pytest.raises(UsageError, match="no folder"):
        read_looks(tmp_path / "nowhere")


def test_a_dialog_is_as_large_as_its_window_on_the_screen_of_the_others(tmp_path: Path) -> None:
    for name in "abc":
        _write(tmp_path, name, {"package": "p", "root": {"class": "x", "bounds": [0, 0, 720, 1280]}})
    _write(tmp_path, "dialog", {"package": "p", "root": {"class": "x", "bounds": [40, 400, 680, 800]}})
    _write(tmp_path, "turned", {"package": "p", "root": {"class": "x", "bounds": [0, 0, 1280, 720]}})
    sizes = {n: s.size for n, s in read_looks(tmp_path).screens.items()}
    assert sizes["dialog"] == (720, 1280)
    assert sizes["turned"] == (1280, 720)


def test_a_picture_as_wide_as_the_tree_tells_how_high_the_screen_is(tmp_path: Path) -> None:
    Image.new("RGB", (720, 1600)).save(tmp_path / "a.png")
    tree = {"class": "html", "bounds": [0, 0, 720, 9000], "children": [_button(bounds=[0, 5000, 90, 5040])]}
    _write(tmp_path, "a", {"url": "http://x/", "screenshot": "a.png", "root": tree})
    found = read_looks(tmp_path)
    assert found.screens["a"].size == (720, 1600)
    assert not found.screens["a"].root.children[0].visible
    assert found.pictures == {"a": tmp_path / "a.png"}


def test_a_screenshot_outside_of_the_folder_is_not_taken(tmp_path: Path) -> None:
    inside = tmp_path / "set"
    inside.mkdir()
    (tmp_path / "secret.png").write_bytes(b"")
    _write(inside, "a", {"activity": "a/.B", "screenshot": "../secret.png", "root": _button()})
    assert read_looks(inside).pictures == {}


def test_the_app_is_the_one_that_most_looks_are_of(tmp_path: Path) -> None:
    for name, package in (("a", "p"), ("b", "q"), ("c", "p"), ("d", "r")):
        _write(tmp_path, name, {"package": package, "activity": ".M", "root": _button()})
    assert read_looks(tmp_path).app == "p"
    write_labels(tmp_path, {"a": None, "b": "page", "c": None})
    assert read_looks(tmp_path).app == "q"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("labels.json", '{"a": "inbox", "b": null}'),
        ("labels.yaml", "labels:\n  a: inbox\n  b.json:\ncauses:\n  b: overlay\n"),
    ],
)
def test_labels_lie_beside_the_looks(tmp_path: Path, name: str, text: str) -> None:
    for look in "abc":
        _write(tmp_path, look, {"activity": "a/.B", "root": _button()})
    (tmp_path / name).write_text(text)
    found = read_looks(tmp_path)
    assert found.labels == {"a": "inbox", "b": None}
    assert found.causes == ({} if name.endswith("json") else {"b": ("overlay",)})


def test_a_label_of_no_look_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, "a", {"activity": "a/.B", "root": _button()})
    (tmp_path / "labels.json").write_text('{"b": "inbox"}')
    with pytest.raises(UsageError, match="'b'"):
        read_looks(tmp_path)


def test_a_name_that_leads_elsewhere_is_no_name(tmp_path: Path) -> None:
    for name in ("../a", "", "a/b"):
        with pytest.raises(ValueError, match="name of a file"):
            write_look(tmp_path, name, Observation(Screen()))


@settings(deadline=None, max_examples=60)
@given(
    root=elements,
    place=st.sampled_from([("a.b", "a.b.Main"), ("http://x.y:80", "/a?b=c#d"), ("http://x.y", "")]),
    keyboard=st.booleans(),
    overlay=st.sampled_from(["", "android"]),
)
def test_what_is_written_is_read_again(
    root: Element,
    place: tuple[str, str],
    keyboard: bool,
    overlay: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    screen = Screen(root, *place, title="A title", size=(1000, 1000), keyboard=keyboard, overlay=overlay)
    folder = tmp_path_factory.mktemp("looks")
    write_look(folder, "one", Observation(screen))
    write_look(folder, "none", Observation(replace(screen, root=Element(), quality=TreeQuality.NONE)))
    found = read_looks(folder)
    assert found.screens["one"] == screen
    assert found.screens["none"] == replace(screen, root=Element(), quality=TreeQuality.NONE)


names = st.sampled_from(
    [
        "root",
        "tree",
        "class",
        "text",
        "desc",
        "id",
        "bounds",
        "flags",
        "children",
        "activity",
        "url",
        "package",
        "role",
        "size",
        "hint",
        "type",
    ]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=5),
    max_leaves=25,
)


@settings(settings.get_profile("fuzz"))
@given(st.dictionaries(names, values, max_size=6))
def test_an_object_of_any_shape_is_read_or_refused_by_our_own_error(look: dict[str, Any]) -> None:
    try:
        screen = parse(look).screen
    except TreeError:
        return
    width, height = screen.size
    for element in screen.walk():
        assert 0 <= element.bounds.left <= element.bounds.right <= width
        assert 0 <= element.bounds.top <= element.bounds.bottom <= height
    hash(screen)


def test_a_field_of_the_web_that_takes_a_password_is_one() -> None:
    field = {"class": "input", "type": "password", "value": "hunter2", "bounds": [0, 0, 90, 30]}
    (found,) = [e for e in parse({"url": "http://127.0.0.1:1/", "root": field}).screen.walk() if e.text]
    assert found.password
