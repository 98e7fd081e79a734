import itertools
import os
from collections.abc import Iterator

import pytest

from tests.adapters.android.adb_server import serving
from tests.adapters.android.toy import APP, KEYS, LAUNCHER, WRITER, ToyPhone
from tests.conformance.device import DeviceSuite
from waypost.adapters.android import AdbShell, AndroidConfig, AndroidDevice
from waypost.errors import DeviceError
from waypost.model import Launch, LongPress, Press, Role, Swipe, Tap, TreeQuality, TypeText, Wait
from waypost.protocols import Device

FIELD, PIN = (500, 350), (500, 500)


class Ticks:
    """A clock that moves only by what is waited."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def rest(self, seconds: float) -> None:
        self.now += seconds


def opened(phone: ToyPhone, app: str = APP, **config: object) -> AndroidDevice:
    ticks = Ticks()
    return AndroidDevice(phone, AndroidConfig(app=app, **config), clock=ticks, rest=ticks.rest)  # type: ignore[arg-type]


class TestConformance(DeviceSuite):
    @pytest.fixture
    def device(self) -> Iterator[Device]:
        """The toy phone, through adbutils and the wire of an adb server."""
        phone = ToyPhone()
        with serving({"toy": phone.execute}) as port:
            ticks = Ticks()
            yield AndroidDevice(
                AdbShell("toy", host="127.0.0.1", port=port),
                AndroidConfig(APP),
                clock=ticks,
                rest=ticks.rest,
            )


def test_a_look_tells_app_activity_size_and_keyboard() -> None:
    phone = ToyPhone()
    device = opened(phone)
    screen = device.observe().screen
    assert (screen.app, screen.activity, screen.size) == (APP, f"{APP}.Main", (1080, 2400))
    assert not screen.keyboard
    device.perform(Tap(FIELD))
    assert device.observe().screen.keyboard


def test_a_turned_phone_is_measured_anew() -> None:
    phone = ToyPhone()
    device = opened(phone)
    device.observe()
    phone.turn = 1
    screen = device.observe().screen
    assert (screen.size, screen.rotation) == ((2400, 1080), 1)
    device.perform(Tap((2300, 1000)))  # Off the screen of before.


def test_gestures_are_those_of_the_phone() -> None:
    phone = ToyPhone()
    device = opened(phone)
    device.observe()
    phone.log.clear()
    for action in (Tap((1, 2)), LongPress((3, 4)), Swipe(), Swipe(start=(5, 6), end=(7, 8)), Press("back")):
        device.perform(action)
    assert [" ".join(w) for w in phone.log] == [
        "input tap 1 2",
        "input swipe 3 4 3 4 700",
        "input swipe 540 1800 540 600 600",
        "input swipe 5 6 7 8 600",
        "input keyevent KEYCODE_BACK",
    ]


def test_a_point_off_the_screen_is_refused() -> None:
    with pytest.raises(DeviceError, match="off the screen"):
        opened(ToyPhone()).perform(Tap((5000, 3)))


def test_a_phone_that_refuses_gestures_says_what_to_allow() -> None:
    with pytest.raises(DeviceError, match="Security settings"):
        opened(ToyPhone(rights=False)).perform(Tap((5, 3)))


def test_an_app_is_launched_and_seen_in_front() -> None:
    phone = ToyPhone(front=LAUNCHER)
    device = opened(phone)
    device.perform(Launch(APP))
    assert device.observe().screen.app == APP


def test_the_app_that_a_device_is_for_is_brought_to_the_front_once() -> None:
    phone = ToyPhone(front=LAUNCHER)
    device = opened(phone)
    assert device.observe().screen.app == APP
    phone.front = LAUNCHER
    assert device.observe().screen.app == LAUNCHER


def test_a_launch_that_changes_nothing_is_told() -> None:
    phone = ToyPhone(front=LAUNCHER, printed={f"am start -n {APP}/.Main": b""})
    with pytest.raises(DeviceError, match="in front"):
        opened(phone).perform(Launch(f"{APP}/.Main"))


def test_an_app_that_is_not_there_is_told() -> None:
    with pytest.raises(DeviceError, match="No activities found"):
        opened(ToyPhone()).perform(Launch("org.absent"))


def test_a_permission_dialog_over_a_started_app_counts_as_started() -> None:
    phone = ToyPhone(dialog="com.android.permissioncontroller")
    device = opened(phone)
    device.perform(Launch(APP))
    assert device.observe().screen.app == "com.android.permissioncontroller"


def test_restart_without_a_name_starts_the_app_that_was_in_front_at_first() -> None:
    phone = ToyPhone()
    device = opened(phone, app="")
    device.observe()
    device.perform(Tap((500, 150)))
    assert phone.stack == ["home", "settings"]
    device.perform(Press("home"))
    device.restart()
    assert (phone.front, phone.stack) == (APP, ["home"])


def test_restart_never_clears_data_and_nothing_is_ever_installed() -> None:
    phone = ToyPhone(imes=[KEYS, WRITER])
    device = opened(phone)
    device.restart()
    device.perform(TypeText("schön 👋", FIELD))
    words = {w for command in phone.log for w in command}
    assert not words & {"clear", "install", "uninstall", "pm", "put"}


@pytest.mark.parametrize(
    ("busy", "quality", "asked"),
    [
        (set(), TreeQuality.FULL, ["normal"]),
        ({"normal"}, TreeQuality.FULL, ["normal", "compressed"]),
        ({"normal", "compressed"}, TreeQuality.NONE, ["normal", "compressed"]),
    ],
)
def test_the_tree_is_had_by_the_first_way_that_gives_it(
    busy: set[str], quality: TreeQuality, asked: list[str]
) -> None:
    phone = ToyPhone(busy=busy)
    assert opened(phone).observe().screen.quality is quality
    dumps = ["compressed" if "--compressed" in w else "normal" for w in phone.log if w[0] == "uiautomator"]
    assert dumps == asked


def test_a_busy_screen_is_not_asked_again_for_a_while() -> None:
    phone = ToyPhone(busy={"normal", "compressed"})
    device = opened(phone)
    device.observe()
    phone.log.clear()
    look = device.observe(pixels=True)
    assert not [w for w in phone.log if w[0] == "uiautomator"]
    assert look.image
    assert look.screen.app == APP
    device.perform(Wait(21))
    phone.busy.clear()
    assert device.observe().screen.quality is TreeQuality.FULL


def test_the_way_that_worked_on_a_busy_screen_is_taken_at_once() -> None:
    phone = ToyPhone(busy={"normal"})
    device = opened(phone)
    device.observe()
    phone.log.clear()
    assert device.observe().screen.quality is TreeQuality.FULL
    assert [w for w in phone.log if w[0] == "uiautomator"] == [
        ["uiautomator", "dump", "--compressed", "/dev/tty"]
    ]
    assert not device.settles


def test_a_dump_that_hangs_is_a_busy_screen() -> None:
    assert opened(ToyPhone(hangs=True)).observe().screen.quality is TreeQuality.NONE


def test_a_helper_is_asked_where_the_phone_gives_no_tree() -> None:
    phone = ToyPhone(busy={"normal", "compressed"})
    device = opened(phone, helper=phone.tree)
    assert device.observe().screen.quality is TreeQuality.FULL


def test_a_helper_that_fails_leaves_the_picture() -> None:
    def failing() -> str:
        raise DeviceError("uiautomator2 is gone")

    device = opened(ToyPhone(busy={"normal", "compressed"}), helper=failing)
    look = device.observe(pixels=True)
    assert look.screen.quality is TreeQuality.NONE
    assert look.image


def test_a_phone_without_a_terminal_dumps_to_a_file_of_a_fresh_name() -> None:
    phone = ToyPhone(terminal=False)
    device = opened(phone)
    for _ in range(2):
        assert device.observe().screen.quality is TreeQuality.FULL
    paths = [w[-1] for w in phone.log if w[0] == "uiautomator" and w[-1] != "/dev/tty"]
    assert len(set(paths)) == 2
    assert not phone.files


def test_a_file_that_was_there_before_is_never_read() -> None:
    phone = ToyPhone(terminal=False, writes=False)
    stale = phone.tree().encode()
    phone.files = {f"/data/local/tmp/waypost-{os.getpid()}-{n}.xml": stale for n in range(9)}
    assert opened(phone).observe().screen.quality is TreeQuality.NONE


def test_another_holder_of_the_screen_is_named_as_the_cause() -> None:
    said = b"java.lang.IllegalStateException: UiAutomationService already registered!\n"
    phone = ToyPhone(printed={"uiautomator dump /dev/tty": said})
    with pytest.raises(DeviceError, match="doctor"):
        opened(phone).observe()


def test_where_the_focus_is_told_is_found_out_once() -> None:
    phone = ToyPhone(printed={"dumpsys window displays": b"  cur=1080x2400\n"})
    device = opened(phone)
    assert device.observe().screen.app == APP
    phone.log.clear()
    device.observe()
    assert ["dumpsys", "window", "displays"] not in phone.log


def test_a_phone_tells_what_it_is() -> None:
    device = opened(ToyPhone())
    assert str(device.profile) == "Toy, Android 14, 1080x2400, 420dpi"
    assert device.app_version(APP) == "1.4.2 (7)"
    assert device.name == f"adb:toy/{APP}"


def test_a_closed_device_stays_closed() -> None:
    device = opened(ToyPhone())
    device.close()
    with pytest.raises(DeviceError, match="closed"):
        device.observe()


# ---- over the wire -------------------------------------------------------------------------------
def test_a_phone_on_the_network_is_connected_to_where_it_is_named() -> None:
    phone = ToyPhone()
    with serving({}, {"127.0.0.1:5555": phone.execute}) as port:
        device = AndroidDevice(AdbShell("127.0.0.1:5555", host="127.0.0.1", port=port))
        assert device.observe().screen.app == APP


@pytest.mark.parametrize(("state", "cure"), [("unauthorized", "confirm"), ("offline", "reconnect")])
def test_a_phone_that_cannot_be_driven_says_why(state: str, cure: str) -> None:
    with (
        serving({"x": state}) as port,
        pytest.raises(DeviceError, match=cure),
    ):
        AndroidDevice(AdbShell("x", host="127.0.0.1", port=port)).observe()


def test_a_phone_that_is_not_there_is_told() -> None:
    with serving({}) as port, pytest.raises(DeviceError, match="no phone 'gone'"):
        AndroidDevice(AdbShell("gone", host="127.0.0.1", port=port)).observe()


def test_bytes_that_are_no_text_break_nothing_over_the_wire() -> None:
    phone = ToyPhone(printed={"dumpsys input_method": b"\xff\xfe mInputShown=true \x80"})
    with serving({"toy": phone.execute}) as port:
        assert AndroidDevice(AdbShell("toy", host="127.0.0.1", port=port)).observe().screen.keyboard


def test_looks_and_roles_come_through_whole() -> None:
    roles = [e.role for e in opened(ToyPhone()).observe().screen.visible()]
    assert roles == [Role.GROUP, Role.BUTTON, Role.FIELD, Role.FIELD]
    assert len(set(itertools.chain(roles))) == 3
