"""Where a control that is not in view is looked for first."""

from waypost.actors.scrolling import Scrolling
from waypost.model import Bounds, Element, Evidence, Role, Screen, Swipe

SHOWN = Element(Role.LINK, text="Home", clickable=True, bounds=Bounds(0, 2200, 500, 2400))
BELOW = Element(Role.LINK, text="Help", clickable=True, visible=False)
BAR = Element(Role.NAVIGATION, bounds=Bounds(0, 2200, 1080, 2400), children=(SHOWN, BELOW))
ROWS = Element(Role.LIST, scrollable=True, bounds=Bounds(0, 200, 1080, 2100))
LOOK = Screen(Element(bounds=Bounds(0, 0, 1080, 2400), children=(ROWS, BAR)))


def _starts_in(drag: Swipe | None, box: Bounds) -> bool:
    return drag is not None and drag.start is not None and box.contains(*drag.start)


def test_an_entry_of_a_bar_is_looked_for_by_pulling_the_bar_up() -> None:
    drag = Scrolling(Evidence(Role.LINK, "Help", ancestors=("navigation",))).next(LOOK)
    assert _starts_in(drag, BAR.bounds)


def test_a_row_is_looked_for_in_its_list_and_at_last_in_the_bar() -> None:
    search = Scrolling(Evidence(Role.ITEM, "Ann", ancestors=("list",)), limit=2)
    drags = []
    while (drag := search.next(LOOK)) is not None:
        drags.append(drag)
    assert _starts_in(drags[0], ROWS.bounds)
    assert _starts_in(drags[-1], BAR.bounds)
