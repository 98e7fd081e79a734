import http.server
import threading
from collections.abc import Iterator

import pytest

from tests.adapters.ios.agent import APP, HOME, Iphone, serving
from tests.conformance.device import DeviceSuite
from waypost.adapters.ios import IosDevice
from waypost.errors import DeviceError, UsageError
from waypost.model import (
    Bounds,
    ImageStatus,
    Launch,
    LongPress,
    Press,
    Role,
    Swipe,
    Tap,
    TypeText,
)
from waypost.protocols import Device

NOTE, TITLE, SECRET = (500, 390), (500, 360), (500, 500)


def _idle(_: float) -> None:
    """Time does not pass here."""


@pytest.fixture
def phone() -> Iphone:
    return Iphone()


@pytest.fixture
def ios(phone: Iphone) -> Iterator[IosDevice]:
    with serving(phone) as url, IosDevice(url, app=APP, rest=_idle) as device:
        yield device


class TestConformance(DeviceSuite):
    @pytest.fixture
    def device(self, ios: IosDevice) -> Device:
        return ios


def test_a_look_is_in_pixels_and_tells_the_app(ios: IosDevice) -> None:
    screen = ios.observe().screen
    assert (screen.app, screen.size) == (APP, (1170, 2532))
    cell = next(e for e in screen.visible() if e.role is Role.ITEM)
    assert cell.bounds == Bounds(0, 300, 1170, 480)


def test_a_tap_opens_and_back_returns_by_the_bar_or_by_the_edge(ios: IosDevice, phone: Iphone) -> None:
    ios.observe()
    for phone.bar in (True, False):
        ios.perform(Tap(NOTE))
        assert phone.page == "note"
        ios.perform(Press("back"))
        assert phone.page == "list"


def test_gestures_reach_the_agent(ios: IosDevice, phone: Iphone) -> None:
    ios.observe()
    phone.asked.clear()
    for action in (LongPress((5, 5)), Swipe(), Swipe(start=(5, 900), end=(5, 90))):
        ios.perform(action)
    assert [a.rpartition("/")[2] for a in phone.asked] == ["actions"] * 3


@pytest.mark.parametrize("text", ["milk", "Größe 👩‍👩‍👧 שלום 你好", "$(x) 'q' \"z\"", ""])
def test_a_text_of_any_script_replaces_what_was_there(ios: IosDevice, phone: Iphone, text: str) -> None:
    phone.page, phone.text = "note", "old"
    ios.perform(TypeText(text, TITLE))
    assert phone.text == text


def test_a_text_that_did_not_take_is_an_error_that_keeps_a_secret(ios: IosDevice, phone: Iphone) -> None:
    phone.page, phone.loses = "note", "é"
    with pytest.raises(DeviceError, match="did not take"):
        ios.perform(TypeText("café", TITLE))
    ios.perform(TypeText("pass", SECRET))
    with pytest.raises(DeviceError) as failed:
        ios.perform(TypeText("passé", SECRET))
    assert "passé" not in str(failed.value)


def test_the_keyboard_is_told_and_kept_apart(ios: IosDevice, phone: Iphone) -> None:
    phone.page, phone.focused = "note", "text"
    screen = ios.observe().screen
    assert screen.keyboard
    assert "q" not in {e.text for e in screen.walk()}


def test_without_a_field_nothing_is_typed(ios: IosDevice) -> None:
    with pytest.raises(DeviceError, match="no text field"):
        ios.perform(TypeText("x"))


def test_home_launch_and_restart(ios: IosDevice, phone: Iphone) -> None:
    ios.perform(Press("home"))
    assert ios.observe().screen.app == HOME
    ios.perform(Launch(APP))
    phone.page = "note"
    ios.restart()
    assert (phone.front, phone.page) == (APP, "list")
    with pytest.raises(DeviceError, match="not installed"):
        ios.perform(Launch("org.absent"))


@pytest.mark.parametrize("name", ["", "a b", "../x", "a/b", "x\n"])
def test_a_bundle_id_that_is_none_reaches_no_agent(ios: IosDevice, phone: Iphone, name: str) -> None:
    with pytest.raises(DeviceError, match="no bundle id"):
        ios.perform(Launch(name))
    assert not [a for a in phone.asked if "apps" in a]


def test_a_session_that_was_lost_is_made_anew(ios: IosDevice, phone: Iphone) -> None:
    ios.observe()
    phone.sessions.clear()
    assert ios.observe().screen.app == APP


def test_a_picture_that_is_half_there_has_failed(ios: IosDevice, phone: Iphone) -> None:
    assert ios.observe(pixels=True).image_status is ImageStatus.SHOWN
    phone.broken_shot = True
    assert ios.observe(pixels=True).image_status is ImageStatus.FAILED


def test_closing_gives_the_session_back(phone: Iphone) -> None:
    with serving(phone) as url:
        device = IosDevice(url, rest=_idle)
        device.observe()
        device.close()
        assert not phone.sessions
        with pytest.raises(DeviceError, match="closed"):
            device.observe()


def test_no_agent_and_what_is_none_are_told_with_the_cure() -> None:
    with pytest.raises(DeviceError, match="iproxy"):
        IosDevice("http://127.0.0.1:1").observe()
    with pytest.raises(UsageError, match="8100"):
        IosDevice("ftp://x")

    class Page(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        with pytest.raises(DeviceError, match="no WebDriverAgent"):
            IosDevice(f"http://127.0.0.1:{server.server_address[1]}").observe()
        thread.join()


def test_a_device_is_named_as_the_command_line_writes_it() -> None:
    assert IosDevice("127.0.0.1:8100", app=APP).name == f"wda:http://127.0.0.1:8100#{APP}"
