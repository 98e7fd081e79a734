"""The Android device on a served pocket phone, through Debian's real adb and its server."""

from collections.abc import Iterator

import pytest

from tests.adapters.android.test_typing import EVIL, TEXTS
from tests.adapters.phone.client import pocket_config, served
from tests.adapters.phone.real_adb import Adb, connected
from tests.conformance.device import DeviceSuite
from waypost.adapters.android import AdbShell, AndroidDevice
from waypost.adapters.phone import Phone
from waypost.adapters.pocket import PocketDevice
from waypost.errors import DeviceError
from waypost.model import Element, ImageStatus, Launch, Press, Role, Screen, Tap, TypeText
from waypost.protocols import Device

pytestmark = pytest.mark.adb


@pytest.fixture
def shell(server: Adb, phone: Phone) -> Iterator[AdbShell]:
    with connected(server, phone) as real:
        yield AdbShell(real.serial, host="127.0.0.1", port=real.port)


@pytest.fixture
def device(shell: AdbShell) -> AndroidDevice:
    return AndroidDevice(shell, rest=lambda _: None)


class TestConformance(DeviceSuite):
    @pytest.fixture
    def device(self, device: AndroidDevice) -> Device:
        return device


def _fields(screen: Screen) -> list[Element]:
    return [e for e in screen.visible() if e.role is Role.FIELD]


def _at_field(device: AndroidDevice) -> Element:
    """Go to the page that has a field."""
    look = device.observe().screen
    new = next(e for e in look.visible() if e.description == "New alarm")
    device.perform(Tap(new.bounds.center))
    return _fields(device.observe().screen)[0]


def test_the_screen_is_seen_as_the_device_itself_shows_it(device: AndroidDevice) -> None:
    own = PocketDevice("clock")
    while "Splash" in own.observe().screen.activity:
        pass
    direct, over = own.observe().screen, device.observe().screen
    assert (over.app, over.activity, over.size) == (direct.app, direct.activity, direct.size)
    assert [(e.role, e.label, e.bounds) for e in over.visible()] == [
        (e.role, e.label, e.bounds) for e in direct.visible()
    ]


def test_a_window_of_the_system_lies_over_the_app_that_it_came_up_in(server: Adb) -> None:
    own = PocketDevice("mail")
    own.session().splash, own.session().prompt = 0, "contacts"
    direct = own.observe().screen
    assert direct.overlay
    with served(own, pocket_config()) as phone, connected(server, phone) as real:
        shell = AdbShell(real.serial, host="127.0.0.1", port=real.port)
        over = AndroidDevice(shell, rest=lambda _: None).observe().screen
    assert (over.app, over.overlay, over.activity) == (direct.app, direct.overlay, direct.activity)


def test_pictures_are_those_of_the_phone(device: AndroidDevice) -> None:
    look = device.observe(pixels=True)
    assert look.image_status is ImageStatus.SHOWN
    assert look.image.startswith(b"\x89PNG")


def test_the_launcher_and_the_app_come_to_the_front(device: AndroidDevice) -> None:
    app = device.observe().screen.app
    device.perform(Press("home"))
    assert device.observe().screen.app != app
    device.perform(Launch(app))
    assert device.observe().screen.app == app


def test_text_of_any_script_is_typed_and_read_back_equal(device: AndroidDevice, shell: AdbShell) -> None:
    field = _at_field(device)
    keyboard = shell.run(["settings", "get", "secure", "default_input_method"])
    read = {}
    for text in TEXTS:
        device.perform(TypeText(text, field.bounds.center))
        read[text] = _fields(device.observe().screen)[0].text
    assert len(read) >= 40
    assert {t: r for t, r in read.items() if t != r} == {}
    assert (
        shell.run(["settings", "get", "secure", "default_input_method"]) == keyboard
    )  # The user's own is back.


@pytest.mark.parametrize("text", EVIL, ids=ascii)
def test_what_is_typed_is_never_run(device: AndroidDevice, phone: Phone, notes: list[str], text: str) -> None:
    field = _at_field(device)
    before = _files(phone)
    device.perform(TypeText(text, field.bounds.center))
    assert _fields(device.observe().screen)[0].text == text
    assert _files(phone) == before
    assert not [n for n in notes if "touch" in n or "PWNED" in n]


@pytest.mark.parametrize(
    "name", [*EVIL, "com.pocket.clock; touch /sdcard/PWNED", "com.pocket.mail/.Main&reboot"], ids=ascii
)
def test_a_name_that_breaks_out_reaches_no_shell(
    device: AndroidDevice, phone: Phone, notes: list[str], name: str
) -> None:
    seen, before = device.observe().screen, _files(phone)
    with pytest.raises(DeviceError, match="is no"):
        device.perform(Launch(name))
    with pytest.raises(DeviceError, match="is no"):
        device.restart(name)
    assert device.observe().screen.activity == seen.activity
    assert _files(phone) == before
    assert not notes


def _files(phone: Phone) -> set[str]:
    """Name all that lies in the phone's folders."""
    found, folders = set[str](), ["/"]
    while folders:
        for entry in phone.files.list(folder := folders.pop()):
            path = f"{folder.rstrip('/')}/{entry.name}"
            found.add(path)
            folders += [path] * entry.folder
    return found
