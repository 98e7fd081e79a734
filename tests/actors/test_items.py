"""What item a sentence names says nothing of the page that it asks for."""

import pytest

from tests.actors.phone import charted
from waypost.actors.items import item_names, without_items

JARS = ["Apple jar", "Bread jar", "Cocoa jar", "Dates jar"]
PAGES = {
    "Home": {**dict.fromkeys(JARS, "Jar"), "Settings": "Settings", "Reports": "Reports"},
    "Jar": {},
    "Settings": {},
    "Reports": {},
}


def test_items_are_what_tells_rows_apart_that_lead_to_one_page() -> None:
    assert item_names(charted(PAGES, {"Home": JARS}).graph) == {"Apple", "Bread", "Cocoa", "Dates"}


def test_entries_that_lead_to_pages_of_their_own_are_no_items() -> None:
    pages = {"Home": {n: n for n in JARS}, **{n: {} for n in JARS}}
    assert item_names(charted(pages, {"Home": JARS}).graph) == frozenset()


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Show the notes on Apple.", "Show the notes on."),
        ("Show Apple's notes", "Show notes"),
        ("Apple of my eye", "Apple of my eye"),
        ("Show the apple notes", "Show the apple notes"),
        ("Show the Applecart notes", "Show the Applecart notes"),
    ],
)
def test_only_a_name_written_as_a_name_is_left_out(said: str, left: str) -> None:
    assert without_items(said, {"Apple"}) == left
