"""What the browser device sees: the small site in Chromium."""

import pytest

from tests.adapters.browser.conftest import Opened
from tests.adapters.browser.reading import labels, tap, thing
from waypost.model import Element, ImageStatus, Role, Screen, TreeQuality

pytestmark = pytest.mark.chromium


@pytest.fixture
def controls(opened: Opened) -> Screen:
    return opened("controls.html").observe().screen


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("Heard by a listener", Role.BUTTON),
        ("Heard by an attribute", Role.BUTTON),
        ("Off duty", Role.BUTTON),
        ("Path link", Role.LINK),
        ("Wind alarm", Role.CHECKBOX),
        ("Port", Role.RADIO),
        ("Map", Role.TAB),
        ("trash", Role.BUTTON),
        ("Search", Role.BUTTON),
        ("New boat", Role.BUTTON),
        ("Text with a bold word.", Role.TEXT),
        ("Charging", Role.PROGRESS),
        ("Sloop", Role.TEXT),
    ],
)
def test_each_thing_has_its_role_and_name(controls: Screen, label: str, role: Role) -> None:
    assert role in {e.role for e in controls.visible() if e.label == label}


def test_states_are_told(controls: Screen) -> None:
    assert thing(controls, "Wind alarm").checked
    assert thing(controls, "Map").selected
    assert not thing(controls, "List").selected
    assert not thing(controls, "Off duty").enabled
    night = next(e for e in controls.walk() if e.role is Role.SWITCH)
    assert night.checked
    assert night.description == "Night mode"


def test_a_link_says_where_it_leads(controls: Screen) -> None:
    assert thing(controls, "Path link").href == "/two.html?x=1#y"
    assert not thing(controls, "No link").clickable


def test_a_card_is_one_thing_to_tap_and_not_each_of_its_parts(controls: Screen) -> None:
    cards = [e for e in controls.visible() if e.clickable and e.resource_id == "card-a"]
    assert len(cards) == 1
    assert not any(inner.clickable for card in cards for inner in card.children)
    assert [c.label for c in cards[0].children] == ["Sloop", "Sloop", "12 m"]


@pytest.mark.parametrize("label", ["Ghost words", "Hidden from readers", "Not visible", "For readers only"])
def test_what_nobody_sees_is_not_visible(controls: Screen, label: str) -> None:
    assert label not in labels(controls)
    assert all(not e.bounds.area for e in controls.walk() if e.label == label)


def test_what_is_not_drawn_is_not_in_the_tree(controls: Screen) -> None:
    assert "Never drawn" not in {e.label for e in controls.walk()}


def test_ids_that_a_framework_made_up_are_left_out(controls: Screen) -> None:
    ids = {e.resource_id for e in controls.walk() if e.resource_id}
    assert {"card-a", "heard", "tide-note"} <= ids
    assert not any("radix" in i or "7f3a9c" in i for i in ids)


def test_open_shadow_roots_and_slots_are_read_in_the_order_they_are_drawn(opened: Opened) -> None:
    device = opened("shadow.html")
    screen = device.observe().screen
    shown = [e.label for e in screen.visible() if e.label]
    assert shown == ["Tide table", "Slotted body", "Favourite this card", "Fallback text", "Depth", "Depth"]
    field = next(e for e in screen.visible() if e.role is Role.FIELD)
    assert (field.hint, field.resource_id) == ("metres", "depth")
    assert tap(device, "Favourite this card").title == "Pressed"


def test_frames_are_read_whatever_their_origin(opened: Opened) -> None:
    device = opened("frames.html")
    screen = device.observe().screen
    frames = [e for e in screen.visible() if e.role is Role.WEB and e.class_name == "iframe"]
    assert [f.label for f in frames] == ["Same origin", "Other origin"]
    assert screen.quality is TreeQuality.FULL
    inner = thing(screen, "Inner button")
    assert frames[1].bounds.clip(inner.bounds) == inner.bounds
    assert "Inner pressed" in labels(tap(device, "Inner button"))


def _layer(screen: Screen, role: Role) -> Element:
    return next(e for e in screen.visible() if e.role is role)


def test_what_a_dialog_covers_cannot_be_touched(opened: Opened) -> None:
    device = opened("modal.html")
    screen = tap(device, "Ask")
    assert labels(screen) == {"Delete the boat?", "This cannot be undone.", "Keep", "Delete"}
    box = _layer(screen, Role.DIALOG).bounds
    # How tall it is depends on the machine's fonts.
    assert (box.left, box.right) == (90, 990)
    assert all(
        box.clip(thing(screen, label).bounds) == thing(screen, label).bounds for label in ("Keep", "Delete")
    )
    assert "Boat 3" in labels(tap(device, "Keep"))


def test_a_drawer_is_navigation_and_covers_the_page(opened: Opened) -> None:
    screen = tap(opened("modal.html"), "Menu")
    assert labels(screen) == {"Boats", "Crew", "Settings"}
    assert _layer(screen, Role.NAVIGATION).bounds.left == 0


def test_a_sheet_from_below_is_a_dialog(opened: Opened) -> None:
    screen = tap(opened("modal.html"), "Share")
    assert labels(screen) == {"Share with", "Copy link", "Cancel"}
    assert _layer(screen, Role.DIALOG).bounds.bottom == 2400


def test_a_popup_of_choices_is_a_menu_and_leaves_the_rest_in_reach(opened: Opened) -> None:
    screen = tap(opened("modal.html"), "More")
    menu = _layer(screen, Role.MENU)
    assert [e.label for e in menu.walk() if e.label] == ["Refresh", "Sort by name", "Print"]
    assert "Ask" in labels(screen)


def test_a_bar_at_the_bottom_is_no_dialog_and_rows_end_above_it(opened: Opened) -> None:
    screen = opened("modal.html").observe().screen
    assert not [e for e in screen.visible() if e.role in (Role.DIALOG, Role.MENU)]
    bar = thing(screen, "Home").bounds
    rows = [
        e for e in screen.visible() if e.clickable and any(c.label.startswith("Boat") for c in e.children)
    ]
    assert rows
    assert all(not bar.contains(*r.bounds.center) for r in rows)


def test_what_is_scrolled_out_is_not_visible(opened: Opened) -> None:
    screen = opened("list.html").observe().screen
    assert screen.root.scrollable
    assert "Row 0" in labels(screen)
    assert "Row 300" not in labels(screen)
    assert len(list(screen.walk())) < 700
    assert sum(e.scrollable for e in screen.visible()) == 3


def test_pictures_come_in_both_scales(opened: Opened) -> None:
    device = opened("two.html")
    look = device.observe(pixels=True)
    assert look.image_status is ImageStatus.SHOWN
    assert int.from_bytes(look.image[16:20], "big") == 360
    assert look.screen.size == (1080, 2400)
