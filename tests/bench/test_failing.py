"""A page of what was sorted wrongly: looks in, HTML out."""

import io

from PIL import Image

from tests.mapping.looks import screen, text
from waypost.bench.failing import Failure, failures_page
from waypost.bench.labelled import LabelledLook


def _png() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (4, 8)).save(out, "PNG")
    return out.getvalue()


def test_a_screenshot_is_shown_where_there_is_one_and_the_tree_is_drawn_elsewhere() -> None:
    seen = screen(text("Inbox", 300))
    looks = (LabelledLook("one", seen, "inbox", _png()), LabelledLook("two", seen, "inbox"))
    page = failures_page([("mail", [Failure("ours", "parted", 3, looks)])])
    assert page.count("data:image/webp;base64,") == 1
    assert page.count("<svg") == 1
    assert "ours: parted, 3 pairs" in page


def test_what_a_screen_says_is_text_on_the_page() -> None:
    look = LabelledLook("<b>", screen(text("<script>alert(1)</script>", 300)), None)
    page = failures_page([("<i>", [Failure("ours", "put on a page", 0, (look,))])])
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "&lt;i&gt;" in page
    assert "no page of the app" in page


def test_a_set_without_failures_says_so() -> None:
    assert "Nothing was sorted wrongly" in failures_page([("mail", [])])
