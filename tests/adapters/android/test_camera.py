import io

import pytest
from PIL import Image

from tests.adapters.android.test_device import opened
from tests.adapters.android.toy import ToyPhone
from waypost.adapters.android.camera import picture
from waypost.model import ImageStatus


def _png(color: tuple[int, int, int] = (200, 0, 0), size: tuple[int, int] = (108, 240)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, color).save(out, "PNG")
    return out.getvalue()


def test_warnings_around_a_picture_are_cut_off() -> None:
    image = _png()
    assert picture(b"WARNING: linker\n" + image + b"\nbye") == (image, "WARNING: linker")
    assert picture(b"screencap: not found") == (b"", "screencap: not found")
    assert picture(image[:-4])[0] == b""


def test_a_picture_is_shown() -> None:
    look = opened(ToyPhone(shot=lambda: b"noise\n" + _png())).observe(pixels=True)
    assert (look.image_status, look.image) == (ImageStatus.SHOWN, _png())


@pytest.mark.parametrize(
    "raw", [b"", b"Killed", _png()[:40], b"\x89PNG\r\n\x1a\n" + b"x" * 50 + b"IEND\xaeB`\x82"]
)
def test_what_is_no_whole_picture_has_failed_and_is_never_made_up(raw: bytes) -> None:
    look = opened(ToyPhone(shot=lambda: raw)).observe(pixels=True)
    assert (look.image_status, look.image) == (ImageStatus.FAILED, b"")


@pytest.mark.parametrize("raw", [b"", _png((0, 0, 0))])
def test_a_window_that_forbids_pictures_is_secure_and_keeps_its_tree(raw: bytes) -> None:
    look = opened(ToyPhone(secure=True, shot=lambda: raw)).observe(pixels=True)
    assert (look.image_status, look.image) == (ImageStatus.SECURE, b"")
    assert [e.text for e in look.screen.visible() if e.text] == ["Settings"]


def test_a_window_forbids_pictures_by_number_on_older_phones() -> None:
    said = b"Window #1 Window{1f2 u0 x}:\n  mAttrs=WM.LayoutParams{ty=1 fl=#81812100}\n"
    phone = ToyPhone(shot=lambda: _png((0, 0, 0)))
    device = opened(phone)
    device.observe()
    phone.printed = {"dumpsys window windows": said}
    assert device.observe(pixels=True).image_status is ImageStatus.SECURE


def test_black_where_the_tree_shows_words_is_blanked_by_the_system() -> None:
    look = opened(ToyPhone(shot=lambda: _png((0, 0, 0)))).observe(pixels=True)
    assert look.image_status is ImageStatus.SECURE


def test_a_black_page_without_a_word_is_a_black_page() -> None:
    phone = ToyPhone(shot=lambda: _png((0, 0, 0)), busy={"normal", "compressed"})
    assert opened(phone).observe(pixels=True).image_status is ImageStatus.SHOWN


@pytest.mark.parametrize(
    "said", [b"[Warning] Multiple displays were found, but no display id was specified!\n", b""]
)
def test_on_a_foldable_the_display_that_is_on_is_taken(said: bytes) -> None:
    displays = (
        b'DisplayDeviceInfo{"in": uniqueId="local:11", 1840 x 2208, state OFF}\n'
        b'DisplayDeviceInfo{"out": uniqueId="local:22", 1080 x 2092, state ON}\n'
    )
    closed = _png((0, 0, 0), (220, 210))
    phone = ToyPhone(
        printed={
            "dumpsys display": displays,
            "screencap -p": said + closed,
            "screencap -p -d 22": _png(),
        }
    )
    device = opened(phone)
    assert device.observe(pixels=True).image == _png()
    phone.log.clear()
    assert device.observe(pixels=True).image == _png()
    assert [w for w in phone.log if w[0] == "screencap"] == [["screencap", "-p", "-d", "22"]]
