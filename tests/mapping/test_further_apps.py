"""What further apps taught: tabs that cannot be tapped, numbers that name, panes below a bar, blank looks."""

import numpy as np

from tests.mapping.looks import box, button, dialog, listed, screen, tabs, text, toolbar
from waypost.mapping.cluster import blank, cluster
from waypost.mapping.layers import LayerKind, active_layer
from waypost.mapping.match import EvidenceMatcher
from waypost.mapping.rows import repeated
from waypost.mapping.signature import signature
from waypost.model import Bounds, Element, Role, Screen

VERY_LONG = " Nobody can bring them back after that, and nobody will be asked again before they go."


def same(a: Screen, b: Screen) -> bool:
    return EvidenceMatcher().compare(a, b).same


def web(path: str, *parts: Element) -> Screen:
    return screen(*parts, activity=path, app="http://127.0.0.1:1")


def test_a_tab_that_can_be_read_and_no_longer_tapped_is_the_chosen_one() -> None:
    def library(chosen: str) -> Screen:
        names = ("Albums", "Artists", "Tracks")
        bar = [
            text(n, 2200 + i) if n == chosen else button(n, 2200, 300 * i, width=280)
            for i, n in enumerate(names)
        ]
        return screen(toolbar("", up=True), button("Sort by", 60, 700), *bar)

    assert not same(library("Albums"), library("Tracks"))
    assert same(library("Albums"), library("Albums"))


def test_tabs_called_by_numbers_alone_are_told_apart() -> None:
    first, third = (screen(tabs(chosen, "Tab 1", "Tab 2", "Tab 3", top=200)) for chosen in ("Tab 1", "Tab 3"))
    assert signature(first).selected == {"tab 1"}
    assert not same(first, third)


def test_a_badge_on_a_tab_is_no_part_of_its_name() -> None:
    assert signature(screen(tabs("Inbox (3)", "Inbox (3)", "Sent"))).selected == {"inbox"}


def test_a_title_that_rolls_by_between_icons_is_no_tab() -> None:
    def album(name: str) -> Screen:
        rolling = Element(
            text=name, role=Role.TEXT, class_name="TextView", selected=True, bounds=box(60, 100, 160, 600)
        )
        back, more = (
            Element(
                Role.IMAGE, description=d, class_name="ImageView", clickable=True, bounds=box(60, 100, x, 100)
            )
            for d, x in (("Back", 0), ("More", 900))
        )
        bar = Element(bounds=box(60, 120), children=(back, rolling, more))
        return screen(bar, listed(("One", "Two", "Three")))

    assert not signature(album("Plastic Hearts")).entries


def test_a_number_before_words_belongs_to_the_name() -> None:
    steps = [screen(toolbar(t, up=True), text(t, 400)) for t in ("Step 2: Billing", "Step 3: Shipping")]
    assert not same(*steps)


def test_what_lies_over_a_page_but_leaves_its_bar_in_reach_is_no_dialog() -> None:
    field = Element(Role.FIELD, hint="Search", clickable=True, bounds=box(60, 120, 160, 600))
    days = tuple(
        Element(text=f"day {i}", clickable=True, bounds=box(300 + 400 * (i // 3), 380, 360 * (i % 3), 340))
        for i in range(15)
    )
    month = Element(resource_id="month", bounds=box(280, 2100), children=days)
    none = (text("No items found", 320), text("Type at least two letters", 440))
    found = Element(resource_id="found", clickable=True, bounds=box(280, 2100), children=none)
    bar = Element(bounds=box(60, 160), children=(button("Collapse", 60), field))
    assert active_layer(screen(bar, month, found)).kind is LayerKind.PAGE


def test_ok_and_cancel_alone_join_nothing() -> None:
    def chooser(*names: str) -> Screen:
        boxes = (
            Element(Role.CHECKBOX, text=n, checkable=True, bounds=box(300 + 150 * i))
            for i, n in enumerate(names)
        )
        return screen(*boxes, button("Cancel", 2000), button("OK", 2000, 600))

    assert not same(chooser("Name", "Size", "Extension"), chooser("Images", "Videos", "Portraits"))


def test_a_page_that_still_loads_is_the_page() -> None:
    waits = Element(Role.PROGRESS, resource_id="progress", bounds=box(1000, 200))
    chips = tuple(button(n, 300, 200 * i) for i, n in enumerate(("All", "Bells", "Birds", "Brass")))
    body = Element(resource_id="scroll", scrollable=True, bounds=box(280, 1900), children=chips)
    assert same(screen(toolbar("Sound", up=True), waits), screen(toolbar("Sound", up=True), body))


def test_boxes_without_a_title_are_told_by_how_their_text_begins() -> None:
    def warned(said: str) -> Screen:
        return screen(toolbar("Files"), dialog(text(said, 850), button("OK", 1400, 200)))

    removed, thanked = (
        "All of these files will be removed for good." + VERY_LONG,
        "Thank you for using this." + VERY_LONG,
    )
    assert not same(warned(removed), warned(thanked))
    assert same(warned(removed), warned(removed + " Really."))


def test_a_bar_that_collapses_tells_its_title_as_a_description() -> None:
    bar = Element(
        resource_id="collapsing_toolbar", description="Date & time", bounds=box(60, 400), children=()
    )
    assert signature(screen(bar, listed(("Date", "Time", "Time zone")))).title == "date & time"


def test_one_address_that_is_an_items_by_its_form_tells_of_those_beside_it() -> None:
    def account(name: str, path: str) -> Screen:
        fields = [text(f, 300 + 120 * i) for i, f in enumerate(("Balance", "Changes", "Journal", "Charts"))]
        return web(path, toolbar(name, up=True), *fields)

    looks = [
        account("Income", "/ledger/account/Income"),
        account("Rent", "/ledger/account/4711-2024-0001"),
        web("/ledger/options", toolbar("Options"), text("Title", 300), text("Currency", 420)),
    ]
    income, rent, options = cluster(looks, "http://127.0.0.1:1")
    assert income == rent != options


def test_looks_without_anything_to_tell_go_by_their_picture_and_their_activity() -> None:
    canvas = Element(resource_id="content", bounds=box(0, 2400))
    looks = [screen(canvas, activity=".Draw"), screen(canvas, activity=".Paint")]
    looks += [screen(canvas, activity=".Draw")]
    assert all(map(blank, looks))
    picture = np.array([1.0, 0.0], np.float32)
    draw, paint, again = cluster(looks, "org.example.app", [picture] * 3)
    assert draw == again != paint


def test_layers_one_over_another_and_buttons_in_corners_are_no_rows() -> None:
    def part(bounds: Bounds, said: str) -> Element:
        return Element(bounds=bounds, children=(Element(Role.TEXT, text=said, bounds=bounds),))

    whole = Bounds(0, 0, 1080, 2400)
    over = Element(bounds=whole, children=tuple(part(whole, t) for t in ("Map", "Search", "Locate")))
    corners = (Bounds(0, 100, 140, 240), Bounds(900, 1000, 1040, 1140), Bounds(400, 2200, 540, 2340))
    apart = Element(
        bounds=whole,
        children=tuple(part(b, t) for b, t in zip(corners, ("Menu", "New", "More"), strict=True)),
    )
    assert not repeated(over)
    assert not repeated(apart)


def test_buttons_across_the_screen_are_rows_and_icons_in_a_line_are_none() -> None:
    wide = Element(
        bounds=box(200, 2000),
        children=tuple(button(f"Song {i}", 200 + 150 * i, width=1080) for i in range(4)),
    )
    icons = Element(
        bounds=Bounds(679, 138, 1080, 285),
        children=tuple(button(n, 148, 679 + 130 * i) for i, n in enumerate(("Search", "Today", "Account"))),
    )
    assert repeated(wide) == {0, 1, 2, 3}
    assert not repeated(icons)
