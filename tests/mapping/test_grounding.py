"""Finding an element again: healed where that is safe, refused where it is not."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mapping.looks import box, button, dialog, listed, row, screen, text, toolbar
from waypost.mapping.controls import controls
from waypost.mapping.grounding import evidence, ground, regrounded
from waypost.mapping.naming import named
from waypost.model import Bounds, Direction, Element, Evidence, Press, Role, Screen, Swipe, Tap


def proof_of(label: str, look: Screen) -> Evidence:
    (found,) = [c for c in controls(look) if isinstance(c.action, Tap) and c.label == label]
    assert isinstance(found.action, Tap)
    assert found.action.target is not None
    return found.action.target


def label_of(target: Evidence, look: Screen) -> str | None:
    found = ground(target, look)
    return found.element.label if found else None


def test_an_element_is_found_where_it_has_moved_to() -> None:
    target = proof_of("Save", screen(button("Save", 300), button("Open", 600)))
    moved = screen(button("Open", 300), button("Save", 1600))
    found = ground(target, moved)
    assert found is not None
    assert found.element.bounds.top == 1600
    assert found.certainty > 0.9


def test_a_renamed_id_is_healed_by_the_label() -> None:
    target = proof_of("Save", screen(button("Save", 300, identifier="app:id/save")))
    assert label_of(target, screen(button("Save", 300, identifier="app:id/store"))) == "Save"


def test_a_renamed_label_is_healed_by_an_id_that_one_element_bears() -> None:
    target = proof_of("Save", screen(button("Save", 300, identifier="app:id/save")))
    found = ground(target, screen(button("Keep", 300, identifier="app:id/save")))
    assert found is not None
    assert found.element.label == "Keep"
    assert found.certainty < 0.9


def test_a_renamed_label_is_not_healed_by_an_id_that_two_bear() -> None:
    target = proof_of("Save", screen(button("Save", 300, identifier="app:id/save")))
    twins = screen(
        button("Keep", 300, identifier="app:id/save"), button("Drop", 600, identifier="app:id/save")
    )
    assert ground(target, twins) is None


def test_a_new_label_and_a_new_id_are_another_thing() -> None:
    target = proof_of("Save", screen(button("Save", 300, identifier="app:id/save")))
    assert ground(target, screen(button("Keep", 300, identifier="app:id/keep"))) is None


def test_a_healed_element_never_turns_hazardous() -> None:
    target = proof_of("Archive", screen(button("Archive", 300, identifier="app:id/action")))
    assert ground(target, screen(button("Delete", 300, identifier="app:id/action"))) is None


def test_a_row_of_a_list_is_never_healed_by_the_id_that_all_rows_bear() -> None:
    target = proof_of("Ann", screen(listed(["Ann", "Bob", "Cyd"])))
    assert ground(target, screen(listed(["Dee"]))) is None


def test_twins_are_told_apart_by_their_order_while_there_are_as_many() -> None:
    look = screen(button("Edit", 300), button("Edit", 600))
    second = [c.action for c in controls(look) if isinstance(c.action, Tap)][1]
    found = regrounded(second, screen(button("Edit", 900), button("Edit", 1400)))
    assert isinstance(found, Tap)
    assert found.at[1] > 1400


def test_a_twin_more_is_a_reason_to_refuse() -> None:
    look = screen(button("Edit", 300), button("Edit", 600))
    second = [c.action for c in controls(look) if isinstance(c.action, Tap)][1]
    assert regrounded(second, screen(*(button("Edit", top) for top in (900, 1300, 1700)))) is None


def test_the_same_label_in_another_bar_is_told_apart_by_its_ancestors() -> None:
    bar = Element(Role.TOOLBAR, resource_id="bar", bounds=box(60, 160), children=(button("Edit", 80),))
    look = screen(bar, button("Edit", 600))
    targets = [c.action for c in controls(look) if isinstance(c.action, Tap)]
    for action in targets:
        found = regrounded(action, look)
        assert isinstance(found, Tap)
        assert found.at == action.at


def test_a_link_is_found_by_where_it_leads() -> None:
    link = Element(Role.LINK, href="/reports", bounds=box(400), clickable=True)
    other = Element(Role.LINK, href="/budget", bounds=box(600), clickable=True)
    action = next(c.action for c in controls(screen(link, other)) if isinstance(c.action, Tap))
    swapped = screen(replace(other, bounds=box(400)), replace(link, bounds=box(600)))
    found = regrounded(action, swapped)
    assert isinstance(found, Tap)
    assert found.at[1] > 600


def test_a_heading_of_the_same_name_is_not_taken_for_the_row() -> None:
    target = proof_of("Sound", screen(toolbar("Settings"), row("Sound", 400), row("Display", 600)))
    look = screen(toolbar("Sound"), row("Sound", 800), row("Display", 1000))
    found = ground(target, look)
    assert found is not None
    assert found.element.bounds.top == 800


def test_what_lies_behind_a_dialog_is_gone() -> None:
    target = proof_of("Save", screen(button("Save", 300)))
    assert (
        ground(target, screen(button("Save", 300), dialog(button("OK", 900, 200), text("Sure?", 820))))
        is None
    )


def test_a_list_is_found_again_and_dragged_where_it_is() -> None:
    (action,) = [c.action for c in controls(screen(listed(["Ann", "Bob"]))) if isinstance(c.action, Swipe)]
    found = regrounded(action, screen(listed(["Cyd", "Dee"], top=900)))
    assert isinstance(found, Swipe)
    assert found.direction is Direction.UP
    assert found.start is not None
    assert found.start[1] > 900


def test_an_action_without_a_target_comes_back_as_it_is() -> None:
    assert regrounded(Press("back"), screen()) == Press("back")


def test_evidence_of_what_cannot_be_seen_speaks_of_itself_alone() -> None:
    hidden = replace(button("Save", 300), visible=False)
    assert evidence(hidden, (), screen(hidden)).label == "Save"


@pytest.mark.parametrize("label", ["", "Save"])
def test_nothing_is_found_on_an_empty_screen(label: str) -> None:
    assert ground(Evidence(Role.BUTTON, label, "app:id/save"), Screen()) is None


NAMES = st.sampled_from(["Save", "Open", "Edit", "More", "Inbox (3)", "删除", ""])
IDS = st.sampled_from(["", "app:id/a", "app:id/b"])
BUTTONS = st.lists(st.tuples(NAMES, IDS), min_size=1, max_size=7)


def made(buttons: list[tuple[str, str]]) -> Screen:
    return screen(*(button(n, 300 + 150 * i, identifier=d) for i, (n, d) in enumerate(buttons)))


@settings(deadline=None, max_examples=50)
@given(BUTTONS)
def test_on_its_own_screen_every_element_is_itself_or_refused(buttons: list[tuple[str, str]]) -> None:
    look = made(buttons)
    for thing in named(look):
        if thing.element.role is Role.BUTTON:
            found = ground(evidence(thing.element, thing.ancestors, look), look)
            assert found is None or found.element is thing.element


@settings(deadline=None, max_examples=50)
@given(BUTTONS, BUTTONS)
def test_what_is_found_shares_its_label_or_its_only_id(
    before: list[tuple[str, str]], after: list[tuple[str, str]]
) -> None:
    look, later = made(before), made(after)
    for control in controls(look):
        if not isinstance(control.action, Tap) or control.action.target is None:
            continue
        found = ground(control.action.target, later)
        if found is not None:
            same_label = found.element.text == control.action.target.label
            same_id = found.element.resource_id == control.action.target.resource_id != ""
            assert same_label or same_id


@settings(deadline=None, max_examples=50)
@given(BUTTONS, st.integers(-200, 200))
def test_a_shift_changes_nothing_about_what_is_meant(buttons: list[tuple[str, str]], by: int) -> None:
    look = made(buttons)
    moved = screen(*(_shifted(e, by) for e in look.root.children))
    for n, control in enumerate(controls(look)):
        again = regrounded(control.action, moved)
        if again is not None and isinstance(again, Tap) and isinstance(control.action, Tap):
            assert again.at[1] == control.action.at[1] + by, n


def _shifted(element: Element, by: int) -> Element:
    b = element.bounds
    return replace(element, bounds=Bounds(b.left, b.top + by, b.right, b.bottom + by))
