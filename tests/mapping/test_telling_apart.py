"""What real apps taught: menus unfolded in place, panes behind tabs, dialogs of one title, languages."""

from dataclasses import replace

import numpy as np

from tests.mapping.looks import box, button, dialog, listed, row, screen, text, toolbar
from waypost.mapping.cluster import cluster
from waypost.mapping.layers import LayerKind, active_layer
from waypost.mapping.match import EvidenceMatcher
from waypost.model import Bounds, Element, Role, Screen, TreeQuality

PEOPLE = ["Alice", "Amina", "Georg", "Ines"]


def same(a: Screen, b: Screen) -> bool:
    return EvidenceMatcher().compare(a, b).same


def web(*parts: Element, activity: str = "/demo/") -> Screen:
    return screen(*parts, activity=activity, app="http://127.0.0.1:1")


def navigation(*entries: str, height: int = 120) -> Element:
    links = tuple(
        Element(Role.LINK, text=e, clickable=True, bounds=box(60 + 90 * i, 80)) for i, e in enumerate(entries)
    )
    return Element(Role.NAVIGATION, bounds=box(60, height), children=links)


def test_a_menu_that_unfolds_in_its_place_is_a_page_of_its_own() -> None:
    folded = web(navigation("Toggle", "Money"), listed(PEOPLE, top=400))
    open_ = web(navigation("Toggle", "Money", "Bills", "Settle", "Statistics"), listed(PEOPLE, top=700))
    assert not same(folded, open_)


def test_a_menu_of_which_the_top_was_scrolled_out_is_the_same_menu() -> None:
    whole = web(navigation("Toggle", "Money", "Bills", "Settle", "Statistics"), listed(PEOPLE, top=700))
    lower = web(navigation("Settle", "Statistics"), listed(PEOPLE, top=300))
    assert same(whole, lower)


def test_a_bar_that_gains_one_entry_is_the_same_bar() -> None:
    guest = web(navigation("Home", "Search"), listed(PEOPLE))
    member = web(navigation("Home", "Search", "Inbox"), listed(PEOPLE))
    assert same(guest, member)


def test_another_pane_that_scrolls_is_another_tab_though_nothing_says_which_is_chosen() -> None:
    bar = (button("Effects", 200, 0, identifier="tab1"), button("Equalizer", 200, 500, identifier="tab2"))
    effects = screen(toolbar("", up=True), *bar, listed(["Bass", "Live", "Pop"], identifier="effects"))
    equalizer = screen(toolbar("", up=True), *bar, listed(["60 Hz", "1 kHz", "8 kHz"], identifier="bands"))
    assert not same(effects, equalizer)


def test_a_small_list_in_what_scrolls_is_no_pane() -> None:
    def event(*parts: Element) -> Screen:
        body = Element(
            Role.GROUP, resource_id="details", scrollable=True, bounds=box(300, 1900), children=parts
        )
        return screen(toolbar("Event", up=True), body, button("Edit", 60, 900, identifier="edit"))

    guests = Element(
        Role.LIST, resource_id="guests", bounds=box(600, 300), children=(row("Ann", 610), row("Bob", 760))
    )
    assert same(event(text("Monday", 320)), event(text("Monday", 320), guests))


def test_dialogs_of_one_title_that_offer_other_answers_do_not_merge() -> None:
    def about(*answers: str) -> Screen:
        buttons = (button(a, 1400, 150 + 250 * i) for i, a in enumerate(answers))
        return screen(toolbar("Devices"), dialog(text("Car dock", 820), *buttons))

    assert not same(about("Edit", "Delete", "OK"), about("Location", "OK"))
    assert same(about("Edit", "Delete", "OK"), about("Edit", "OK"))


def test_a_list_that_hangs_from_a_field_is_a_menu() -> None:
    field = Element(Role.FIELD, hint="Time", clickable=True, bounds=box(300, 100, 50, 300))
    rows = tuple(
        Element(Role.ITEM, text=y, clickable=True, bounds=box(420 + 90 * i, 80, 50, 300))
        for i, y in enumerate(("2024", "2025", "2026"))
    )
    below = Element(Role.LIST, bounds=box(400, 300, 50, 300), children=rows)
    holder = Element(bounds=field.bounds, children=(field, below))
    page = web(toolbar("Ledger"), holder, listed(PEOPLE, top=800))
    assert active_layer(page).kind is LayerKind.MENU
    inside = replace(holder, bounds=Bounds(0, 280, 1080, 800))
    assert active_layer(web(toolbar("Ledger"), inside)).kind is LayerKind.PAGE


def form(*words: str) -> Screen:
    fields = tuple(
        Element(
            Role.FIELD, hint=w, clickable=True, resource_id=f"field{'abcd'[i]}", bounds=box(400 + 200 * i)
        )
        for i, w in enumerate(words[2:5])
    )
    send = button(words[5], 1400, identifier="send")
    lead = button(words[0], 60, identifier="lead")
    name = text(words[1], 60, identifier="title", role=Role.HEADING)
    bar = Element(Role.TOOLBAR, resource_id="toolbar", bounds=box(60, 160), children=(lead, name))
    return web(bar, *fields, send, activity="/demo/add")


ENGLISH = form("Back", "New bill", "What", "How much", "When", "Save")
FRENCH = form("Retour", "Nouvelle facture", "Quoi", "Combien", "Quand", "Valider")


def test_a_page_in_another_language_is_the_same_page() -> None:
    assert same(ENGLISH, FRENCH)


def test_two_pages_of_one_layout_that_share_the_words_of_their_bar_are_no_translation() -> None:
    other = form("Back", "New person", "Name", "Weight", "Born", "Add")
    assert not same(ENGLISH, replace(other, activity="/demo/people"))


def test_titles_that_stand_in_one_list_of_content_are_items() -> None:
    home = screen(toolbar("Playlists"), listed(["Long drives", "Washing up", "Rain"]))

    def playlist(name: str, *songs: str) -> Screen:
        play = button("Shuffle", 240, 800, identifier="shuffle")
        return screen(toolbar(name, up=True), play, listed(songs, identifier="songs"))

    looks = [
        home,
        playlist("Long drives", "Ebb", "Neap", "Pier"),
        playlist("Washing up", "Buoy", "Kelp", "Spray"),
        screen(toolbar("About", up=True), text("Version 7", 400)),
        screen(toolbar("Help", up=True), text("Ask away", 400), button("Chat", 600, identifier="chat")),
    ]
    found = cluster(looks, "org.example.app")
    assert found[1] == found[2]
    assert len(set(found)) == 4


def test_two_ends_of_a_long_page_are_joined_by_what_lies_between() -> None:
    names = [f"{a} {b}" for a in ("Red", "Blue", "Green") for b in ("wire", "lamp", "chair", "table", "door")]
    looks = [screen(toolbar("Catalogue", up=True), listed(names[i : i + 5])) for i in range(0, 11, 2)]
    looks.append(screen(toolbar("Basket", up=True), text("Nothing here", 400)))
    found = cluster(looks, "org.example.app")
    assert len(set(found[:-1])) == 1
    assert found[-1] != found[0]


def test_a_look_without_a_tree_is_of_the_page_that_its_picture_is_most_like() -> None:
    blank = Screen(Element(), app="org.example.app", activity=".Main", quality=TreeQuality.NONE)
    looks = [ENGLISH, screen(toolbar("Playlists"), listed(PEOPLE)), blank, blank, blank]
    looks[0] = replace(ENGLISH, app="org.example.app", activity=".Main")
    east, north, between = (np.array(v, np.float32) for v in ([1, 0], [0, 1], [0.7071, 0.7071]))
    found = cluster(looks, "org.example.app", [east, north, east, between, None])
    assert found[2] == found[0] != found[1]
    assert found[3] not in found[:3]
    without = cluster(looks, "org.example.app")
    assert without[2] == without[3] not in without[:2]
