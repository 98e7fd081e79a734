"""What can be done on a page: controls, their keys, their kinds."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mapping.looks import box, button, dialog, listed, row, screen, tabs, text, toolbar
from waypost.mapping.controls import Control, ControlKind, action_key, controls, sample_text
from waypost.mapping.naming import plain
from waypost.model import (
    Bounds,
    Capture,
    Direction,
    Element,
    Finish,
    LongPress,
    Role,
    Screen,
    Swipe,
    Tap,
    TypeText,
    Wait,
)


def by_label(look: Screen, kind: type = Tap) -> dict[str, Control]:
    return {c.label: c for c in controls(look) if isinstance(c.action, kind)}


def test_only_what_is_visible_and_enabled_is_offered() -> None:
    gone = replace(button("Hidden", 400), visible=False)
    off = replace(button("Off", 600), enabled=False)
    found = by_label(screen(button("On", 200), gone, off))
    assert set(found) == {"On"}


def test_behind_a_dialog_nothing_is_offered() -> None:
    look = screen(toolbar("Home"), button("Behind", 400), dialog(button("OK", 900, 200), text("Sure?", 820)))
    assert set(by_label(look)) == {"OK"}


def test_a_key_says_what_it_is_and_where() -> None:
    (lead,) = [c for c in controls(screen(toolbar("Home"))) if isinstance(c.action, Tap)]
    assert lead.key == "tap:button#lead|Open drawer|toolbar"
    assert action_key(lead.action) == lead.key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Inbox (3)", "Inbox (12)"),
        ("Inbox", "Inbox 7"),
        ("Alarm 07:30", "Alarm 18:05"),
        ("Due  today", "Due today"),
    ],
)
def test_counts_and_clocks_do_not_change_a_key(one: str, other: str) -> None:
    keys = [[c.key for c in controls(screen(button(label, 400)))] for label in (one, other)]
    assert keys[0] == keys[1]


def test_moving_or_scrolling_does_not_change_a_key() -> None:
    keys = [{c.key for c in controls(screen(button("Go", top)))} for top in (300, 1700)]
    assert keys[0] == keys[1]


def test_two_of_the_same_name_are_told_apart_by_their_order() -> None:
    first, second = [c.key for c in controls(screen(button("Edit", 300), button("Edit", 600)))]
    assert second == first + "@1"


def test_a_new_twin_leaves_the_key_of_the_first_alone() -> None:
    alone = {c.key for c in controls(screen(button("Edit", 300)))}
    assert alone < {c.key for c in controls(screen(button("Edit", 300), button("Edit", 600)))}


def test_rows_of_a_list_share_a_template_and_are_called_by_their_text() -> None:
    look = screen(toolbar("Contacts"), listed(["Ann", "Bob", "Cyd", "Dee"]))
    rows = [c for c in controls(look) if isinstance(c.action, Tap) and c.template]
    assert [c.label for c in rows] == ["Ann", "Bob", "Cyd", "Dee"]
    assert len({c.template for c in rows}) == 1
    assert len({c.key for c in rows}) == 4


def test_a_button_in_each_row_has_a_template_of_its_own() -> None:
    made = tuple(
        row(n, 310 + 150 * i, button("More", 310 + 150 * i, 900)) for i, n in enumerate(("Ann", "Bob", "Cyd"))
    )
    look = screen(Element(Role.LIST, resource_id="list", bounds=box(300, 1900), children=made))
    templates = {c.label: c.template for c in controls(look)}
    assert templates["Ann"] == templates["Bob"]
    assert templates["More"]
    assert templates["More"] != templates["Ann"]


def test_entries_of_a_bar_are_no_rows() -> None:
    assert {c.template for c in controls(screen(tabs("Home", "Home", "Search", "Me")))} == {""}


def test_a_wrapper_of_one_button_is_one_control() -> None:
    inner = button("Save", 400)
    wrapper = Element(bounds=inner.bounds, clickable=True, children=(inner,))
    assert [c.label for c in controls(screen(wrapper)) if isinstance(c.action, Tap)] == ["Save"]


def test_a_row_and_the_button_in_it_are_two_and_the_row_is_tapped_beside_the_button() -> None:
    more = button("More", 320, 480, width=200)
    card = Element(bounds=box(300, 160), clickable=True, children=(text("Report", 320), more))
    found = by_label(screen(card))
    assert set(found) == {"Report", "More"}
    action = found["Report"].action
    assert isinstance(action, Tap)
    assert not more.bounds.contains(*action.at)


def test_a_list_is_scrolled_on_and_a_pager_both_ways() -> None:
    pager = Element(class_name="androidx.viewpager2.widget.ViewPager2", scrollable=True, bounds=box(300, 900))
    look = screen(pager, listed(["Ann", "Bob"], top=1300))
    ways = [c.action.direction for c in controls(look) if isinstance(c.action, Swipe)]
    assert ways == [Direction.LEFT, Direction.RIGHT, Direction.UP]


def test_a_drag_stays_inside_its_list() -> None:
    look = screen(listed(["Ann", "Bob", "Cyd"]))
    (drag,) = [c.action for c in controls(look) if isinstance(c.action, Swipe)]
    assert isinstance(drag, Swipe)
    assert drag.start is not None
    assert drag.end is not None
    assert drag.start[1] > drag.end[1] >= 300


def test_taps_come_before_long_presses_and_fields_last() -> None:
    held = replace(button("Hold", 400), long_clickable=True)
    field = Element(Role.FIELD, hint="Note", bounds=box(600), clickable=True)
    kinds = [type(c.action) for c in controls(screen(field, held))]
    assert kinds == [Tap, Tap, LongPress, TypeText]


def test_kinds_follow_the_paper() -> None:
    image = Element(Role.IMAGE, description="Photo", clickable=True, bounds=box(300))
    look = screen(image, listed(["Ann", "Bob", "Cyd"], top=600), button("Go", 2200))
    kinds = {c.label: c.kind for c in controls(look) if isinstance(c.action, Tap)}
    assert kinds["Photo"] is ControlKind.IMAGE
    assert kinds["Ann"] is ControlKind.CARD
    assert kinds["Go"] is ControlKind.OTHER


def test_what_was_typed_is_never_part_of_a_name() -> None:
    empty = Element(Role.FIELD, hint="Your name", bounds=box(600), clickable=True)
    keys = [{c.key for c in controls(screen(f))} for f in (empty, replace(empty, text="Ann Example"))]
    assert keys[0] == keys[1]
    assert "Ann Example" not in repr([c.action for c in controls(screen(replace(empty, text="Ann Example")))])


@pytest.mark.parametrize("hint", ["Password", "Card number", "CVV", "PIN", "IBAN", "One-time code", "密码",
                                  "验证码", "Passwort", "パスワード", "비밀번호"])  # fmt: skip
def test_a_secret_field_gets_no_text(hint: str) -> None:
    field = Element(Role.FIELD, hint=hint, bounds=box(600), clickable=True)
    assert sample_text(field, screen(field)) is None
    assert not [c for c in controls(screen(field)) if isinstance(c.action, TypeText)]


@pytest.mark.parametrize(
    ("hint", "sample"),
    [("E-mail address", "someone@example.org"), ("Amount", "12"), ("Website URL", "https://example.org"),
     ("Due date", "2030-01-15"), ("First name", "Sample"), ("邮箱", "someone@example.org"), ("Note", "a")],
)  # fmt: skip
def test_a_field_gets_text_of_its_kind(hint: str, sample: str) -> None:
    assert sample_text(Element(Role.FIELD, hint=hint, bounds=box(600)), Screen()) == sample


def test_a_search_field_gets_a_word_of_the_page() -> None:
    field = Element(Role.FIELD, hint="Search", bounds=box(600))
    assert sample_text(field, screen(text("Rope lamps", 900), field)) == "Rope"


def test_every_action_has_a_key() -> None:
    keys = [action_key(a) for a in (Wait(), Capture(), Finish(), Tap((1, 2)), Swipe(), TypeText("x"))]
    assert keys == ["wait", "capture", "finish:True", "tap:@1,2", "swipe:up", "type:focused"]


def test_a_sliver_at_the_edge_of_a_list_is_left_out() -> None:
    assert controls(screen(replace(button("Cut", 300), bounds=Bounds(0, 300, 1080, 303)))) == ()


LABELS = st.text(st.characters(codec="utf-8"), max_size=30)


@settings(deadline=None, max_examples=50)
@given(st.lists(LABELS, max_size=6))
def test_keys_are_distinct_and_stable(labels: list[str]) -> None:
    look = screen(*(button(label, 300 + 150 * n) for n, label in enumerate(labels)))
    keys = [c.key for c in controls(look)]
    assert len(set(keys)) == len(keys)
    assert keys == [c.key for c in controls(look)]
    assert all(action_key(c.action) == c.key for c in controls(look))


@settings(deadline=None, max_examples=50)
@given(LABELS)
def test_a_plain_label_is_plain_already(label: str) -> None:
    assert plain(plain(label)) == plain(label)


def test_rows_under_another_heading_are_of_another_kind() -> None:
    parts = (
        row("Ann", 310),
        row("Bob", 460),
        row("Cyd", 610),
        text("More", 760, role=Role.HEADING),
        row("Your year", 910),
    )
    look = screen(Element(Role.LIST, resource_id="list", bounds=box(300, 1900), children=parts))
    templates = {c.label: c.template for c in controls(look)}
    assert templates["Ann"] == templates["Cyd"] != templates["Your year"]


def test_a_row_is_called_by_what_is_read_first_in_it_not_by_its_date() -> None:
    date = Element(Role.TEXT, text="Nov 3", bounds=Bounds(900, 320, 1040, 360))
    sender = Element(Role.TEXT, text="Ann Example", bounds=Bounds(40, 315, 500, 365))
    line = Element(Role.TEXT, text="About lunch", bounds=Bounds(40, 380, 700, 430))
    mail = Element(Role.ITEM, clickable=True, bounds=box(300, 150), children=(date, sender, line))
    assert "Ann Example" in by_label(screen(mail))


def test_options_that_each_bear_an_id_of_their_own_are_rows_too() -> None:
    options = tuple(
        row(n, 310 + 150 * i, identifier=f"{n}-option") for i, n in enumerate(("Food", "Rent", "Gifts"))
    )
    look = screen(Element(Role.LIST, resource_id="list", bounds=box(300, 1900), children=options))
    assert len({c.template for c in controls(look) if isinstance(c.action, Tap)}) == 1
