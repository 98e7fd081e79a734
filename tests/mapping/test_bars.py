"""Bars that stand out from below the screen, and what a dialog's heading calls it."""

from dataclasses import replace

from tests.mapping.looks import HIGH, WIDE, box, button, dialog, listed, row, screen, text
from waypost.mapping.controls import controls
from waypost.mapping.grounding import regrounded
from waypost.mapping.hazards import hazard
from waypost.mapping.match import EvidenceMatcher
from waypost.mapping.titles import heading
from waypost.model import Bounds, Element, Role, Screen, Swipe

NOWHERE = Bounds(0, 0, 0, 0)


def entry(label: str, top: int, *, below: bool = False) -> Element:
    shown = Element(Role.LINK, text=label, bounds=box(top, 150), clickable=True)
    return replace(shown, visible=False, bounds=NOWHERE) if below else shown


def bar(*entries: Element, top: int = 2200, role: Role = Role.NAVIGATION, scrolls: bool = False) -> Element:
    return Element(role, bounds=box(top, HIGH - top), scrollable=scrolls, children=entries)


def pulls(look: Screen) -> list[Swipe]:
    return [c.action for c in controls(look) if isinstance(c.action, Swipe)]


def test_a_bar_with_entries_below_the_screen_can_be_pulled_up() -> None:
    look = screen(text("Home"), bar(entry("Home", 2210), entry("Help", 2400, below=True)))
    [pull] = pulls(look)
    assert pull.start is not None
    assert pull.end is not None
    assert pull.start[1] > 2200 > pull.end[1]
    assert pull.start[0] == WIDE // 2


def test_a_bar_that_shows_all_it_has_is_left_where_it_is() -> None:
    assert pulls(screen(text("Home"), bar(entry("Home", 2210), entry("Help", 2210)))) == []


def test_a_bar_that_scrolls_is_scrolled() -> None:
    entries = (entry("Home", 2210), entry("Help", 2400, below=True))
    [swipe] = pulls(screen(text("Home"), bar(*entries, scrolls=True)))
    assert swipe.end is not None
    assert swipe.end[1] > 2200


def test_a_group_that_runs_off_the_screen_is_no_bar() -> None:
    entries = (entry("Home", 2210), entry("Help", 2400, below=True))
    assert pulls(screen(text("Home"), bar(*entries, role=Role.GROUP))) == []


def test_a_pull_is_aimed_anew_where_the_bar_is_now() -> None:
    entries = (entry("Home", 2210), entry("Help", 2400, below=True))
    [pull] = pulls(screen(text("Home"), bar(*entries)))
    again = regrounded(pull, screen(text("Home"), bar(*entries, top=2100)))
    assert isinstance(again, Swipe)
    assert again.start is not None
    assert 2100 <= again.start[1] < 2200


def test_a_number_yields_to_a_description_that_says_something() -> None:
    assert Element(text="12.50", description="Price of tea").label == "Price of tea"
    assert Element(text="12.50", description="*").label == "12.50"
    assert Element(text="Tea", description="Price of tea").label == "Tea"


def headed(name: str, *parts: Element, holder: str = "") -> Screen:
    close = Element(Role.BUTTON, description="Close", clickable=True, bounds=box(820, 80, 850, 100))
    title = Element(Role.BUTTON, text=name, clickable=True, bounds=box(820, 80, 300, 400))
    head = Element(Role.HEADING, bounds=box(810, 100, 90, 900), children=(close, title))
    layer = dialog(head, *parts)
    around = Element(Role.GROUP, resource_id=holder, bounds=box(0, HIGH), children=(layer,))
    return Screen(Element(bounds=box(0, HIGH), children=(around,)), app="org.example.app", activity=".Main")


def test_a_dialog_is_called_by_the_control_in_its_heading_not_by_the_one_that_closes_it() -> None:
    look = headed("New jar", button("Add", 1000))
    assert heading(look.root) == "New jar"


def test_dialogs_whose_holders_differ_are_two() -> None:
    parts = (text("Nothing yet", 1000), button("Edit", 1200, width=400), button("Move", 1400, width=400))
    one = headed("Tea", *parts, holder="jar-sheet")
    other = headed("Shelf", *parts, holder="shelf-sheet")
    assert not EvidenceMatcher().compare(one, other).same
    assert EvidenceMatcher().compare(one, headed("Coffee", *parts, holder="jar-sheet")).same


def test_a_row_of_content_is_no_command_for_being_called_by_a_noun() -> None:
    amount = Element(Role.TEXT, text="20.00", bounds=box(300, 90, 800, 200))
    entry = row("Deposit", 300, amount)
    assert hazard(entry, (), content=True) == ""
    assert hazard(entry, ()) == "pay"
    assert hazard(row("Deposit", 300), (), content=True) == "pay"


def test_the_columns_of_a_table_are_rows_of_their_own() -> None:
    rows = []
    for i, name in enumerate(("Tea", "Milk", "Salt")):
        cells = [
            button(f"{what} of {name}", 300 + 150 * i, 200 * n) for n, what in enumerate(("Price", "Stock"))
        ]
        rows.append(Element(Role.ITEM, bounds=box(300 + 150 * i, 140), children=tuple(cells)))
    table = Element(Role.LIST, bounds=box(300, 600), children=tuple(rows))
    templates = {c.label: c.template for c in controls(screen(text("Goods"), table))}
    assert templates["Price of Tea"] == templates["Price of Salt"] != ""
    assert templates["Stock of Tea"] == templates["Stock of Salt"] != templates["Price of Tea"]


def test_a_list_may_still_hold_commands() -> None:
    amount = Element(Role.TEXT, text="20.00", bounds=box(300, 90, 800, 200))
    assert hazard(row("Delete account", 300, amount), (), content=True) == "delete"
    assert controls(screen(listed(["Ann", "Bob", "Cid"])))


def test_a_language_by_its_own_name_is_not_chosen() -> None:
    named = [hazard(button(name), ()) for name in ("Deutsch", "Español (Latinoamérica)", "日本語")]
    assert named == ["language"] * 3
    assert hazard(button("Language"), ()) == ""
