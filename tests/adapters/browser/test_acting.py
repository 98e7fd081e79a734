"""What the browser device does: gestures, dialogs, history and the fence, in Chromium."""

import pytest

from tests.adapters.browser.conftest import Opened
from tests.adapters.browser.reading import labels, tap, thing
from waypost.adapters.browser import BrowserDevice
from waypost.errors import DeviceError
from waypost.model import Direction, Launch, LongPress, Press, Role, Swipe, Tap, TypeText, Wait

pytestmark = pytest.mark.chromium


def test_a_route_that_is_drawn_late_is_waited_for(opened: Opened) -> None:
    assert labels(tap(opened("spa.html"), "Late route")) == {"Came late"}


def test_data_that_are_being_fetched_are_waited_for(opened: Opened) -> None:
    assert labels(tap(opened("spa.html"), "Route with data")) == {"Data came"}


def test_a_page_that_never_rests_is_left_after_a_while_and_remembered(opened: Opened) -> None:
    device = opened("spa.html")
    screen = tap(device, "Busy route")
    assert "Never quiet" in labels(screen)
    assert any(e.role is Role.PROGRESS for e in screen.visible())
    device.perform(Tap(thing(screen, "Never quiet").bounds.center))
    session = device._session
    assert session is not None
    assert any(session.restless.values())
    assert session.last_wait == ""


def test_a_slow_page_is_waited_for(opened: Opened) -> None:
    assert tap(opened("index.html"), "Slow page").title == "Second"


@pytest.mark.parametrize("label", ["Partner site", "Write to us", "Leads outside"])
def test_what_leads_outside_leaves_the_page_as_it_is(opened: Opened, label: str) -> None:
    device = opened("index.html")
    screen = tap(device, label)
    assert (screen.title, screen.activity) == ("Harbour", "/index.html")
    assert any("elsewhere.invalid" in url for url in device.fenced)


def test_parts_from_outside_are_not_loaded(opened: Opened) -> None:
    assert "http://elsewhere.invalid/pixel.png" in opened("index.html").fenced


def test_a_new_tab_of_the_app_is_followed(opened: Opened) -> None:
    device = opened("index.html")
    tap(device, "In a new tab")
    for _ in range(20):
        if device.observe().screen.title == "Second":
            break
        device.perform(Wait(0.1))
    assert device.observe().screen.title == "Second"


def test_a_new_tab_of_another_host_is_not_opened(opened: Opened) -> None:
    device = opened("two.html")
    assert tap(device, "Open an ad").title == "Second"
    assert "http://elsewhere.invalid/ad" in device.fenced


def test_back_follows_the_history_and_leaves_the_app_at_its_root(opened: Opened) -> None:
    device = opened("index.html")
    tap(device, "Second page")
    assert tap(device, "Go deeper").activity == "/two.html#third"
    seen = []
    for _ in range(4):
        device.perform(Press("back"))
        screen = device.observe().screen
        seen.append((screen.app, screen.activity))
    site = seen[0][0]
    assert seen == [(site, "/two.html"), (site, "/index.html"), ("about:blank", ""), ("about:blank", "")]
    device.restart()
    assert device.observe().screen.title == "Harbour"


def test_home_leaves_the_app_and_launch_comes_back(opened: Opened, site: str) -> None:
    device = opened("index.html")
    device.perform(Press("home"))
    assert device.observe().screen.app == "home"
    device.perform(Tap((500, 500)))
    assert device.observe().screen.app == "home"
    device.perform(Launch(site))
    assert device.observe().screen.title == "Harbour"


@pytest.mark.parametrize(
    ("button", "answer", "title"),
    [
        ("Confirm", "OK", "Confirmed true"),
        ("Confirm", "Cancel", "Confirmed false"),
        ("Alert", "OK", "Alerted"),
        ("Prompt", "OK", "Named Ada"),
        ("Prompt", "Cancel", "Named null"),
        ("Early", "OK", "Early true"),
        ("Late", "OK", "Late true"),
    ],
)
def test_a_dialog_of_the_browser_is_seen_and_answered(
    opened: Opened, button: str, answer: str, title: str
) -> None:
    device = opened("dialogs.html")
    screen = tap(device, button)
    assert screen.overlay == "javascript"
    assert next(e for e in screen.visible() if e.role is Role.DIALOG)
    assert "Hold me" not in labels(screen)
    assert tap(device, answer).title == title


def test_a_prompt_takes_text(opened: Opened) -> None:
    device = opened("dialogs.html")
    tap(device, "Prompt")
    device.perform(TypeText("Grace", thing(device.observe().screen, "Ada").bounds.center))
    assert tap(device, "OK").title == "Named Grace"


def test_a_dialog_is_dismissed_by_back_and_by_a_restart(opened: Opened) -> None:
    device = opened("dialogs.html")
    tap(device, "Confirm")
    device.perform(Press("back"))
    assert device.observe().screen.title == "Confirmed false"
    tap(device, "Confirm")
    device.restart()
    assert device.observe().screen.overlay == ""


def test_a_page_that_asks_to_stay_does_not_stop_a_restart(opened: Opened) -> None:
    device = opened("dialogs.html#stay")
    tap(device, "Hold me")
    device.restart()
    assert device.observe().screen.title == "Harbour"


def test_a_native_list_of_choices_is_a_menu(opened: Opened) -> None:
    device = opened("dialogs.html")
    picker = next(e for e in device.observe().screen.visible() if e.role is Role.PICKER)
    assert (picker.text, picker.description) == ("Red", "Colour Red Green Blue") or picker.text == "Red"
    device.perform(Tap(picker.bounds.center))
    screen = device.observe().screen
    assert {"Red", "Green", "Blue"} <= labels(screen)
    assert screen.overlay == ""
    assert tap(device, "Green").title == "Chose Green"


def test_file_choosers_and_downloads_do_not_hold_the_page(opened: Opened) -> None:
    device = opened("dialogs.html")
    tap(device, "Upload")
    assert "Upload" in labels(tap(device, "Download"))
    assert any("file chooser" in n for n in device.notes)


def test_a_long_press_asks_for_the_context_menu(opened: Opened) -> None:
    device = opened("dialogs.html")
    target = thing(device.observe().screen, "Hold me")
    assert target.long_clickable
    device.perform(LongPress(target.bounds.center))
    assert device.observe().screen.title == "Held"


def test_a_real_drag_scrolls_the_page_and_each_list(opened: Opened) -> None:
    device = opened("list.html")
    for _ in range(2):
        device.perform(Swipe(Direction.UP, start=(540, 2300), end=(540, 1300)))
    assert "Row 0" not in labels(device.observe().screen)
    for _ in range(2):
        device.perform(Swipe(Direction.DOWN, start=(540, 1000), end=(540, 2300)))
    assert "Inner 0" in labels(device.observe().screen)
    device.perform(Swipe(Direction.UP, start=(540, 1000), end=(540, 400)))
    screen = device.observe().screen
    assert "Inner 0" not in labels(screen)
    assert "Tile 0" in labels(screen)
    device.perform(Swipe(Direction.LEFT, start=(900, 100), end=(200, 100)))
    assert "Tile 0" not in labels(device.observe().screen)


def test_a_point_off_the_screen_is_refused(browser: BrowserDevice) -> None:
    with pytest.raises(DeviceError, match="off the screen"):
        browser.perform(Tap((5000, 10)))
