"""Decisions of the map, in plain words."""

import pytest

from tests.mapping.looks import APP, Clock, listed, screen, tabs, tap, text, toolbar
from waypost.errors import UsageError
from waypost.mapping.explain import explain_look, explain_pages, page_called
from waypost.mapping.mapper import Mapper
from waypost.model import AppGraph

MAIL = screen(toolbar("Mail"), listed(["Lunch", "Invoice", "Hello"]), tabs("Primary", "Primary", "Social"))
SOCIAL = screen(toolbar("Mail"), listed(["Party", "Photos", "Hi"]), tabs("Social", "Primary", "Social"))


def mapped() -> Mapper:
    clock = Clock()
    mapper = Mapper(AppGraph(app=APP))
    home = mapper.enter(clock.look(MAIL))
    mapper.extend(home, *tap("Social"), clock.look(SOCIAL))
    return mapper


def test_two_pages_are_explained_by_what_parts_them() -> None:
    told = explain_pages(mapped(), "n1", "n2")
    assert told.verdict == "two pages"
    assert "selected tab differs" in told.text.splitlines()[1]


def test_a_known_look_is_named_and_an_unknown_one_says_what_is_nearest() -> None:
    mapper = mapped()
    assert "'Mail' (n1)" in explain_look(mapper, Clock().look(MAIL)).text
    other = screen(toolbar("Help", up=True), text("Ask us", 500), activity=".Help")
    told = explain_look(mapper, Clock().look(other))
    assert "not on this map" in told.verdict
    assert any("another activity" in r.detail for r in told.reasons)


def test_a_page_is_found_by_id_by_name_and_by_part_of_it() -> None:
    mapper = mapped()
    assert page_called(mapper, "n2").id == "n2"
    assert page_called(mapper, "mail").id == "n1"
    assert page_called(mapper, "soci").id == "n2"
    with pytest.raises(UsageError, match="waypost pages"):
        page_called(mapper, "nowhere")
    with pytest.raises(UsageError, match="give the id"):
        page_called(mapper, "ai")
