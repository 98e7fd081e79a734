import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from waypost.adapters.phone.hierarchy import hierarchy
from waypost.adapters.roles import role_of
from waypost.model import Bounds, Element, Role, Screen

_BOX = Bounds(0, 0, 100, 50)


def _one(element: Element, **options: bool) -> ET.Element:
    return ET.fromstring(hierarchy(Screen(element, app="a.b"), "a.b", **options))


@given(st.text(st.characters(), max_size=60), st.text(st.characters(), max_size=20))
def test_any_text_makes_valid_xml(text: str, name: str) -> None:
    root = _one(Element(text=text, description=name, resource_id=name, class_name=name, bounds=_BOX))
    seen = root[0].get("text", "")
    assert len(seen) == len(text)
    assert all(a == b or b == "." for a, b in zip(text, seen, strict=True))


def test_emoji_and_line_ends_arrive_whole() -> None:
    text = "👨‍👩‍👧 a\nb\tc\r\"<&>'"
    assert _one(Element(text=text, bounds=_BOX))[0].get("text") == text


def test_what_cannot_be_seen_is_left_out_but_not_what_it_holds() -> None:
    seen = Element(Role.TEXT, text="seen", bounds=_BOX)
    hidden = Element(Role.TEXT, text="hidden", visible=False)
    root = _one(Element(bounds=_BOX, children=(Element(visible=False, children=(seen, hidden)), hidden)))
    assert [n.get("text") for n in root.iter("node")] == ["", "", "seen"]


def test_flags_bounds_and_hints_are_told() -> None:
    element = Element(
        Role.FIELD,
        hint="Name",
        bounds=Bounds(1, 2, 30, 40),
        clickable=True,
        focused=True,
        password=True,
        enabled=False,
    )
    found = _one(element)[0].attrib
    assert found["bounds"] == "[1,2][30,40]"
    assert found["hint"] == "Name"
    assert {k for k, v in found.items() if v == "true"} == {
        "clickable",
        "focusable",
        "focused",
        "password",
        "visible-to-user",
    }


def test_an_android_class_is_kept_and_others_are_named_by_role() -> None:
    kept = Element(Role.SWITCH, "androidx.appcompat.widget.SwitchCompat", bounds=_BOX)
    assert _one(kept)[0].get("class") == "androidx.appcompat.widget.SwitchCompat"
    assert _one(Element(Role.BUTTON, "button", bounds=_BOX))[0].get("class") == "android.widget.Button"


def test_a_role_is_read_back_from_its_class_where_android_has_one() -> None:
    told = {r: role_of(_one(Element(r, "div", bounds=_BOX))[0].get("class", "")) for r in Role}
    lost = {r for r, back in told.items() if r is not back}
    # Android names no classes of its own for these: the nearest that WebView uses stand in.
    assert lost <= {Role.LINK, Role.HEADING, Role.ITEM, Role.DIALOG, Role.MENUITEM}


def test_compressed_keeps_what_counts() -> None:
    inner = Element(Role.TEXT, text="x", bounds=_BOX)
    wrapped = Element(bounds=_BOX, children=(Element(bounds=_BOX, children=(inner,)),))
    assert len(list(_one(wrapped).iter("node"))) == 3
    assert [n.get("text") for n in _one(wrapped, compressed=True).iter("node")] == ["x"]


def test_brothers_are_numbered() -> None:
    root = _one(Element(bounds=_BOX, children=tuple(Element(text=str(n), bounds=_BOX) for n in range(3))))
    assert [(n.get("index"), n.get("text")) for n in root[0]] == [("0", "0"), ("1", "1"), ("2", "2")]


def test_a_very_deep_tree_is_cut_rather_than_fatal() -> None:
    element = Element(text="leaf", bounds=_BOX)
    for _ in range(5000):
        element = Element(bounds=_BOX, children=(element,))
    assert 100 < len(list(_one(element).iter("node"))) < 400
