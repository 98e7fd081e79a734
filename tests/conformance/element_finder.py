"""What every `ElementFinder` must do. Subclass, and give the fixture `finder`: it sees a title and two rows.

The picture that it is shown is `PAGE`; a finder that cannot read is scripted to see what stands there.
"""

import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from waypost.protocols import ElementFinder

__all__ = ["LINES", "PAGE", "SIZE", "ElementFinderSuite", "drawn"]

SIZE = (1080, 1200)
"""Size of the screen; its picture is half as large."""
LINES = {"Accounts": (40, 60), "Savings book": (40, 260), "Joint account": (40, 400)}
"""What stands on the picture, and where it begins, in pixels of the screen."""


def drawn(lines: dict[str, tuple[int, int]], form: str = "PNG") -> bytes:
    image = Image.new("RGB", (SIZE[0] // 2, SIZE[1] // 2), "white")
    for text, (left, top) in lines.items():
        ImageDraw.Draw(image).text((left // 2, top // 2), text, "black", ImageFont.load_default(30))
    out = io.BytesIO()
    image.save(out, form)
    return out.getvalue()


PAGE = drawn(LINES)


class ElementFinderSuite:
    def test_what_is_drawn_is_found_where_it_stands(self, finder: ElementFinder) -> None:
        found = {e.label: e.bounds for e in finder.find(PAGE, SIZE)}
        assert set(LINES) <= set(found)
        for text, (left, top) in LINES.items():
            box = found[text]
            assert box.contains(left + 60, top + 36)
            assert box.height < 140

    def test_everything_lies_on_the_screen_and_bears_the_finders_name(self, finder: ElementFinder) -> None:
        for element in finder.find(PAGE, SIZE):
            box = element.bounds
            assert element.class_name in finder.id.split("+")
            assert 0 <= box.left < box.right <= SIZE[0]
            assert 0 <= box.top < box.bottom <= SIZE[1]
            assert not element.children

    def test_equal_pictures_give_equal_elements(self, finder: ElementFinder) -> None:
        assert finder.find(PAGE, SIZE) == finder.find(PAGE, SIZE)

    def test_what_is_no_picture_is_refused(self, finder: ElementFinder) -> None:
        for broken in (b"", b"no picture", PAGE[:60]):
            with pytest.raises(ValueError, match="picture"):
                finder.find(broken, SIZE)

    def test_the_id_names_it(self, finder: ElementFinder) -> None:
        assert finder.id
        assert finder.id == finder.id.strip()
