"""What is one page and what is not: each sentence is a bug that somebody had."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mapping.looks import (
    APP,
    HIGH,
    Clock,
    box,
    button,
    dialog,
    listed,
    row,
    screen,
    tabs,
    tap,
    text,
    toolbar,
)
from waypost.mapping.cluster import cluster
from waypost.mapping.knowledge import Knowledge
from waypost.mapping.layers import LayerKind, active_layer
from waypost.mapping.mapper import Mapper
from waypost.mapping.match import EvidenceMatcher
from waypost.mapping.signature import signature
from waypost.model import AppGraph, Bounds, Element, Role, Screen, Swipe, TreeQuality

MAILS = ["Lunch on Friday", "Your invoice", "Hello there", "Minutes of the meeting"]
OTHERS = ["You have won", "Cheap pills", "Act now", "Dear friend"]


def inbox(*extra: Element, title: str = "Inbox", mails: list[str] | None = None) -> Screen:
    return screen(
        toolbar(title, button("Search", 60, 900)),
        listed(MAILS if mails is None else mails),
        button("Compose", 2000, 800, identifier="fab"),
        *extra,
    )


def same(a: Screen, b: Screen) -> bool:
    matcher = EvidenceMatcher()
    one, other = matcher.compare(a, b), matcher.compare(b, a)
    assert one.score == pytest.approx(other.score)
    return one.same


def test_equal_screens_are_certainly_one_page() -> None:
    assert EvidenceMatcher().compare(inbox(), inbox()).score == 1.0


def test_a_badge_does_not_split_a_page() -> None:
    assert same(inbox(tabs("Mail", "Mail", "Chat")), inbox(tabs("Mail (3)", "Mail (3)", "Chat, 12 unread")))
    assert same(inbox(), inbox(title="Inbox (7)"))


def test_other_list_content_does_not_split_a_page() -> None:
    assert same(inbox(), inbox(mails=["Completely", "different", "mails", "today"]))


def test_the_length_of_a_list_does_not_split_a_page() -> None:
    assert same(
        inbox(),
        inbox(mails=[f"Mail {w}" for w in ["one", "two", "three", "four", "five", "six", "seven", "eight"]]),
    )


def test_an_empty_list_does_not_split_a_page() -> None:
    assert same(inbox(), inbox(mails=[]))


def test_scrolling_does_not_split_a_page() -> None:
    def settings(first: int) -> Screen:
        names = [
            "Wi-Fi",
            "Bluetooth",
            "Display",
            "Sound",
            "Storage",
            "Battery",
            "Privacy",
            "Location",
            "System",
        ]
        return screen(toolbar("Settings", up=True), listed(names[first : first + 4]))

    assert same(settings(0), settings(5))


def test_the_keyboard_does_not_split_a_page() -> None:
    def form(*, keyboard: bool) -> Screen:
        name = Element(
            Role.FIELD, hint="Name", resource_id="name", bounds=box(400), text="Ann" if keyboard else ""
        )
        mail = Element(Role.FIELD, hint="E-mail", resource_id="mail", bounds=box(600))
        low = button("Save contact", 2200, identifier="save")
        parts = (toolbar("New contact", up=True), name, mail)
        return replace(screen(*parts, *(() if keyboard else (low,))), keyboard=keyboard)

    assert same(form(keyboard=False), form(keyboard=True))


def test_a_toggle_does_not_split_a_page() -> None:
    def sounds(*, on: bool) -> Screen:
        switch = Element(Role.SWITCH, checked=on, bounds=box(310, 100, 900, 150))
        return screen(
            toolbar("Sounds", up=True),
            Element(
                Role.LIST, bounds=box(300, 1900), children=(row("Vibrate", 310, switch), row("Ring", 460))
            ),
        )

    assert same(sounds(on=True), sounds(on=False))


def test_a_clock_does_not_split_a_page() -> None:
    def clock(now: str) -> Screen:
        return screen(toolbar("Clock"), text(now, 500), text("Mon 2 March", 700), button("Add city", 2000))

    assert same(clock("12:59:59"), clock("1:00:00 pm"))


def test_inbox_and_spam_do_not_merge_though_all_ids_agree() -> None:
    assert not same(inbox(), inbox(title="Spam", mails=OTHERS))
    assert not same(inbox(), inbox(title="Spam", mails=MAILS))


def test_tabs_do_not_merge_though_all_else_agrees() -> None:
    assert not same(inbox(tabs("Primary", "Primary", "Social")), inbox(tabs("Social", "Primary", "Social")))


def test_settings_sections_with_the_same_ids_do_not_merge() -> None:
    def section(title: str, *names: str) -> Screen:
        return screen(toolbar(title, up=True), listed(names, identifier="prefs"))

    general = section("General", "Language", "Week start", "Time zone")
    sounds = section("Sounds", "Ringtone", "Vibrate", "Volume")
    assert not same(general, sounds)


def test_a_dialog_is_a_page_of_its_own() -> None:
    asked = dialog(text("Discard draft?", 900), button("Discard", 1200), button("Keep", 1200, 400))
    assert active_layer(inbox(asked)).kind is LayerKind.DIALOG
    assert not same(inbox(), inbox(asked))


def test_one_dialog_over_two_pages_is_one_page() -> None:
    asked = dialog(text("Discard draft?", 900), button("Discard", 1200), button("Keep", 1200, 400))
    assert same(inbox(asked), screen(toolbar("Drafts"), asked))


def test_dialogs_that_ask_other_things_do_not_merge() -> None:
    def asked(title: str, do: str) -> Screen:
        return inbox(
            dialog(text(title, 900, role=Role.HEADING), button(do, 1200), button("Cancel", 1200, 400))
        )

    assert not same(asked("Discard draft?", "Discard"), asked("Sort messages by", "Apply"))


def test_a_menu_of_buttons_that_opens_over_a_page_is_a_page_of_its_own() -> None:
    scrim = Element(bounds=box(0, HIGH), clickable=True)
    dial = Element(
        resource_id="speed_dial",
        bounds=box(0, HIGH),
        children=(
            scrim,
            button("Photo", 1400, 800),
            button("Checklist", 1600, 800),
            button("Drawing", 1800, 800),
        ),
    )
    assert not same(inbox(), inbox(dial))


def test_a_drawer_that_the_tree_lists_beside_what_it_covers_is_in_front() -> None:
    page = Element(bounds=box(0, HIGH), children=(toolbar("Inbox"), listed(MAILS)))
    entries = tuple(
        Element(text=n, clickable=True, bounds=Bounds(0, 200 + 300 * i, 800, 490 + 300 * i))
        for i, n in enumerate(["Inbox", "Sent", "Drafts", "Spam", "Bin", "Settings", "Help"])
    )
    drawer = Element(resource_id="nav", bounds=Bounds(0, 0, 800, HIGH), children=entries)
    found = active_layer(Screen(Element(bounds=box(0, HIGH), children=(page, drawer)), app=APP))
    assert (found.kind, found.root) == (LayerKind.DRAWER, drawer)


def test_bars_and_tabs_are_no_layers() -> None:
    bar = Element(
        Role.NAVIGATION, bounds=box(2200, 200), children=(button("Home", 2200), button("Me", 2200, 500))
    )
    assert active_layer(inbox(bar)).kind is LayerKind.PAGE
    assert active_layer(inbox(tabs("Mail", "Mail", "Chat"))).kind is LayerKind.PAGE


def test_other_activities_do_not_merge() -> None:
    assert not same(inbox(), replace(inbox(), activity=".Archive"))


def test_addresses_that_differ_in_an_identifier_are_one_page_and_other_routes_are_not() -> None:
    def account(path: str, title: str) -> Screen:
        parts = (
            toolbar(title, up=True),
            button("Add transaction", 300),
            button("Reconcile", 300, 500),
            listed(MAILS),
        )
        return Screen(screen(*parts).root, app="http://localhost:5006", activity=path)

    first = account("/accounts/6b0f3d8a-1111-4222-8333-444455556666", "Checking")
    assert same(first, account("/accounts/0a1b2c3d-9999-4888-8777-666655554444", "Checking"))
    assert not same(first, account("/reports", "Checking"))


def test_a_theme_is_not_in_the_tree_and_an_equal_tree_is_one_page() -> None:
    assert same(inbox(), replace(inbox(), rotation=0))


def test_a_truncated_look_is_taken_for_its_page() -> None:
    cut = screen(toolbar("Inbox", button("Search", 60, 900)))
    assert same(inbox(), replace(cut, quality=TreeQuality.PARTIAL))


@given(st.permutations(range(4)))
def test_knowledge_does_not_depend_on_the_order_of_the_looks(order: list[int]) -> None:
    looks = [
        inbox(),
        inbox(title="Spam"),
        inbox(tabs("Mail", "Mail", "Chat")),
        screen(toolbar("Help", up=True)),
    ]
    known, shuffled = Knowledge(), Knowledge()
    for i in range(4):
        known.learn(str(i), signature(looks[i]))
    for i in order:
        shuffled.learn(str(i), signature(looks[i]))
    told = frozenset(("search", "compose", "t:spam"))
    assert known.mass(told) == shuffled.mass(told)
    assert known.entries == shuffled.entries


def test_items_of_one_template_are_one_page() -> None:
    def contact(name: str, number: str) -> Screen:
        return screen(
            toolbar(name, button("Edit contact", 60, 900, identifier="edit"), up=True),
            button("Call", 400, identifier="call"),
            button("Message", 400, 300, identifier="message"),
            button("Video call", 400, 600, identifier="video"),
            text(number, 700, identifier="number"),
            text("Ringtone", 900),
            activity=".Detail",
        )

    people = screen(toolbar("Contacts"), listed(["Ann Lee", "Bob Ray", "Cid Poe"]))
    settings = screen(toolbar("Settings", up=True), listed(["General", "Sounds"]), activity=".Prefs")
    about = screen(toolbar("About", up=True), text("Version 1", 500), activity=".About")
    clock = Clock()
    m = Mapper(AppGraph(app=APP))
    home = m.enter(clock.look(people))
    prefs = m.extend(home, *tap("Settings"), clock.look(settings)).target
    m.extend(prefs, *tap("About"), clock.look(about))
    one = m.extend(
        home, *tap("Ann Lee", role=Role.ITEM, template="people"), clock.look(contact("Ann Lee", "555-1"))
    ).target
    two = m.extend(
        home, *tap("Bob Ray", role=Role.ITEM, template="people"), clock.look(contact("Bob Ray", "555-2"))
    ).target
    three = m.extend(
        home, *tap("Cid Poe", role=Role.ITEM, template="people"), clock.look(contact("Cid Poe", "5"))
    ).target
    assert m.resolve(one) == m.resolve(two) == m.resolve(three)
    assert len(m.graph.nodes) == 4


def test_entries_of_a_list_of_settings_are_pages_of_their_own() -> None:
    clock = Clock()
    m = Mapper(AppGraph(app=APP))
    home = m.enter(clock.look(screen(toolbar("Settings", up=True), listed(["General", "Sounds", "Display"]))))
    names = {
        "General": ["Language", "Region", "Units"],
        "Sounds": ["Ring", "Alarm", "Tap"],
        "Display": ["Dark", "Font", "Size"],
    }
    for name, rows in names.items():
        page = screen(toolbar(name, up=True), listed(rows, identifier="prefs"), activity=".Section")
        m.extend(home, *tap(name, role=Role.ITEM, template="prefs"), clock.look(page))
    assert len(m.graph.nodes) == 4


def test_a_scrolled_look_that_shares_no_row_is_the_page_it_was_scrolled_from() -> None:
    clock = Clock()
    m = Mapper(AppGraph(app=APP))
    home = m.enter(clock.look(screen(listed(["a mail", "b mail", "c mail"]))))
    seen = screen(listed(["x mail", "y mail", "z mail"]))
    assert m.extend(home, Swipe(), "swipe:up", clock.look(seen)).target == home


def test_looks_are_sorted_into_pages_without_knowing_how_they_were_reached() -> None:
    looks = [
        inbox(),
        inbox(mails=OTHERS),
        inbox(title="Spam", mails=OTHERS),
        inbox(dialog(text("Discard draft?", 900), button("Discard", 1200), button("Keep", 1200, 400))),
        screen(text("Elsewhere"), app="org.other"),
    ]
    assert cluster(looks, APP) == [0, 0, 1, 2, None]
