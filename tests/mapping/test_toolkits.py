"""Looks of toolkits that tell no classes and no ids: bars, rows, titles and layers by how they are drawn."""

from typing import Any

from waypost.adapters.trees import parse
from waypost.mapping.layers import LayerKind, active_layer
from waypost.mapping.match import EvidenceMatcher
from waypost.mapping.signature import signature
from waypost.model import Screen

SIZE = [1080, 2400]
VIEW = "android.view.View"


def view(
    box: tuple[int, int, int, int], desc: str = "", *children: dict[str, Any], tap: bool = False
) -> dict[str, Any]:
    flags = ["clickable"] if tap else []
    return {"class": VIEW, "desc": desc, "bounds": list(box), "flags": flags, "children": list(children)}


def look(*parts: dict[str, Any]) -> Screen:
    root = {"class": VIEW, "bounds": [0, 0, *SIZE], "children": list(parts)}
    return parse({"package": "org.example", "activity": ".MainActivity", "size": SIZE, "root": root}).screen


def page(title: str, *rows: str, chosen: str = "") -> Screen:
    """Return a page as Flutter tells it: all parts side by side, none with a name."""
    tabs = [
        view((360 * i, 2200, 360 * i + 360, 2400), t, tap=True) for i, t in enumerate(("Home", "Chats", "Me"))
    ]
    for tab in tabs:
        tab["flags"] += ["selected"] if tab["desc"] == chosen else []
    listed = [view((0, 300 + 200 * i, 1080, 500 + 200 * i), r, tap=True) for i, r in enumerate(rows)]
    bar = (view((0, 100, 140, 240), "Back", tap=True), view((180, 120, 800, 220), title))
    return look(*bar, *listed, *tabs)


def test_a_title_and_tabs_among_rows_of_one_shape_are_no_rows() -> None:
    seen = signature(page("Settings", "Sound", "Display", "Storage"))
    assert (seen.title, seen.titled) == ("settings", True)
    assert seen.rows == {"sound", "display", "storage"}
    assert seen.labels >= {"home", "chats", "me"}


def test_the_chosen_tab_tells_in_a_flat_tree() -> None:
    home, chats = page("", "Ann", "Bob", "Cid", chosen="Home"), page("", "Ann", "Bob", "Cid", chosen="Chats")
    assert signature(home).selected == {"home"}
    assert not EvidenceMatcher().compare(home, chats).same


def test_bars_and_what_lies_between_are_no_rows_of_one_template() -> None:
    def section(top: int, bottom: int, *said: str) -> dict[str, Any]:
        parts = [view((60 * i, top, 60 * i + 60, bottom), t, tap=True) for i, t in enumerate(said)]
        return view((0, top, 1080, bottom), "", *parts)

    seen = signature(
        look(section(80, 240, "Up", "Find"), section(240, 2200, "Pay", "Send"), section(2200, 2400, "Keep"))
    )
    assert not seen.rows
    assert {"find", "pay", "send", "keep"} <= seen.labels


def test_what_lies_before_a_barrier_is_a_dialog() -> None:
    barrier = view((0, 0, 1080, 2400), "Dismiss", tap=True)
    asked = view((90, 900, 990, 1500), "", view((140, 950, 900, 1050), "Delete chat?"))
    asked["children"].append(view((600, 1350, 950, 1450), "Delete", tap=True))
    seen = active_layer(look(barrier, asked))
    assert seen.kind is LayerKind.DIALOG
    assert {e.label for e in seen.root.walk() if e.label} == {"Delete chat?", "Delete"}


def test_a_page_on_a_ground_that_takes_touches_is_no_layer_and_keeps_its_controls() -> None:
    ground = view((0, 0, 1080, 2400), "", tap=True)
    ground["children"] = [
        view((0, 100, 140, 240), "Close", tap=True),
        view((800, 100, 940, 240), "Edit", tap=True),
        view((100, 2200, 900, 2380), "Save", tap=True),
    ]
    seen = look(ground)
    assert active_layer(seen).kind is LayerKind.PAGE
    assert {"close", "edit", "save"} <= signature(seen).labels


def test_a_picture_that_is_drawn_later_covers_nothing() -> None:
    bar = view((0, 100, 1080, 240), "")
    bar["children"] = [
        view((300 * i, 100, 300 * i + 140, 240), t, tap=True)
        for i, t in enumerate(("Close", "Edit", "Share"))
    ]
    header = view((0, 0, 1080, 300), "", tap=True)
    body = view((0, 300, 1080, 2400), "", view((100, 400, 900, 500), "Meeting"))
    seen = signature(look(view((0, 0, 1080, 2400), "", bar, body), header))
    assert {"close", "edit", "share"} <= seen.labels


def test_a_document_in_a_web_view_is_called_by_its_title() -> None:
    shown = {
        "class": "android.webkit.WebView",
        "text": "Terms of use",
        "bounds": [0, 0, *SIZE],
        "children": [],
    }
    assert signature(look(shown)).title == "terms of use"


def test_two_looks_with_nothing_in_common_are_two_pages() -> None:
    assert not EvidenceMatcher().compare(look(view((0, 0, 1080, 900))), look(view((40, 40, 900, 2000)))).same
