import gzip
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.adapters.trees.dumps import dump, node
from waypost.adapters.trees import Dialect, Dump, parse
from waypost.adapters.trees.markup import Tag, documents
from waypost.errors import TreeError
from waypost.model import Bounds, Element, Role, Screen, TreeQuality
from waypost.model.codec import decode, encode

SIZE = (1080, 2400)


def _by_text(root: Element) -> dict[str, Element]:
    return {e.text: e for e in root.walk() if e.text}


def test_log_lines_before_and_after_the_tree_are_no_part_of_it() -> None:
    text = "WARNING: linker: <init> failed\n" + dump(node(text="a")) + "UI hierchary dumped to: /dev/tty\n"
    found = parse(text)
    assert found.screen.root.text == "a"
    assert found.screen.quality is TreeQuality.FULL
    assert "linker" in " ".join(found.notes)


@pytest.mark.parametrize(
    ("printed", "fault"),
    [
        ("", Dump.EMPTY),
        (b"\r\n", Dump.EMPTY),
        ("ERROR: could not get idle state.\n", Dump.BUSY),
        ("Killed \n", Dump.KILLED),
        ("ERROR: null root node returned by UiTestAutomationBridge.", Dump.NO_WINDOW),
        ("java.lang.IllegalStateException: UiAutomationService android.a@1 already registered!", Dump.TAKEN),
        ("java.lang.IllegalStateException: UiAutomation not connected!", Dump.TAKEN),
        ("/system/bin/sh: uiautomator: inaccessible or not found", Dump.REFUSED),
        ("something else altogether", Dump.UNREADABLE),
        (dump(), Dump.EMPTY),
    ],
)
def test_what_stands_in_place_of_a_tree_is_named(printed: str | bytes, fault: Dump) -> None:
    found = parse(printed, size=SIZE)
    assert (found.fault, found.screen.quality) == (fault, TreeQuality.NONE)
    assert found.screen.size == SIZE


def test_a_tree_after_which_the_command_was_killed_is_partial_and_says_why() -> None:
    found = parse(dump(node(node(text="kept"), text="a")).removesuffix("</node></hierarchy>") + "\nKilled\n")
    assert found.partial
    assert found.fault is Dump.KILLED
    assert "kept" in _by_text(found.screen.root)


def test_tags_that_do_not_match_give_what_can_be_had() -> None:
    text = "<hierarchy><node class='A' text='x'></wrong><node class='B' text='y'/></hierarchy>"
    found = parse(text)
    assert found.partial
    assert [e.text for e in found.screen.walk()] == ["x", "y"]


def test_an_attribute_with_a_raw_sign_costs_nothing_but_itself() -> None:
    text = dump(node(text="PLACE"), node(text="after")).replace("PLACE", "a < b & c > d")
    assert set(_by_text(parse(text).screen.root)) == {"a < b & c > d", "after"}


def test_several_roots_become_one_screen() -> None:
    found = parse(
        dump(node(text="a", bounds="[0,0][1080,2400]"), node(text="b", bounds="[90,900][900,1400]"))
    )
    assert [r.text for r in found.roots] == ["a", "b"]
    assert found.screen.root.bounds == Bounds(0, 0, 1080, 2400)


def test_of_two_dumps_in_one_stream_the_last_whole_one_counts() -> None:
    first, second = dump(node(text="old")), dump(node(text="new"))
    assert parse(first + second).screen.root.text == "new"
    assert parse(first + second[:-20]).screen.root.text == "old"


def test_an_emoji_survives_every_way_of_writing_it() -> None:
    wave = "👋"
    split = dump(node(text="X")).replace("X", "&#55357;&#56395;")
    bytes_of_halves = dump(node(text="X")).replace("X", "\ud83d\udc4b").encode("utf-8", "surrogatepass")
    for source in (split, bytes_of_halves, dump(node(text=wave)), dump(node(text=wave)).encode()):
        assert parse(source).screen.root.text == wave


def test_half_an_emoji_and_signs_of_no_screen_do_not_break_the_tree() -> None:
    found = parse(dump(node(text="a\ud83db\x00\x08c")))
    assert found.screen.root.text == "a\ufffdbc"
    assert found.screen.quality is TreeQuality.FULL


def test_bytes_that_are_no_text_do_not_break_the_tree() -> None:
    found = parse(dump(node(text="XX")).encode().replace(b"XX", b"a\xff\xfe"))
    assert found.screen.root.text.startswith("a")


def test_a_line_break_in_a_text_is_kept() -> None:
    assert parse(dump(node(text="X")).replace("X", "a&#10;b")).screen.root.text == "a\nb"


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ("[-50,-20][100,80]", Bounds(0, 0, 100, 80)),
        ("[900,10][2000,90]", Bounds(900, 10, 1080, 90)),
        ("[100,100][50,50]", Bounds(0, 0, 0, 0)),
        ("[10,10][10,90]", Bounds(0, 0, 0, 0)),
        ("[0,-400][1080,-10]", Bounds(0, 0, 1080, 0)),
        ("[1080,0][2160,2400]", Bounds(1080, 0, 1080, 2400)),
        ("nonsense", Bounds(0, 0, 0, 0)),
        ("[0.0,1.5][20.0,30.5]", Bounds(0, 1, 20, 30)),
    ],
)
def test_odd_bounds_are_clipped_and_what_cannot_be_seen_is_marked(bounds: str, expected: Bounds) -> None:
    text = dump(node(node(text="odd", bounds=bounds), bounds="[0,0][1080,2400]"))
    odd = _by_text(parse(text, size=SIZE).screen.root)["odd"]
    assert odd.bounds == expected
    assert odd.visible == (expected.area > 0)


@pytest.mark.parametrize("depth", [99, 150, 4_000])
def test_a_tree_of_any_depth_is_read_and_can_be_used(depth: int) -> None:
    text = node(text="bottom")
    opening = node(text="x").replace(" />", ">")
    found = parse(dump(opening * depth + text + "</node>" * depth))
    assert sum(1 for _ in found.screen.walk()) == depth + 1
    assert "bottom" in _by_text(found.screen.root)
    assert found.screen == parse(dump(opening * depth + text + "</node>" * depth)).screen
    assert decode(Screen, json.loads(json.dumps(encode(found.screen)))) == found.screen
    assert bool(found.notes) == (depth >= 100)


def test_five_thousand_nodes_are_all_read() -> None:
    found = parse(dump(node(*(node(text=str(n)) for n in range(5000)))))
    assert len(found.screen.root.children) == 5000


def test_a_class_within_a_class_keeps_its_name_and_its_role() -> None:
    tab = parse(dump(node(**{"class": "android.app.ActionBar$Tab"}))).screen.root
    assert (tab.class_name, tab.role) == ("android.app.ActionBar$Tab", Role.TAB)
    page = '<hierarchy><android.app.ActionBar$Tab bounds="[0,0][9,9]" text="t"/></hierarchy>'
    assert parse(page).screen.root.role is Role.TAB


def test_right_to_left_text_and_places_are_kept_as_they_are() -> None:
    text = dump(
        node(
            node(text="שלום", bounds="[900,0][1080,90]"),
            node(text="\u202bمرحبا\u202c", bounds="[0,0][180,90]"),
        )
    )
    left, right = parse(text, size=SIZE).screen.root.children
    assert (left.text, left.bounds.left) == ("שלום", 900)
    assert right.text == "\u202bمرحبا\u202c"


def test_a_node_that_says_nothing_to_assistive_tools_is_a_node() -> None:
    button = parse(
        dump(node(NAF="true", clickable="true", **{"class": "android.widget.ImageButton"}))
    ).screen.root
    assert button.clickable
    assert button.label == ""


def test_an_invisible_container_keeps_its_visible_children() -> None:
    inner = node(text="seen", displayed="true")
    for container in (
        node(inner, displayed="false"),
        node(inner, visible_to_user="false"),
        node(inner, bounds="[0,0][0,0]"),
    ):
        root = parse(dump(container), size=SIZE).screen.root
        assert not root.visible
        assert root.children[0].visible


def test_the_keyboard_is_kept_apart_and_told() -> None:
    app = node(node(text="To"), bounds="[0,0][1080,2400]")
    keys = node(node(text="q"), bounds="[0,1600][1080,2400]", package="com.google.android.inputmethod.latin")
    framed = node(
        node(text="q", resource_id="android:id/inputArea"), bounds="[0,1600][1080,2400]", package="jp.x"
    )
    named = node(node(text="q"), bounds="[0,1600][1080,2400]", package="org.typing")
    for window in (keys, framed, named):
        found = parse(dump(app, window), ime="org.typing")
        assert found.screen.keyboard
        assert "q" not in _by_text(found.screen.root)
        assert [k.children[0].text for k in found.keys] == ["q"]
    assert not parse(dump(keys)).screen.keyboard  # The settings of a keyboard are an app like any other.


def test_windows_of_a_dump_by_windows_are_ordered_and_the_keyboard_is_told_by_its_type() -> None:
    def window(content: str, **said: str) -> str:
        return node(f"<hierarchy rotation='1'>{content}</hierarchy>", tag="window", **said)

    app = node(text="app", bounds="[0,0][2400,1080]")
    dialog = node(text="ask", bounds="[500,200][1800,800]", package="com.android.permissioncontroller")
    bar = node(text="12:00", bounds="[0,0][2400,60]", package="com.android.systemui")
    keys = node(text="q", bounds="[0,600][2400,1080]", package="some.keys")
    text = "<displays><display id='0'>{}</display><display id='2'>{}</display></displays>".format(
        window(keys, type="TYPE_INPUT_METHOD", layer="4")
        + window(bar, type="TYPE_SYSTEM", layer="3")
        + window(dialog, active="true", layer="2")
        + window(app, layer="1"),
        window(node(text="elsewhere"), layer="9"),
    )
    found = parse(text)
    assert [r.text for r in found.roots] == ["app", "ask"]
    assert (found.screen.app, found.screen.overlay) == ("org.app", "com.android.permissioncontroller")
    assert (found.screen.keyboard, found.screen.rotation, found.screen.size) == (True, 1, (2400, 1080))


def test_an_empty_field_shows_its_hint_and_holds_nothing() -> None:
    field = {"class": "android.widget.EditText"}
    for said in ({"text": "Name", "hint": "Name"}, {"text": "Name", "showing_hint": "true"}):
        found = parse(dump(node(**said, **field))).screen.root
        assert (found.text, found.hint) == ("", "Name")
    typed = parse(dump(node(text="Ann", hint="Name", **field))).screen.root
    assert (typed.text, typed.hint) == ("Ann", "Name")


def test_an_iphone_s_page_source_is_a_screen_in_pixels() -> None:
    page = """<?xml version="1.0" encoding="UTF-8"?><AppiumAUT>
    <XCUIElementTypeApplication name="Notes" x="0" y="0" width="390" height="844">
      <XCUIElementTypeNavigationBar name="Folders" x="0" y="47" width="390" height="44">
        <XCUIElementTypeButton name="Back" label="Back" x="0" y="47" width="60" height="44" visible="true"/>
      </XCUIElementTypeNavigationBar>
      <XCUIElementTypeTextField name="title" label="Title" value="Milk" placeholderValue="Name" x="10" y="100"
         width="370" height="40"/>
      <XCUIElementTypeTextField value="Name" placeholderValue="Name" x="10" y="150" width="370" height="40"/>
      <XCUIElementTypeSwitch label="Pinned" value="1" x="10" y="200" width="60" height="30"/>
      <XCUIElementTypeSecureTextField value="••••" x="10" y="240" width="370" height="40"/>
      <XCUIElementTypeTabBar x="0" y="760" width="390" height="84">
        <XCUIElementTypeButton label="Home" value="1" x="0" y="760" width="130" height="84"/>
      </XCUIElementTypeTabBar>
      <XCUIElementTypeKeyboard x="0" y="550" width="390" height="294">
        <XCUIElementTypeKey label="q" x="0" y="560" width="39" height="50"/>
      </XCUIElementTypeKeyboard>
    </XCUIElementTypeApplication></AppiumAUT>"""
    found = parse(page, scale=3)
    screen = found.screen
    assert (found.dialect, screen.app, screen.size, screen.keyboard) == (
        Dialect.WDA,
        "Notes",
        (1170, 2532),
        True,
    )
    by_role = {r: [e for e in screen.walk() if e.role is r] for r in Role}
    assert by_role[Role.BUTTON][0].bounds == Bounds(0, 141, 180, 273)
    title, empty, secret = by_role[Role.FIELD]
    assert (title.text, title.description, title.resource_id) == ("Milk", "Title", "title")
    assert (empty.text, empty.hint, secret.password) == ("", "Name", True)
    assert by_role[Role.SWITCH][0].checked
    assert by_role[Role.TAB][0].selected
    assert "q" not in {e.text for e in screen.walk()}
    assert [k.children[0].text for k in found.keys] == ["q"]


@pytest.mark.parametrize(
    "source", ["{", '{"a": 1}', '{"views": 3}', "{" * 100_000, '{"a":' * 100_000, {"x": 1}, 7, None]
)
def test_what_is_of_no_known_form_is_our_own_error(source: object) -> None:
    with pytest.raises(TreeError):
        parse(source)  # type: ignore[arg-type]


def test_a_tree_without_end_is_cut_and_says_so() -> None:
    loop: dict[str, object] = {"x2": 9, "y2": 9}
    loop["children"] = [loop]
    assert parse({"viewHierarchy": loop}).partial


def _same(tag: Tag, other: ElementTree.Element) -> None:
    stack = [(tag, other)]
    while stack:
        a, b = stack.pop()
        assert (a.name, a.attributes, len(a.children)) == (b.tag, b.attrib, len(b))
        stack.extend(zip(a.children, b, strict=True))


@pytest.mark.shared
def test_every_real_markup_is_read_as_the_stock_parser_reads_it(shared: Path) -> None:
    paths = [*sorted(shared.glob("xml_*/*.xml")), *sorted(shared.glob("xml_*/*.txt"))]
    paths += sorted((shared / "mobilegpt_memory").rglob("*.xml"))
    assert len(paths) >= 93
    for path in paths:
        raw = path.read_bytes()
        (document,) = documents(raw.decode())
        assert not document.broken
        _same(document.roots[0], ElementTree.fromstring(raw))
        found = parse(raw)
        assert found.screen.quality is TreeQuality.FULL, path
        assert sum(1 for r in found.roots for _ in r.walk()) >= 1


@pytest.mark.shared
def test_every_real_hierarchy_in_json_is_read_whole(shared: Path) -> None:
    paths = sorted((shared / "calendar_android").rglob("*.example.json"))
    assert len(paths) == 83
    for path in paths:
        raw = path.read_bytes()
        found = parse(raw)
        assert (found.screen.quality, found.dialect) == (TreeQuality.FULL, Dialect.ACCESSIBILITY)
        assert list(found.screen.visible())
        plain = parse({**json.loads(raw), "trailblazeNodeTree": None})
        assert list(plain.screen.visible())


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "states"),
    [("a2dp_vol/a2dp_vol", 16), ("qqmusic/qqmusic", 176), ("qqmusic/qqmusic_run2", 21)],
)
def test_every_real_state_of_droidbot_is_read(shared: Path, name: str, states: int) -> None:
    data = json.loads(gzip.decompress((shared / f"{name}.json.gz").read_bytes()))
    assert len(data["states"]) == states
    for state in data["states"].values():
        found = parse(state, size=tuple(data["screen"]))
        assert found.dialect is Dialect.DROIDBOT
        assert sum(1 for r in found.roots for _ in r.walk()) == len(state["views"])
