from waypost.exploration.variants import LAUNCH, Variants
from waypost.model import NodeId

PAGE, OTHER = NodeId("n1"), NodeId("n2")


def test_the_way_to_a_deep_menu_is_taken_from_the_top() -> None:
    known = Variants()
    known.launched(PAGE, ["views", "app"])
    known.tapped(PAGE, "views", ["views", "app"], ["lists", "tabs"])
    known.tapped(PAGE, "lists", ["lists", "tabs"], ["cheese"])
    assert known.toward(PAGE, "cheese", {"views", "app"}) == "views"
    assert known.toward(PAGE, "cheese", {"lists", "tabs"}) == "lists"
    assert known.toward(PAGE, "cheese", {"elsewhere"}) == LAUNCH


def test_what_stays_in_view_was_not_brought_by_the_tap() -> None:
    known = Variants()
    known.tapped(PAGE, "toggle", ["toggle", "save"], ["toggle", "save"])
    assert known.toward(PAGE, "save", {"toggle"}) is None


def test_pages_have_ways_of_their_own() -> None:
    known = Variants()
    known.tapped(PAGE, "views", ["views"], ["lists"])
    assert known.toward(OTHER, "lists", {"views"}) is None


def test_taps_that_bring_each_other_out_end_nowhere() -> None:
    known = Variants()
    known.tapped(PAGE, "more", ["more"], ["less"])
    known.tapped(PAGE, "less", ["less"], ["more"])
    assert known.toward(PAGE, "more", {"elsewhere"}) is None
