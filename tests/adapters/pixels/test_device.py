"""A device seen through its pictures: what is read when, what is kept, what stays the device's own."""

import pytest

from tests.adapters.pixels.finders import Told, line
from tests.conformance.device import DeviceSuite
from waypost.adapters.discreet import Discreet
from waypost.adapters.pixels import Pictured, opaque
from waypost.adapters.pocket import Faults, PocketDevice
from waypost.model import Bounds, Element, ImageStatus, Role, Screen, TreeQuality, Wait
from waypost.protocols import Device

PAGE = (line("Alarms", 180, 132, 68), line("Backup", 184, 1216, 60), line("ann@example.org", 184, 1432, 60))


def blind(*, black: float = 0.0) -> PocketDevice:
    return PocketDevice("clock", faults=Faults(no_tree=1.0, black=black))


class TestADeviceWithoutATree(DeviceSuite):
    @pytest.fixture
    def device(self) -> Device:
        return Pictured(blind(), Told(*PAGE))


def test_a_screen_with_a_tree_is_left_as_it_is() -> None:
    finder = Told(*PAGE)
    inner = PocketDevice("clock")
    inner.perform(Wait(3.0))  # Past its splash.
    assert Pictured(inner, finder).observe().screen == inner.observe().screen
    assert finder.asked == 0


def test_a_screen_without_a_tree_holds_what_is_seen_and_says_who_has_seen_it() -> None:
    screen = Pictured(blind(), Told(*PAGE)).observe().screen
    assert screen.quality is TreeQuality.FULL
    assert {e.label for e in screen.visible() if e.label} == {e.label for e in PAGE}
    assert {e.class_name for e in screen.walk()} == {"told"}


def test_one_picture_is_read_once() -> None:
    finder = Told(*PAGE)
    device = Pictured(blind(), finder)
    device.perform(Wait(3.0))
    first, again = device.observe(), device.observe()
    assert finder.asked == 1
    assert first.screen == again.screen


def test_a_box_that_sways_by_a_pixel_stays_where_it_was() -> None:
    finder = Told(*PAGE)
    device = Pictured(blind(), finder)
    before = device.observe()
    finder.elements = tuple(line(e.text, e.bounds.left + 3, e.bounds.top - 2, e.bounds.height) for e in PAGE)
    device.perform(Wait(120.0))  # The clock on the screen goes on: another picture.
    assert device.observe().screen == before.screen
    assert finder.asked == 2


def test_a_black_picture_and_one_that_shows_nothing_leave_the_look_without_a_tree() -> None:
    for device, finder in ((blind(black=1.0), Told(*PAGE)), (blind(), Told())):
        assert Pictured(device, finder).observe().screen.quality is TreeQuality.NONE
    seen = Pictured(blind(black=1.0), Told(*PAGE)).observe(pixels=True)
    assert seen.image_status is ImageStatus.SECURE


def test_the_clock_of_the_status_bar_is_no_part_of_the_app() -> None:
    screen = Pictured(blind(), Told(line("08:00", 52, 14, 52, 120), *PAGE)).observe().screen
    assert "08:00" not in {e.label for e in screen.walk()}


def test_what_is_read_is_private_as_what_a_tree_tells() -> None:
    screen = Discreet.over(Pictured(blind(), Told(*PAGE))).observe().screen
    assert "[e-mail]" in {e.label for e in screen.walk()}


def test_only_a_part_that_draws_by_itself_is_read_and_the_rest_stays() -> None:
    size = (1080, 2400)
    bar = Element(Role.TEXT, text="Map of the town", bounds=Bounds(0, 0, 1080, 200))
    canvas = Element(Role.IMAGE, "android.view.SurfaceView", bounds=Bounds(0, 200, 1080, 2400))
    photo = Element(Role.IMAGE, "android.widget.ImageView", bounds=Bounds(0, 200, 1080, 2400))
    whole = Bounds(0, 0, *size)
    assert opaque(Screen(Element(bounds=whole, children=(bar, canvas)), size=size)) == (canvas.bounds,)
    assert opaque(Screen(Element(bounds=whole, children=(bar, photo)), size=size)) == ()
    told = Element(Role.BUTTON, text="Pay", bounds=Bounds(400, 900, 700, 1000), clickable=True)
    assert opaque(Screen(Element(bounds=whole, children=(bar, canvas, told)), size=size)) == ()
