"""A chooser is called by the caption over what opens it."""

from dataclasses import replace

from tests.mapping.looks import box, button, dialog, screen, text
from waypost.mapping import Mapper
from waypost.mapping.captions import caption, captioned
from waypost.mapping.controls import controls
from waypost.mapping.match import EvidenceMatcher
from waypost.model import AppGraph, Element, Observation, Screen


def settings() -> Screen:
    return screen(
        text("Settings", 60),
        text("Colours", 300),
        button("As the phone has it", 400, 140, width=500),
        text("Letters", 700),
        button("Large", 800, 140, width=300),
    )


def chooser(*choices: str, title: str = "") -> Screen:
    rows = [button(c, 900 + 150 * i, 140, width=500) for i, c in enumerate(choices)]
    head: tuple[Element, ...] = (text(title, 820, identifier="title"),) if title else ()
    return screen(text("Settings", 60), dialog(*head, *rows))


def walked(opener: str, opened: Screen) -> AppGraph:
    mapper = Mapper(AppGraph("org.example.app"))
    page = mapper.enter(Observation(settings(), seen_at=1.0))
    tap = next(c for c in controls(settings()) if c.label == opener)
    mapper.extend(page, tap.action, tap.key, Observation(opened, seen_at=2.0))
    return mapper.graph


def test_the_caption_is_the_text_right_above() -> None:
    tap = next(c for c in controls(settings()) if c.label == "Large")
    target = getattr(tap.action, "target", None)
    assert target is not None
    assert caption(target, settings()) == "Letters"
    assert caption(replace(target, bounds=box(0)), settings()) == ""


def test_a_chooser_without_a_title_gets_the_caption_of_what_it_sets() -> None:
    graph = walked("Large", chooser("Small", "Large", "Huge"))
    assert list(captioned(graph).values()) == ["Letters (dialog)"]


def test_a_chooser_with_a_title_keeps_it() -> None:
    assert captioned(walked("Large", chooser("Small", "Large", title="Size of letters"))) == {}


def test_a_dialog_that_does_not_offer_what_opened_it_is_no_chooser() -> None:
    assert captioned(walked("Large", chooser("Yes", "No"))) == {}


def test_choosers_of_other_values_are_other_pages() -> None:
    numbers = chooser("1,000.33", "1.000,33", "1 000,33", "100,033")
    days = chooser("Sunday", "Monday", "Tuesday", "Wednesday")
    assert not EvidenceMatcher().compare(numbers, days).same
    assert EvidenceMatcher().compare(days, chooser("Sunday", "Monday", "Tuesday", "Wednesday")).same
