"""A web app whose menu stays open over its pages, whose pages come late, and whose fields unfold choices."""

import pytest

from tests.adapters.browser.conftest import Opened
from tests.adapters.browser.reading import labels, tap, thing
from waypost.mapping.controls import controls
from waypost.mapping.layers import LayerKind, active_layer, beside
from waypost.model import Role

pytestmark = pytest.mark.chromium


def test_an_answer_that_a_touch_asked_for_is_waited_for_while_the_old_page_shows(opened: Opened) -> None:
    device = opened("ledger.html")
    tap(device, "☰")
    screen = tap(device, "Holdings")
    assert screen.activity == "/ledger/holdings/"
    session = device._session
    assert session is not None
    assert session._slow == []


def test_a_menu_that_stays_over_its_page_can_be_closed_by_what_stands_beside_it(opened: Opened) -> None:
    device = opened("ledger.html")
    tap(device, "☰")
    screen = tap(device, "Journal")
    assert active_layer(screen).kind is LayerKind.DRAWER
    assert [e.label for e in beside(screen)] == ["☰"]
    assert "☰" in [c.label for c in controls(screen)]
    closed = tap(device, "☰")
    assert active_layer(closed).kind is LayerKind.PAGE
    assert "This is the report on journal" in labels(closed)


def test_choices_that_a_touched_field_unfolds_are_a_menu(opened: Opened) -> None:
    device = opened("ledger.html")
    field = thing(device.observe().screen, "Time:")
    assert field.role is Role.FIELD
    screen = tap(device, "Time:")
    assert active_layer(screen).kind is LayerKind.MENU
    assert [c.label for c in controls(screen)] == ["2024", "2025", "2026"]


def test_what_is_drawn_between_two_words_parts_them(opened: Opened) -> None:
    assert "Book Income" in labels(opened("ledger.html").observe().screen)
