import socket
import threading
from collections.abc import Iterator

import pytest

from tests.adapters.framework.standin import APP, Jvm, serving
from tests.conformance.device import DeviceSuite
from waypost.adapters.framework import FrameworkDevice
from waypost.adapters.phone import Phone
from waypost.errors import DeviceError, UsageError
from waypost.model import Bounds, ImageStatus, Launch, LongPress, Press, Swipe, Tap, TypeText
from waypost.protocols import Device

ROW = (540, 400)


@pytest.fixture
def jvm() -> Jvm:
    return Jvm()


@pytest.fixture
def phone(jvm: Jvm) -> Iterator[FrameworkDevice]:
    with serving(jvm) as address, FrameworkDevice(address) as device:
        yield device


class TestConformance(DeviceSuite):
    @pytest.fixture
    def device(self, phone: FrameworkDevice) -> Device:
        return phone


def test_a_look_has_the_app_its_activity_and_true_places(phone: FrameworkDevice) -> None:
    screen = phone.observe().screen
    assert (screen.app, screen.activity, screen.title) == (APP, f"{APP}.List", "list")
    row = next(e for e in screen.visible() if e.text == "Shopping")
    assert row.bounds == Bounds(0, 300, 1080, 500)


def test_the_true_page_of_a_look_is_kept_beside_it(phone: FrameworkDevice) -> None:
    first = phone.observe()
    phone.perform(Tap(ROW))
    second = phone.observe()
    assert (phone.page(first.seen_at), phone.page(second.seen_at)) == (f"{APP}.list", f"{APP}.note")


def test_what_is_typed_is_read_back(phone: FrameworkDevice, jvm: Jvm) -> None:
    phone.perform(Tap(ROW))
    phone.perform(TypeText("milk", at=ROW))
    assert jvm.text == "milk"
    jvm.deaf = True
    with pytest.raises(DeviceError, match="did not take what was typed: it shows 'milk'"):
        phone.perform(TypeText("bread", at=ROW))


def test_typing_where_no_field_has_the_focus_is_refused(phone: FrameworkDevice) -> None:
    with pytest.raises(DeviceError, match="no text field in focus"):
        phone.perform(TypeText("milk"))


def test_fingers_and_keys_are_sent_as_they_are(phone: FrameworkDevice, jvm: Jvm) -> None:
    phone.perform(LongPress((10, 20)))
    phone.perform(Swipe(start=(500, 1800), end=(500, 600)))
    phone.perform(Press("back"))
    swipe = {"do": "swipe", "x": 500, "y": 1800, "to_x": 500, "to_y": 600, "ms": 400}
    assert jvm.asked[-3:] == [{"do": "hold", "x": 10, "y": 20}, swipe, {"do": "back"}]


def test_a_touch_off_the_screen_is_refused(phone: FrameworkDevice) -> None:
    with pytest.raises(DeviceError, match="off the screen"):
        phone.perform(Tap((2000, 10)))


def test_home_is_no_app_and_the_app_comes_back(phone: FrameworkDevice) -> None:
    phone.perform(Press("home"))
    assert phone.observe().screen.app == "home"
    phone.perform(Launch(APP))
    assert phone.observe().screen.app == APP


def test_a_window_of_the_system_lies_over_the_app(phone: FrameworkDevice, jvm: Jvm) -> None:
    jvm.owner = "android"
    screen = phone.observe().screen
    assert (screen.app, screen.overlay) == (APP, "android")


def test_other_apps_are_not_there(phone: FrameworkDevice) -> None:
    with pytest.raises(DeviceError, match=r"no app 'org\.other' on this phone"):
        phone.perform(Launch("org.other"))


def test_a_window_that_forbids_pictures_has_none(phone: FrameworkDevice, jvm: Jvm) -> None:
    jvm.secure = True
    assert phone.observe(pixels=True).image_status is ImageStatus.SECURE


def test_a_fault_of_the_phone_is_said(phone: FrameworkDevice) -> None:
    with pytest.raises(DeviceError, match="could not open: ActivityNotFoundException"):
        phone.open("org.toy.notes.None")


def test_it_tells_the_version_of_its_app_alone(phone: FrameworkDevice) -> None:
    assert (phone.app_version(APP), phone.app_version("org.other")) == ("7.1", "")


def test_the_served_phone_names_its_activity(phone: FrameworkDevice) -> None:
    with Phone(phone, port=0) as served:
        assert served.handset.window().component == f"{APP}/{APP}.List"


@pytest.mark.parametrize("address", ["", "example.org:5110", "127.0.0.1:0", "127.0.0.1:x", "10.0.0.1:5110"])
def test_only_a_port_of_this_machine_is_an_address(address: str) -> None:
    with pytest.raises(UsageError, match="give framework:127"):
        FrameworkDevice(address)


def test_a_phone_that_is_not_there_names_the_cure() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(DeviceError, match="worlds/apidemos/run"):
        FrameworkDevice(str(port)).observe()


def test_a_phone_that_hangs_up_is_a_fault_and_is_asked_anew_the_next_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:

        def hang_up() -> None:
            for _ in range(2):
                door.accept()[0].close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        device = FrameworkDevice(str(door.getsockname()[1]))
        for _ in range(2):
            with pytest.raises(DeviceError, match="No phone on a JVM answers"):
                device.observe()
        thread.join()


def test_a_closed_device_says_so(phone: FrameworkDevice) -> None:
    phone.close()
    with pytest.raises(DeviceError, match="was closed"):
        phone.observe()
