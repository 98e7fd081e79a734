"""Screens are drawn where the tree says that things are."""

import io

from PIL import Image

from tests.adapters.pocket.driving import find, phone, tap
from waypost.adapters.pocket import PocketDevice, apps
from waypost.adapters.pocket.glyphs import glyph
from waypost.adapters.pocket.icons import ICONS
from waypost.model import ImageStatus, Tap, TypeText


def _picture(device: PocketDevice) -> Image.Image:
    look = device.observe(pixels=True)
    assert look.image_status is ImageStatus.SHOWN
    return Image.open(io.BytesIO(look.image)).convert("RGB")


def _inked(picture: Image.Image, box: tuple[int, int, int, int]) -> bool:
    return len(picture.crop(box).getcolors(1_000_000) or []) > 1


def test_every_label_has_ink_where_it_stands() -> None:
    device = phone()
    picture = _picture(device)
    assert picture.size == (1080, 2400)
    for element in device.observe().screen.visible():
        if element.text:
            b = element.bounds
            assert _inked(picture, (b.left, b.top, b.right, b.bottom)), element.text


def test_layers_and_the_keyboard_change_the_picture() -> None:
    device = phone()
    plain = _picture(device)
    tap(device, "Open navigation drawer")
    drawer = _picture(device)
    assert plain.getpixel((1050, 1500)) != drawer.getpixel((1050, 1500))
    tap(device, "<", "Form")
    device.perform(Tap(find(device, "Your name").bounds.center))
    device.perform(TypeText("né 小明 ☂"))
    assert _inked(_picture(device), (0, 1600, 1080, 2300))
    tap(device, "<", "<")
    assert _inked(_picture(device), (60, 900, 1000, 1500))


def test_a_picture_is_the_same_for_the_same_state() -> None:
    assert phone().observe(pixels=True).image == phone().observe(pixels=True).image


def test_every_icon_is_drawn() -> None:
    unknown = glyph("no such icon", 48).tobytes()
    for name in ICONS:
        assert glyph(name, 48).getbbox() is not None
        assert glyph(name, 48).tobytes() != unknown, name


def test_the_launcher_and_the_start_of_every_app_can_be_seen() -> None:
    assert _picture(PocketDevice()).getpixel((10, 500)) != (0, 0, 0)
    for app in apps():
        device = PocketDevice(app)
        for _ in range(4):
            device.observe()
        assert device.observe(pixels=True).image_status in (ImageStatus.SHOWN, ImageStatus.SECURE)
