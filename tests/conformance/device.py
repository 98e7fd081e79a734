"""What every `Device` must do. Subclass, and give `device` as a fixture that starts on its first page."""

import pytest

from waypost.model import Capture, Finish, ImageStatus, Launch, Observation, Press, Swipe, TreeQuality, Wait
from waypost.protocols import Device

PNG = b"\x89PNG\r\n\x1a\n"


def signs(look: Observation) -> set[tuple[str, str, str]]:
    """Name what a look shows, but for texts, which may change by themselves."""
    return {(e.role, e.resource_id, e.class_name) for e in look.screen.visible()}


class DeviceSuite:
    def test_it_has_a_name(self, device: Device) -> None:
        assert device.name

    def test_two_looks_never_share_a_time(self, device: Device) -> None:
        times = [device.observe().seen_at for _ in range(3)]
        assert times == sorted(set(times))

    def test_a_look_without_pixels_has_none(self, device: Device) -> None:
        look = device.observe()
        assert look.image == b""
        assert look.image_status is ImageStatus.NOT_ASKED

    def test_a_look_with_pixels_is_a_png_or_says_why_not(self, device: Device) -> None:
        look = device.observe(pixels=True)
        if look.image_status is ImageStatus.SHOWN:
            assert look.image.startswith(PNG)
        else:
            assert look.image_status in (ImageStatus.SECURE, ImageStatus.FAILED)
            assert look.image == b""

    def test_the_first_page_has_a_tree_inside_the_screen(self, device: Device) -> None:
        screen = device.observe().screen
        assert screen.quality is not TreeQuality.NONE
        assert screen.app
        width, height = screen.size
        seen = list(screen.visible())
        assert seen
        for element in seen:
            box = element.bounds
            assert 0 <= box.left <= box.right <= width
            assert 0 <= box.top <= box.bottom <= height

    def test_a_claim_never_reaches_a_device(self, device: Device) -> None:
        with pytest.raises(ValueError, match="Finish"):
            device.perform(Finish())

    def test_restart_comes_back_to_the_same_page(self, device: Device) -> None:
        before = device.observe()
        device.perform(Press("back"))
        device.restart()
        after = device.observe()
        for _ in range(8):  # a splash may come first
            if signs(after) == signs(before):
                break
            device.perform(Wait(0.5))
            after = device.observe()
        assert after.screen.app == before.screen.app
        assert signs(after) & signs(before)

    def test_launching_the_app_that_is_in_front_keeps_it_there(self, device: Device) -> None:
        app = device.observe().screen.app
        device.perform(Launch(app))
        assert device.observe().screen.app == app

    def test_waiting_and_capturing_change_no_page(self, device: Device) -> None:
        before = device.observe()
        device.perform(Wait(0.1))
        device.perform(Capture())
        assert device.observe().screen.app == before.screen.app

    def test_a_swipe_over_nothing_to_scroll_does_no_harm(self, device: Device) -> None:
        app = device.observe().screen.app
        device.perform(Swipe())
        assert device.observe().screen.app == app

    def test_closing_twice_does_no_harm(self, device: Device) -> None:
        device.close()
        device.close()
