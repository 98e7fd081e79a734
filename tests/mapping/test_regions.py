"""Regions of a screen that are no evidence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mapping.looks import button, listed, screen, text, toolbar
from waypost.mapping.regions import Region, pruned
from waypost.model import Screen

LOOK = screen(
    toolbar("Shop"),
    text("Sale ends tonight", 300, identifier="app:id/banner"),
    listed(["Tea", "Jam"], top=600),
)


def said(look: Screen) -> set[str]:
    return {e.label for e in look.walk() if e.label}


@pytest.mark.parametrize(
    ("region", "gone"),
    [
        ("#banner", {"Sale ends tonight"}),
        ("text#banner", {"Sale ends tonight"}),
        ("list", {"Tea", "Jam"}),
        ('item"Jam"', {"Jam"}),
        ('"Sale ends tonight"', {"Sale ends tonight"}),
        ("0%,10%,100%,20%", {"Sale ends tonight"}),
        ("0,260,1080,480", {"Sale ends tonight"}),
    ],
)
def test_what_a_region_names_is_left_out(region: str, gone: set[str]) -> None:
    left = pruned(LOOK, (Region.parse(region, LOOK.size),))
    assert said(LOOK) - said(left) == gone


def test_a_screen_without_the_region_stays_the_screen_it_is() -> None:
    assert pruned(LOOK, (Region.parse("#nowhere"),)) is LOOK


def test_a_box_never_takes_the_page_as_a_whole() -> None:
    inner = screen(button("Go", 900))
    outer = Screen(inner.root.__class__(bounds=inner.root.bounds, children=(inner.root,)), app=inner.app)
    assert said(pruned(outer, (Region.parse("0%,40%,100%,60%"),))) == set()
    assert len(list(pruned(outer, (Region.parse("0%,40%,100%,60%"),)).walk())) == 2


@pytest.mark.parametrize(
    "wrong", ["", "  ", "colour", "colour#x", "1,2,3", "10,10,5,20", "0%,0%,200%,10%", "0%,0,10%,5", "a b c"]
)
def test_what_is_no_region_is_refused_with_what_would_do(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"region|role|box|mixes"):
        Region.parse(wrong, (1080, 2400))


def test_pixels_need_a_screen() -> None:
    with pytest.raises(ValueError, match="mixes pixels"):
        Region.parse("0,10,20,30")


@given(st.tuples(*[st.integers(0, 1000)] * 4))
def test_a_box_is_written_as_it_is_read(edges: tuple[int, int, int, int]) -> None:
    left, right = sorted(edges[:2])
    top, bottom = sorted(edges[2:])
    if left < right and top < bottom:
        region = Region(box=(left / 1000, top / 1000, right / 1000, bottom / 1000))
        assert str(Region.parse(str(region))) == str(region)
