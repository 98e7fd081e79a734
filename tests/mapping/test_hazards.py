"""Hazards against a table of labels written for this test, and in their surroundings."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.mapping.hazards import hazard, hazard_of_label
from waypost.model import Bounds, Element, Role

BOX = Bounds(0, 0, 100, 100)
CLASSES = frozenset(
    [
        "",
        *[
            "pay",
            "send",
            "delete",
            "logout",
            "call",
            "install",
            "share",
            "subscribe",
            "power",
            "account",
            "save",
        ],
    ]
)


def table() -> list[tuple[str, Role, str]]:
    lines = (Path(__file__).parent / "hazard_labels.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [("" if kind == "-" else kind, Role(role), label) for kind, role, label in rows]


def button(label: str, **more: object) -> Element:
    return Element(Role.BUTTON, text=label, clickable=True, bounds=BOX, **more)  # type: ignore[arg-type]


def dialog(title: str, *parts: Element) -> Element:
    return Element(Role.DIALOG, bounds=BOX, children=(Element(Role.TEXT, text=title, bounds=BOX), *parts))


def test_the_table_is_judged_well(capsys: pytest.CaptureFixture[str]) -> None:
    rows = table()
    assert len(rows) >= 400
    found = [(kind, hazard(Element(role, text=label, clickable=True), ())) for kind, role, label in rows]
    hits = sum(1 for kind, f in found if kind and f)
    precision = hits / sum(1 for _, f in found if f)
    recall = hits / sum(1 for kind, _ in found if kind)
    with capsys.disabled():
        print(f" {len(rows)} labels: precision {precision:.3f}, recall {recall:.3f}", end="")
    assert precision >= 0.98
    assert recall >= 0.98
    assert sum(1 for kind, f in found if kind and f and kind != f) <= 0.05 * hits


@pytest.mark.parametrize("title", ["Delete alarm?", "Are you sure you want to delete this?", "删除该聊天？",
                                   "Konto wirklich löschen?", "All items will be deleted."])  # fmt: skip
def test_a_plain_yes_does_what_its_dialog_asks(title: str) -> None:
    for label in ("OK", "Yes", "Continue", "确定"):
        assert hazard(button(label), (dialog(title),)) == "delete"
    for label in ("Cancel", "No", "取消", "Keep it"):
        assert hazard(button(label), (dialog(title),)) == ""


def test_a_plain_yes_in_a_harmless_dialog_is_harmless() -> None:
    assert hazard(button("OK"), (dialog("Choose a colour"),)) == ""
    assert hazard(button("OK"), ()) == ""


def test_a_choice_under_a_hazardous_title_is_hazardous() -> None:
    receiver = Element(Role.ITEM, text="Ann", clickable=True, bounds=BOX)
    assert hazard(receiver, (dialog("Share", receiver),)) == "share"
    assert hazard(receiver, (dialog("Sort by", receiver),)) == ""


@pytest.mark.parametrize(
    ("name", "kind"),
    [("app:id/btn_delete", "delete"), ("ic_send", "send"), ("logoutButton", "logout"), ("fab_call", "call"),
     ("sign-out", "logout"), ("btn_settings", ""), ("delete_settings", ""), ("paypal_logo", "")],
)  # fmt: skip
def test_an_icon_without_words_is_read_by_its_name(name: str, kind: str) -> None:
    icon = Element(Role.IMAGE, resource_id=name, clickable=True, bounds=BOX)
    assert hazard(icon, ()) == kind


def test_words_outrank_the_name() -> None:
    assert hazard(button("Deleted items", resource_id="btn_delete"), ()) == ""
    assert hazard(button("OK", resource_id="btn_delete"), ()) == "delete"


def test_a_picture_of_a_bin_is_a_bin() -> None:
    assert hazard(button("🗑"), ()) == "delete"


def test_what_is_chosen_or_filled_in_never_acts_by_itself() -> None:
    for role in (Role.SWITCH, Role.CHECKBOX, Role.RADIO, Role.TAB, Role.FIELD, Role.PICKER):
        assert hazard(Element(role, text="Send", clickable=True), ()) == ""
    switch = Element(Role.SWITCH, checkable=True, bounds=BOX)
    row = Element(Role.ITEM, text="Send read receipts", clickable=True, children=(switch,), bounds=BOX)
    assert hazard(row, ()) == ""


def test_an_entry_of_a_bar_is_a_place_but_logging_out_is_not() -> None:
    bar = Element(Role.NAVIGATION, bounds=BOX)
    assert hazard(Element(Role.ITEM, text="Call", clickable=True), (bar,)) == ""
    assert hazard(Element(Role.ITEM, text="Log out", clickable=True), (bar,)) == "logout"


def test_to_accept_an_offer_is_hazardous_and_to_accept_terms_is_not() -> None:
    text = Element(Role.TEXT, text="Ann wants to be your friend", bounds=BOX)
    assert hazard(button("Accept"), (Element(bounds=BOX, children=(text,)),)) == "account"
    terms = Element(Role.TEXT, text="Read our Terms and the privacy policy", bounds=BOX)
    assert hazard(button("Accept"), (Element(bounds=BOX, children=(terms,)),)) == ""


def test_what_saves_a_form_is_told_from_what_saves_nothing() -> None:
    field = Element(Role.FIELD, bounds=BOX)
    assert hazard(button("Save"), (Element(bounds=BOX, children=(field,)),)) == "save"
    assert hazard(button("Save"), (Element(bounds=BOX),)) == ""
    secret = Element(Role.FIELD, password=True, bounds=BOX)
    assert hazard(button("Sign up"), (Element(bounds=BOX, children=(secret,)),)) == "account"
    assert hazard(button("Sign up"), ()) == ""


def test_words_have_edges() -> None:
    for label in ("Payroll", "Sender", "Postcard", "Callie", "Resettlement", "Buyout", "Recall", "Sendai"):
        assert hazard_of_label(label) == "", label


def test_case_accents_and_marks_do_not_hide_a_hazard() -> None:
    for label in (
        "DELETE",
        "delete!",
        "  Delete  ",
        "Delete…",
        "Ｄｅｌｅｔｅ",
        "Cerrar sesion",
        "CERRAR SESIÓN",
    ):
        assert hazard_of_label(label), label


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=60))
def test_any_label_gets_a_class_or_none(label: str) -> None:
    assert hazard_of_label(label) in CLASSES
    assert hazard(button(label), (dialog(label),)) in CLASSES
