"""Flat lines become a page: titles, rows, tabs, dialogs, and nothing is lost on the way."""

import io

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from tests.adapters.pixels.finders import line
from waypost.adapters.pixels import arranged
from waypost.adapters.pixels.panels import panel
from waypost.model import Bounds, Element, Role

WHOLE = Bounds(0, 0, 1080, 2400)
LINES = st.lists(
    st.builds(
        line,
        st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12),
        st.integers(0, 800),
        st.integers(0, 2300),
        st.integers(20, 90),
    ),
    max_size=30,
)


@given(LINES, st.randoms(use_true_random=False))
def test_the_order_in_which_things_are_found_says_nothing(lines: list[Element], rng: object) -> None:
    # Two things of one place are in no order of their own.
    lines = list({(e.bounds.top, e.bounds.left): e for e in lines}.values())
    mixed = list(lines)
    rng.shuffle(mixed)  # type: ignore[attr-defined]
    assert arranged(tuple(lines), WHOLE) == arranged(tuple(mixed), WHOLE)


@given(LINES)
def test_every_text_is_on_the_page_once_but_for_signs_above_tabs(lines: list[Element]) -> None:
    page = arranged(tuple(lines), WHOLE)
    shown = sorted(e.text for part in page for e in part.walk() if e.text)
    if any(part.role is Role.NAVIGATION for part in page):
        assert set(shown) <= {e.text for e in lines}
    else:
        assert shown == sorted(e.text for e in lines)


def test_a_title_with_its_summary_is_one_row_and_a_date_beside_it_is_its() -> None:
    names = ("Ann", "Bob", "Cid", "Dora")
    lines = [
        part
        for i, name in enumerate(names)
        for part in (
            line(name, 200, 300 + 200 * i, 56),
            line("Says hello", 200, 368 + 200 * i, 48),
            line("09:12", 900, 300 + 200 * i, 40, 140),
        )
    ]
    (rows,) = arranged(tuple(lines), WHOLE)
    assert rows.role is Role.LIST
    assert [[e.text for e in row.children] for row in rows.children] == [
        [n, "Says hello", "09:12"] for n in names
    ]
    assert all(row.clickable and not any(e.clickable for e in row.children) for row in rows.children)


def test_two_columns_are_no_rows_of_one() -> None:
    lines = [line(f"{c} {r}", x, 400 + 200 * r, width=w) for r in range(4) for c, x, w in
             (("left", 60, 300), ("right", 600, 250 + 40 * r))]  # fmt: skip
    assert {e.role for e in arranged(tuple(lines), WHOLE)} == {Role.BUTTON}


def test_labels_side_by_side_at_the_bottom_are_tabs_and_the_badge_above_is_theirs() -> None:
    tabs = [line(t, x, 2270, 48, 120) for t, x in (("Home", 100), ("Search", 480), ("You", 860))]
    bar = arranged((line("Title", 60, 100, 60), *tabs, line("2", 200, 2180, 36, 30)), WHOLE)[-1]
    assert bar.role is Role.NAVIGATION
    assert [e.text for e in bar.children] == ["Home", "Search", "You"]


def test_what_has_no_words_is_called_by_its_place() -> None:
    icon = Element(Role.IMAGE, "told", bounds=Bounds(960, 2000, 1040, 2080))
    (named,) = arranged((icon,), WHOLE)
    assert (named.label, named.clickable) == ("icon at the bottom right", True)


def test_a_panel_in_the_shade_is_found_and_a_page_is_none() -> None:
    def picture(*boxes: tuple[tuple[int, int, int, int], str], ground: str) -> bytes:
        image = Image.new("RGB", (540, 1200), ground)
        for box, colour in boxes:
            ImageDraw.Draw(image).rectangle(box, fill=colour)
        out = io.BytesIO()
        image.save(out, "PNG")
        return out.getvalue()

    button = ((80, 600, 460, 660), "#ddbbbb")
    found = panel(picture(((40, 400, 499, 799), "white"), button, ground="#707070"), (1080, 2400))
    assert found is not None
    assert (
        abs(found.left - 80) + abs(found.top - 800) + abs(found.right - 1000) + abs(found.bottom - 1600) < 120
    )
    assert panel(picture(((0, 0, 540, 100), "#800000"), button, ground="white"), (1080, 2400)) is None
