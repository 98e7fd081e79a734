"""Text of any script goes into fields of any kind, and is read back."""

import pytest

from tests.adapters.browser.conftest import Opened
from waypost.adapters.browser import BrowserDevice
from waypost.errors import DeviceError
from waypost.model import Element, Role, Screen, TypeText

pytestmark = pytest.mark.chromium

TEXTS = [
    "hello world",
    "",
    "Grüße aus Köln",
    "naïve café — façade",
    "Ελληνικά",
    "Привет, мир",
    "שלום עולם",
    "مرحبا بالعالم",
    "नमस्ते दुनिया",
    "สวัสดีชาวโลก",
    "你好，世界",
    "こんにちは世界",
    "안녕하세요",
    "👋🏽",
    "👩‍👩‍👧‍👦 family",
    "🏳️‍🌈🇩🇪",
    "\"double\" and 'single'",
    "“curly” ‘quotes’",
    "back\\slash $HOME `tick` %s {0}",
    "<b>not markup</b> &amp;",
    "a; DROP TABLE boats; --",
    "e\u0301 combining",
    "½ € £ ¥ ₹ ™",
    "1234567890",
    "x" * 300,
]


def field(screen: Screen, name: str) -> Element:
    return next(
        e for e in screen.visible() if e.role is Role.FIELD and name in (e.description, e.resource_id)
    )


def put(device: BrowserDevice, name: str, text: str) -> str:
    device.perform(TypeText(text, field(device.observe().screen, name).bounds.center))
    return field(device.observe().screen, name).text


@pytest.mark.parametrize("name", ["plain", "controlled", "Long text", "Rich"])
def test_any_text_replaces_what_was_there(opened: Opened, name: str) -> None:
    device = opened("form.html")
    # Every text goes into the plain field; the other kinds take every third, each another third.
    first = ["plain", "controlled", "Long text", "Rich"].index(name)
    for text in TEXTS if name == "plain" else TEXTS[first - 1 :: 3]:
        shown = put(device, name, text)
        assert shown == text or (len(text) > 200 and text.startswith(shown[:200]))


def test_what_stands_in_a_field_is_told_as_it_stands_there(opened: Opened) -> None:
    device = opened("form.html")
    for text in ("  blanks  around  ", "x" * 900):
        assert put(device, "plain", text) == text
    for text in ("one\n\n  two\n", "y z " * 400):
        assert put(device, "Long text", text) == text


def test_a_controlled_field_knows_what_was_typed(opened: Opened) -> None:
    device = opened("form.html")
    put(device, "controlled", "first")
    put(device, "controlled", "second 二")
    assert "state:second 二" in {e.text for e in device.observe().screen.visible()}


def test_submit_presses_enter(opened: Opened) -> None:
    device = opened("form.html")
    device.perform(TypeText("go", field(device.observe().screen, "plain").bounds.center, submit=True))
    assert device.observe().screen.title == "Sent go"


def test_the_keyboard_is_up_while_a_field_has_the_focus(opened: Opened) -> None:
    device = opened("form.html")
    assert not device.observe().screen.keyboard
    put(device, "plain", "x")
    screen = device.observe().screen
    assert screen.keyboard
    assert field(screen, "plain").focused


def test_a_field_in_focus_takes_text_without_a_point(opened: Opened) -> None:
    device = opened("form.html")
    put(device, "plain", "x")
    device.perform(TypeText("again"))
    assert field(device.observe().screen, "plain").text == "again"


def test_a_secret_is_never_shown(opened: Opened) -> None:
    device = opened("form.html")
    device.perform(TypeText("hunter2", field(device.observe().screen, "secret").bounds.center))
    seen = field(device.observe().screen, "secret")
    assert seen.password
    assert seen.text == "•••••••"


def test_a_field_that_does_not_take_text_is_an_error(opened: Opened) -> None:
    device = opened("form.html")
    with pytest.raises(DeviceError, match="did not take"):
        put(device, "stubborn", "never")


def test_a_field_that_refuses_keys_takes_its_value_the_other_way(opened: Opened) -> None:
    assert put(opened("form.html"), "guarded", "second path") == "second path"


def test_a_date_is_set(opened: Opened) -> None:
    assert put(opened("form.html"), "day", "2026-02-03") == "2026-02-03"


def test_a_mask_may_drop_what_it_does_not_want(opened: Opened) -> None:
    assert put(opened("form.html"), "digits", "4711") == "4711"


def test_there_must_be_a_field(opened: Opened) -> None:
    device = opened("controls.html")
    with pytest.raises(DeviceError, match="no text field"):
        device.perform(TypeText("x", (540, 2300)))
