import dataclasses

from waypost.library.rules import LoadedFirst, NoMereLink, PageOverModal, SpecificOverGeneral, asked
from waypost.model import NodeId, Record

SETTINGS = Record(NodeId("s"), 0, "Sounds", "Sounds", ("Sounds", "Volume"), ("Home", "Sounds"), depth=1)
RINGTONE = Record(
    NodeId("r"),
    0,
    "Ringtone",
    "Ringtone",
    ("Ringtone", "Ringtone: Argon"),
    ("Home", "Sounds", "Ringtone"),
    depth=2,
)
HELP = Record(NodeId("h"), 0, "Help", "Help", ("Help",), ("Home", "Help"), depth=1)


def test_a_loaded_page_comes_before_one_that_was_loading() -> None:
    waiting = dataclasses.replace(SETTINGS, loading=True)
    assert LoadedFirst().points_off(asked("sounds"), waiting, (RINGTONE,)) > 0
    assert LoadedFirst().points_off(asked("sounds"), SETTINGS, (waiting,)) == 0
    assert LoadedFirst().points_off(asked("sounds"), waiting, ()) == 0


def test_a_dialog_loses_to_its_page_unless_it_is_meant() -> None:
    dialog = dataclasses.replace(RINGTONE, modal=True)
    assert PageOverModal().points_off(asked("how loud is it"), dialog, (SETTINGS,)) > 0
    assert PageOverModal().points_off(asked("pick another ringtone"), dialog, (SETTINGS,)) == 0
    assert PageOverModal().points_off(asked("the dialog with the list"), dialog, (SETTINGS,)) == 0
    assert PageOverModal().points_off(asked("how loud is it"), dialog, (HELP,)) == 0


def test_a_page_that_merely_links_there_loses_to_the_page_itself() -> None:
    assert NoMereLink().points_off(asked("another ringtone"), SETTINGS, (RINGTONE,)) > 0
    assert NoMereLink().points_off(asked("another ringtone"), RINGTONE, (SETTINGS,)) == 0
    assert NoMereLink().points_off(asked("volume"), SETTINGS, (RINGTONE,)) == 0


def test_a_general_page_is_for_general_questions() -> None:
    assert SpecificOverGeneral().points_off(asked("why is the ringtone silent"), HELP, (RINGTONE,)) > 0
    assert SpecificOverGeneral().points_off(asked("help"), HELP, (RINGTONE,)) == 0
    assert SpecificOverGeneral().points_off(asked("ringtone"), RINGTONE, (HELP,)) == 0


def test_questions_for_a_place_are_told_from_questions_for_a_deed() -> None:
    assert asked("Where can I see my orders?").page_style
    assert asked("打开订单").page_style
    assert not asked("Delete the last order").page_style
