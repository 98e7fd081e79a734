"""What a step is worth remembering for, read off real screens without a model, and looked at again."""

from collections.abc import Callable

import pytest

from waypost.actors.numbering import numbered
from waypost.adapters.llm import Scripted
from waypost.adapters.pocket import PocketDevice
from waypost.anchors import (
    Anchored,
    AnchorMemory,
    Capped,
    FullReplay,
    Happened,
    LastActions,
    LinkNoted,
    Noted,
    Notes,
    Reread,
    RunningSummary,
    TaskMemory,
    crop_look,
    drafts,
    facts,
    note_with,
    tree_look,
)
from waypost.errors import ReplyError
from waypost.mapping import settled
from waypost.model import AnchorKind, AnchorStatus, Bounds, Element, Role, Screen, Tap


def _row(top: int, *texts: str) -> Element:
    leaves = tuple(
        Element(Role.TEXT, text=t, bounds=Bounds(0, top + 40 * n, 900, top + 40 * n + 40))
        for n, t in enumerate(texts)
    )
    return Element(Role.ITEM, bounds=Bounds(0, top, 900, top + 120), children=leaves, clickable=True)


def _screen(*rows: Element, title: str = "Home") -> Screen:
    head = Element(Role.HEADING, text=title, bounds=Bounds(0, 0, 900, 80))
    return Screen(
        Element(bounds=Bounds(0, 0, 900, 2000), children=(head, *rows)), app="app", size=(900, 2000)
    )


def _told(screen: Screen) -> list[str]:
    return [f.sentence for f in facts(screen)]


def test_rows_switches_fields_and_stated_values_are_read() -> None:
    switch = Element(Role.SWITCH, text="Wi-Fi", bounds=Bounds(0, 400, 900, 500), checkable=True, checked=True)
    field = Element(Role.FIELD, hint="Name", text="Ann", bounds=Bounds(0, 500, 900, 600))
    secret = Element(Role.FIELD, hint="PIN", text="1234", bounds=Bounds(0, 600, 900, 700), password=True)
    stated = Element(Role.TEXT, text="Total: 12 €", bounds=Bounds(0, 700, 900, 800))
    screen = _screen(_row(100, "Battery", "86 %"), switch, field, secret, stated)
    assert _told(screen) == ["Battery: 86 %", "Wi-Fi: on", "Name: Ann", "Total: 12 €"]


def test_what_cannot_be_seen_is_never_remembered() -> None:
    hidden = Element(Role.TEXT, text="Code: 1", bounds=Bounds(0, 700, 900, 800), visible=False)
    assert _told(_screen(hidden)) == []


def test_two_rows_of_one_name_are_doubted() -> None:
    found = facts(
        _screen(_row(100, "07:00", "Weekdays"), _row(300, "07:00", "Weekend"), _row(500, "Bed", "22:00"))
    )
    assert [f.doubted for f in found] == [True, True, False]


def test_a_changed_value_a_failed_action_and_a_confirmation_are_noted_as_such() -> None:
    before, after = _screen(_row(100, "Light", "on")), _screen(_row(100, "Light", "off"))
    (change,) = drafts(Happened(1, before, 'tap item "Light"', after), "")
    assert (change.kind, change.content) == (AnchorKind.STATE_CHANGE, "Light was on, now off")
    failed = drafts(Happened(1, before, 'tap item "Light"', before), "")
    assert failed[0].kind is AnchorKind.EXCEPTION
    said = Element(Role.TEXT, text="Draft saved", bounds=Bounds(0, 1800, 900, 1900))
    (told, _) = drafts(Happened(1, before, 'tap button "Save"', _screen(_row(100, "Light", "on"), said)), "")
    assert told.content == "tap button \"Save\": the screen said 'Draft saved'"


def test_what_the_wish_names_is_a_dependency() -> None:
    screen = _screen(_row(100, "Ferry code", "B-17"), _row(300, "Seats", "40"))
    kinds = {
        d.name: d.kind for d in drafts(Happened(0, _screen(), "look", screen), "send the code of the ferry")
    }
    assert kinds == {"Ferry code": AnchorKind.DEPENDENCY, "Seats": AnchorKind.CONTEXT_INFO}


def test_a_switch_of_a_real_app_is_remembered_and_corrected() -> None:
    device = PocketDevice("settings")
    memory = Anchored()
    seen = settled(device)
    for step, name in enumerate(["Connected devices", "Bluetooth", "Bluetooth"]):
        target = next(n for n in numbered(seen.screen) if name in n.target.label)
        device.perform(Tap(target.at, target.target))
        after = settled(device)
        memory.note(Happened(step, seen.screen, f"tap {name}", after.screen), "is bluetooth on?")
        seen = after
    values = [(a.value, a.status) for a in memory.memory.anchors if a.name == "Bluetooth"]
    assert len(values) >= 2
    assert sum(status is AnchorStatus.VALID for _, status in values) == 1
    assert "Bluetooth" in memory.told("is bluetooth on?").splitlines()[0]


LONG = "Third carriage from the front, seats 14 and 15, window side"


def test_a_value_that_was_cut_is_looked_at_again_and_then_whole() -> None:
    screen = _screen(_row(100, "Seats", LONG))
    with_look = Anchored(look=tree_look({0: screen}))
    without = Anchored()
    for memory in (with_look, without):
        memory.note(Happened(0, _screen(title="Start"), "open the ticket", screen), "seats")
    assert LONG in with_look.told("which seats?")
    assert with_look.looked == 1
    assert LONG not in without.told("which seats?")
    assert "not sure" in without.told("which seats?")


def test_a_crop_is_shown_to_a_model_and_an_illegible_one_changes_nothing() -> None:
    screen = _screen(_row(100, "Seats", LONG))
    for reread, whole in ((Reread(True, LONG), True), (Reread(False, "???"), False)):
        llm = Scripted([reread])
        memory = Anchored(look=crop_look(lambda step, box: b"png", llm))
        memory.note(Happened(0, _screen(title="Start"), "open the ticket", screen), "seats")
        assert (LONG in memory.told("which seats?")) is whole
        assert llm.asked[0][1] == (b"png",)


MEMORIES: list[Callable[[], TaskMemory]] = [Anchored, FullReplay, LastActions, RunningSummary, Capped]


@pytest.mark.parametrize("make", MEMORIES)
def test_every_memory_tells_the_last_step_and_is_silent_before_the_first(
    make: Callable[[], TaskMemory],
) -> None:
    memory = make()
    assert memory.told("anything") == ""
    memory.note(Happened(0, _screen(title="A"), "tap it", _screen(_row(100, "Light", "on"))), "light")
    assert "Light: on" in memory.told("light")


def test_the_last_actions_forget_and_the_anchors_do_not() -> None:
    last, ours = LastActions(), Anchored()
    for n in range(8):
        screen = _screen(_row(100, f"Name {n}", f"value {n}"), title=f"Page {n}")
        for memory in (last, ours):
            memory.note(Happened(n, _screen(), "go on", screen), "name 0")
    assert "value 0" not in last.told("name 0")
    assert "value 0" in ours.told("name 0").splitlines()[0]


def test_a_model_notes_what_stands_on_the_screen_and_nothing_else() -> None:
    screen = _screen(_row(100, "Ferry code", "B-17"))
    good = Noted("dependency", "The ferry's code is B-17", "B-17", "Ferry code", "B-17")
    invented = Noted("dependency", "The fare is 12", "12 €", "Fare", "12")
    loose = Noted("state_change", "Done", "B-17", links=(LinkNoted("result_of", "a7"),))
    llm = Scripted([Notes((good, invented, loose)), Notes((good, invented, loose))])
    memory = AnchorMemory()
    made = note_with(llm, Happened(2, _screen(), "open it", screen), memory, "send the code")
    assert [a.value for a in made] == ["B-17"]
    assert "'12 €' does not stand on the screen" in llm.asked[1][0]


def test_a_model_may_strike_and_finish_only_what_is_there_and_shown() -> None:
    screen = _screen(_row(100, "Ferry code", "B-17"))
    step = Happened(2, _screen(), "open it", screen)
    memory = AnchorMemory()
    goal = Noted("subgoal", "find the code", "Ferry code")
    note_with(Scripted([Notes((goal,))]), step, memory, "x")
    note_with(Scripted([Notes((), done=("a1",))]), step, memory, "x")
    assert not memory.anchors[0].verified
    shown = Noted("dependency", "code is B-17", "B-17")
    note_with(Scripted([Notes((shown,), strike=("a9",), done=("a1", "a9"))]), step, memory, "x")
    assert memory.anchors[0].verified
    note_with(Scripted([Notes((), strike=("a2",))]), step, memory, "x")
    assert memory.anchors[1].status is AnchorStatus.STRUCK


def test_a_model_that_cannot_be_understood_notes_nothing() -> None:
    llm = Scripted([ReplyError("no"), ReplyError("no")])
    assert note_with(llm, Happened(0, _screen(), "go", _screen()), AnchorMemory(), "x") == []
