"""The parts that need no browser: the fence, the walk's rows, the browser's own dialogs."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from waypost.adapters.browser.fence import Fence
from waypost.adapters.browser.gestures import took
from waypost.adapters.browser.held import Held
from waypost.adapters.browser.tree import Foreign, graft, parse, screen
from waypost.model import Bounds, Element, Role, Screen, TreeQuality

SIZE = (1080, 2400)


def walk(*rows: dict[str, Any], **more: Any) -> str:
    page = {"url": "http://app/x?y#z", "title": "T", "size": SIZE, "keyboard": False, "scroll": True}
    return json.dumps({**page, "k": 3, "canvas": 0, "tree": rows, **more})


@given(
    st.sampled_from(["http", "https", "ws", "ftp", "mailto"]),
    st.from_regex(r"[a-z0-9.@:/?#-]{1,30}", fullmatch=True),
)
def test_only_the_apps_own_host_is_inside(scheme: str, rest: str) -> None:
    fence = Fence("http://app.test:81/")
    if fence.allows(f"{scheme}://{rest}"):
        assert rest.startswith("app.test:81")
        assert rest[len("app.test:81") :][:1] in ("", "/", "?", "#")
        assert scheme in ("http", "https", "ws")


def test_hosts_are_allowed_by_name_and_port() -> None:
    fence = Fence("https://app.test/", ("*.cdn.test", "api.test:8080"))
    inside = ["http://app.test/", "https://app.test:443/a", "wss://x.cdn.test/s", "http://api.test:8080/"]
    outside = [
        "https://cdn.test/",
        "http://api.test/",
        "https://app.test.evil/",
        "https://evilapp.test/",
        "tel:1",
    ]
    assert all(fence.allows(u) for u in inside)
    assert not any(fence.allows(u) for u in outside)
    assert (
        fence.resolver_rules() == "MAP * ~NOTFOUND , EXCLUDE app.test , EXCLUDE *.cdn.test , EXCLUDE api.test"
    )


def test_what_was_stopped_is_kept_once() -> None:
    fence = Fence("http://app.test/")
    for _ in range(3):
        fence.note("http://other.test/")
    assert (fence.stopped, fence.count) == (["http://other.test/"], 3)


def test_rows_become_elements_clipped_to_the_screen() -> None:
    row = {"r": "button", "g": "button", "t": "Go", "f": 1 | 32, "b": [-10, 5, 50, 60]}
    page = parse(walk(row, {"r": "text", "g": "p", "t": "low", "b": [0, 3000, 10, 3010]}))
    seen = screen(page)
    go, low = seen.root.children
    assert (go.role, go.bounds, go.clickable, go.selected) == (Role.BUTTON, Bounds(0, 5, 50, 60), True, True)
    assert not low.visible
    assert (seen.app, seen.activity, seen.title) == ("http://app", "/x?y#z", "T")
    assert seen.quality is TreeQuality.FULL


def test_a_page_drawn_by_script_is_only_partly_known() -> None:
    assert screen(parse(walk(canvas=0.9))).quality is TreeQuality.PARTIAL


def test_a_large_frame_that_nobody_can_read_makes_the_tree_partial() -> None:
    row = {"r": "iframe", "g": "iframe", "b": [0, 0, 1080, 1200], "x": ["http://other/", 3, 3]}
    page = parse(walk(row))
    assert page.foreign == (Foreign(Bounds(0, 0, 1080, 1200), "http://other/", (3, 3)),)
    assert screen(page).quality is TreeQuality.PARTIAL


def test_a_foreign_frame_is_read_where_it_lies() -> None:
    frame = Foreign(Bounds(0, 300, 600, 900), "http://other/", (30, 330))
    inner = parse(walk({"r": "link", "g": "a", "t": "In", "b": [0, 0, 90, 60]}), frame=frame)
    assert inner.elements[0].bounds == Bounds(30, 330, 120, 390)
    outer = (Element(Role.WEB, "iframe", bounds=frame.bounds),)
    assert graft(outer, frame.bounds, inner.elements)[0].children == inner.elements


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=60), st.integers(-80, 80))
def test_every_choice_in_view_can_be_hit(choices: list[str], rows: int) -> None:
    held = Held("", "Pick", tuple(choices)).scrolled(rows, SIZE)
    shown = held.rows(SIZE)
    assert shown
    for index, box in shown:
        assert held.hit(box.center, SIZE) == index
        assert 0 <= box.top < box.bottom <= SIZE[1]
    layer = held.over(Screen(size=SIZE)).root.children[-1]
    assert [c.text for c in layer.children if c.role is Role.MENUITEM] == [choices[i] for i, _ in shown]


def test_what_lies_below_a_dialog_cannot_be_seen() -> None:
    below = Element(Role.BUTTON, text="Pay", bounds=Bounds(0, 0, 90, 90), clickable=True)
    seen = Held("javascript", "Sure?", ("Cancel", "OK")).over(Screen(Element(children=(below,)), size=SIZE))
    assert "Pay" not in {e.label for e in seen.visible()}
    assert seen.overlay == "javascript"
    assert Held("javascript", "Sure?", ("OK",)).picture(SIZE, b"").startswith(b"\x89PNG")


@given(st.text())
def test_a_field_took_what_it_shows(text: str) -> None:
    assert took(text, text)
