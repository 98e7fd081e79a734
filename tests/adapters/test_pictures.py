import io

import pytest
from PIL import Image

from waypost.adapters.pictures import annotated
from waypost.library.questions import Marks
from waypost.model import Bounds

GREEN, BLACK, WHITE = (0, 200, 60), (0, 0, 0), (255, 255, 255)


def _png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), WHITE).save(out, "PNG")
    return out.getvalue()


def _opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def test_a_tap_is_framed_in_green_and_what_is_inside_stays() -> None:
    image = _opened(annotated(_png(540, 1200), Marks((540, 1200), tap=Bounds(100, 200, 300, 400))))
    assert image.getpixel((100, 300)) == GREEN
    assert image.getpixel((200, 300)) == WHITE
    assert image.getpixel((50, 300)) == WHITE


def test_a_drag_is_an_arrow_with_its_head_at_the_end() -> None:
    image = _opened(annotated(_png(540, 1200), Marks((540, 1200), drag=((270, 900), (270, 300)))))
    assert image.getpixel((270, 600)) == GREEN
    assert image.getpixel((270 + 8, 320)) == GREEN
    assert image.getpixel((270 + 8, 880)) == WHITE


def test_what_is_private_is_black_through_and_through() -> None:
    marks = Marks((540, 1200), tap=Bounds(0, 0, 540, 100), private=(Bounds(100, 200, 300, 260),))
    image = _opened(annotated(_png(540, 1200), marks))
    assert {image.getpixel((x, y)) for x in range(100, 300, 7) for y in range(200, 260, 7)} == {BLACK}


def test_marks_are_placed_by_the_screens_size_and_large_pictures_shrink() -> None:
    image = _opened(annotated(_png(1080, 2400), Marks((2160, 4800), private=(Bounds(0, 0, 2160, 2400),))))
    assert max(image.size) == 1280
    assert image.getpixel((300, 600)) == BLACK
    assert image.getpixel((300, 700)) == WHITE


@pytest.mark.parametrize("broken", [b"", b"no picture", _png(50, 50)[:60]])
def test_a_picture_that_cannot_be_read_is_an_error_and_never_passed_on(broken: bytes) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        annotated(broken, Marks((540, 1200)))
