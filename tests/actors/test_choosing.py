"""The row that a sentence names is taken, whichever row the map has learnt the way by."""

import pytest

from tests.actors.phone import Chart, Phone, charted
from waypost.actors import Follower
from waypost.actors.choosing import best_named
from waypost.guidance import silent
from waypost.model import Action, Episode, NodeId, StopReason, Tap, Task
from waypost.navigate import arrival, navigate
from waypost.planning import ShortestPath

NAMES = [f"{n} jar" for n in ("Apple", "Bread", "Cocoa", "Dates", "Egg", "Fig", "Grape", "Honey", "Ice")]
PAGES = {
    "Home": {**dict.fromkeys(NAMES, "Jar"), "Help": "Help"},
    "Jar": {"Notes": "Notes"},
    "Notes": {},
    "Help": {},
}
LISTS = {"Home": NAMES}


def _go(
    say: str, goal: str, *, known: list[str], shown: list[str] | None = None
) -> tuple[Episode, list[str]]:
    """Follow a map that has learnt only the `known` rows; return the run, and what was tapped."""
    pages = {**PAGES, "Home": {name: "Jar" for name in known}}
    chart: Chart = charted(pages, {"Home": known})
    phone = Phone(PAGES, {"Home": shown or NAMES})
    node = NodeId(goal)
    follower = Follower(chart, ShortestPath(), node)
    episode = navigate(Task("t", "app", say), phone, follower, silent, verify=arrival(chart, node))
    taps = [s.decision.action for s in episode.steps]
    return episode, [_label(a) for a in taps if isinstance(a, Tap)]


def _label(action: Action) -> str:
    target = getattr(action, "target", None)
    return target.label if target else ""


def test_a_row_that_was_never_tapped_is_taken_where_the_sentence_names_it() -> None:
    episode, taps = _go("the notes on the cocoa jar", "Notes", known=NAMES[:2])
    assert taps == ["Cocoa jar", "Notes"]
    assert episode.stop is StopReason.ARRIVED


def test_a_row_that_is_out_of_view_is_scrolled_to() -> None:
    episode, taps = _go("the notes on the honey jar", "Notes", known=NAMES)
    assert taps == ["Honey jar", "Notes"]
    assert episode.verified


def test_without_a_name_the_way_goes_as_it_was_learnt() -> None:
    _, taps = _go("the notes on some jar", "Notes", known=NAMES[:2])
    assert taps[0] in NAMES[:2]


def test_a_row_that_is_gone_is_given_up_for_the_one_that_is_known() -> None:
    episode, taps = _go("the notes on the honey jar", "Notes", known=NAMES, shown=NAMES[:5])
    assert taps == ["Apple jar", "Notes"]
    assert episode.stop is StopReason.ARRIVED


@pytest.mark.parametrize(
    ("say", "best"),
    [
        ("open the balance of food", "Balance of Food"),
        ("open the balance", None),
        ("food or gifts", None),
        ("my Bank of America account", None),
    ],
)
def test_only_what_tells_the_rows_apart_names_one(say: str, best: str | None) -> None:
    assert best_named(["Balance of Food", "Balance of Gifts"], say) == best
