"""Waiting for a screen: what is still loading, and that nothing stalls it for ever."""

from collections.abc import Sequence

import pytest

from waypost.mapping.settle import LAUNCH, Blanks, loading, settled
from waypost.model import Action, Bounds, Element, Observation, Role, Screen, TreeQuality, Wait

WHOLE = Bounds(0, 0, 1080, 2400)
SPINNER = Element(Role.PROGRESS, bounds=Bounds(500, 1100, 580, 1180))


def rows(count: int, *, text: str = "Row") -> tuple[Element, ...]:
    return tuple(
        Element(
            Role.ITEM,
            text=f"{text} {n}",
            clickable=True,
            bounds=Bounds(0, 400 + 120 * n, 1080, 500 + 120 * n),
        )
        for n in range(count)
    )


def screen(*parts: Element, quality: TreeQuality = TreeQuality.FULL) -> Screen:
    return Screen(Element(bounds=WHOLE, children=parts), app="org.example", quality=quality)


class Reel:
    """A device that shows the given screens one after the other, a look each, and stays at the last."""

    name = "reel"

    def __init__(self, screens: Sequence[Screen]) -> None:
        self.screens, self.looks, self.waits = screens, 0, 0

    def observe(self, *, pixels: bool = False) -> Observation:
        shown = self.screens[min(self.looks, len(self.screens) - 1)]
        self.looks += 1
        return Observation(shown, b"png" if pixels else b"", seen_at=float(self.looks))

    def perform(self, action: Action) -> None:
        assert isinstance(action, Wait)
        self.waits += 1

    def restart(self, app: str = "") -> None:
        pass

    def close(self) -> None:
        pass


def test_a_spinner_alone_is_loading() -> None:
    assert loading(screen(SPINNER))


def test_an_empty_tree_is_loading() -> None:
    assert loading(screen())


@pytest.mark.parametrize("text", ["Loading…", "Please wait", "加载中...", "Wird geladen", "Chargement",
                                  "Cargando…", "読み込み中", "Загрузка", "불러오는 중"])  # fmt: skip
def test_a_page_that_says_wait_is_loading(text: str) -> None:
    assert loading(screen(Element(Role.TEXT, text=text, bounds=Bounds(300, 1200, 800, 1280))))


def test_grey_bars_where_rows_will_be_are_loading() -> None:
    bones = tuple(
        Element(class_name="skeleton-row", bounds=Bounds(0, 400 + 200 * n, 1080, 500 + 200 * n))
        for n in range(5)
    )
    assert loading(screen(*bones))


def test_a_progress_bar_within_a_full_page_is_not() -> None:
    assert not loading(screen(*rows(8), SPINNER))


def test_a_full_page_that_speaks_of_loading_is_not() -> None:
    assert not loading(screen(*rows(8, text="Loading bay")))


def test_two_looks_that_agree_are_enough() -> None:
    reel = Reel([screen(*rows(3))])
    settled(reel)
    assert reel.looks == 2


def test_a_clock_does_not_stall_it() -> None:
    reel = Reel([screen(*rows(5, text=f"12:0{n}")) for n in range(9)])
    settled(reel)
    assert reel.looks == 2


def test_it_waits_until_the_page_has_come() -> None:
    reel = Reel([screen(SPINNER)] * 4 + [screen(*rows(6))])
    assert len(settled(reel).screen.root.children) == 6


def test_a_page_that_never_holds_still_is_given_up_on() -> None:
    reel = Reel([screen(*rows(n % 7 + 1)) for n in range(50)])
    settled(reel, patience=6)
    assert reel.looks == 6


def test_a_page_that_never_loads_is_given_up_on() -> None:
    reel = Reel([screen(SPINNER)])
    settled(reel, patience=5)
    assert reel.looks == 5


def test_a_splash_that_offers_nothing_is_waited_out() -> None:
    logo = Element(Role.TEXT, text="Welcome", bounds=Bounds(300, 1100, 800, 1200))
    reel = Reel([screen(logo)] * 4 + [screen(*rows(6))])
    assert len(settled(reel).screen.root.children) == 6


def test_a_look_without_a_tree_is_tried_again() -> None:
    reel = Reel([screen(quality=TreeQuality.NONE), screen(*rows(6))])
    assert settled(reel).screen.quality is TreeQuality.FULL


def test_a_device_that_settles_by_itself_is_believed() -> None:
    reel = Reel([screen(*rows(3))])
    reel.settles = True  # type: ignore[attr-defined]
    settled(reel)
    assert reel.looks == 1


def test_pixels_are_taken_once_it_is_still() -> None:
    assert settled(Reel([screen(*rows(3))]), pixels=True).image == b"png"


LOGO = Element(Role.TEXT, text="Welcome", bounds=Bounds(300, 1100, 800, 1200))


def test_pages_that_never_offer_anything_are_waited_for_less_and_less() -> None:
    blanks, looks = Blanks(), []
    for _ in range(8):
        reel = Reel([screen(LOGO)])
        settled(reel, blanks=blanks)
        looks.append(reel.looks)
    assert looks == [8, 7, 6, 5, 4, 3, 3, 3]


def test_a_page_that_came_late_once_is_waited_for_as_long_again() -> None:
    blanks = Blanks(vain=20, longest=0)
    settled(Reel([screen(LOGO)] * 3 + [screen(*rows(6))]), blanks=blanks, patience=LAUNCH)
    assert (
        len(settled(Reel([screen(LOGO)] * 2 + [screen(*rows(6))]), blanks=blanks).screen.root.children) == 6
    )
    vain = blanks.vain
    assert (
        len(settled(Reel([screen(LOGO)] * 3 + [screen(*rows(6))]), blanks=blanks).screen.root.children) == 6
    )
    assert (blanks.vain, blanks.longest) == (vain, 3)
