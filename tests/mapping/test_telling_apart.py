"""What real apps taught: menus unfolded in their place, panes, dialogs of one title, other languages."""

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


def _days(across: int, down: int) -> Screen:
    wide, high = 1080 // across, 140 if down == 1 else 1800 // down
    cells = tuple(
        Element(Role.GROUP, description=f"{1 + x + across * y} May 2026", clickable=True,
                bounds=Bounds(x * wide, 300 + y * high, (x + 1) * wide, 300 + (y + 1) * high))
        for y in range(down) for x in range(across)
    )  # fmt: skip
    dates = Element(Role.LIST, bounds=box(300, 1900), children=cells)
    bar = (button("Search", 60, 700, identifier="search"), button("Today", 60, 850, identifier="today"))
    return screen(toolbar("", *bar), dates, button("New event", 2150, 900, identifier="new"))


def test_days_by_three_by_the_week_and_by_the_month_are_three_pages() -> None:
    three, week, month = _days(3, 1), _days(7, 1), _days(7, 5)
    assert not same(three, week)
    assert not same(week, month)
    assert len(set(cluster([three, week, month], "org.example.app"))) == 3


def test_another_week_is_the_same_page() -> None:
    week = _days(7, 1)
    later = replace(week.root, children=tuple(_later(c) for c in week.root.children))
    assert same(week, replace(week, root=later))


def _later(element: Element) -> Element:
    said = element.description.replace("May", "June")
    return replace(element, description=said, children=tuple(map(_later, element.children)))


def test_what_plays_now_joins_no_two_pages() -> None:
    def page(identifier: str, *parts: Element) -> Screen:
        playing = Element(Role.LIST, bounds=box(2200, 150), children=(row("Long song", 2205),))
        body = Element(bounds=box(200, 1900), resource_id=identifier, children=parts)
        return screen(body, playing)

    shelf = [text(w, 300 + 100 * i, identifier=f"s{w}") for i, w in enumerate(("Shelf", "Discs"))]
    radio = [text(w, 300 + 100 * i, identifier=f"r{w}") for i, w in enumerate(("Radio", "Waves"))]
    mine = [text(w, 300 + 100 * i, identifier=f"m{w}") for i, w in enumerate(("Mine", "Taste"))]
    looks = [page("shelf", *shelf), page("radio", *radio), page("mine", *mine)]
    assert len(set(cluster(looks, "org.example.app"))) == 3


def test_a_page_of_the_web_inside_an_app_is_no_list_of_that_app() -> None:
    def shown(inner: Element) -> Screen:
        return screen(toolbar("", up=True), inner, button("Play", 2200, identifier="play"))

    web_view = Element(Role.WEB, class_name="android.webkit.WebView", bounds=box(300, 1800))
    assert not same(shown(listed(["Ebb", "Neap", "Pier"], identifier="songs")), shown(web_view))
