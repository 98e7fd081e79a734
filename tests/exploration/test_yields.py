"""What an app's controls brought so far decides what is tried next."""

from hypothesis import given
from hypothesis import strategies as st

from tests.exploration.test_explore import Ticks
from tests.exploration.toy import APP, Toy
from waypost.exploration import ExploreConfig, explore
from waypost.exploration.ledger import Ledger
from waypost.exploration.yields import Yields
from waypost.mapping.mapper import Mapper
from waypost.model import Action, AppGraph, Evidence, ExploreStop, Role, Tap

BUTTON = Tap((1, 1), Evidence(Role.BUTTON, "Save"))
ROW = Tap((1, 1), Evidence(Role.ITEM, "Jazz", template="list|item"))
NAMES = "Ash Birch Cedar Elm Fir Hazel".split()  # noqa: SIM905
KNOBS = "Red Green Blue Loud Soft Fast Slow".split()  # noqa: SIM905


def menus() -> Toy:
    """Return a list of lists, whose entries show a page of buttons each that do nothing."""
    entries = {name: [f"{name} {n}" for n in "one two three four five six".split()] for name in NAMES}  # noqa: SIM905
    pages = {
        "Home": {name: name for name in NAMES},
        **{name: {e: e for e in under} for name, under in entries.items()},
        **{e: dict.fromkeys((f"{e} {k}" for k in KNOBS), "") for under in entries.values() for e in under},
    }
    return Toy(pages, {"Home": NAMES, **entries})


def walked(toy: Toy, actions: int) -> Mapper:
    mapper = Mapper(AppGraph(APP))
    explore(toy, mapper, ExploreConfig(actions=actions), clock=Ticks())
    return mapper


def role(action: Action) -> Role | None:
    target = getattr(action, "target", None)
    return target.role if target is not None else None


def test_rows_that_led_to_pages_go_before_buttons_that_led_nowhere() -> None:
    pages = sum(1 for _ in walked(menus(), 80).graph.pages())
    assert pages >= 30, f"{pages} of 43 pages; 22 where all that is near goes first"


def test_nothing_is_left_out_for_it() -> None:
    toy = menus()
    mapper = Mapper(AppGraph(APP))
    assert explore(toy, mapper, ExploreConfig(), clock=Ticks()) is ExploreStop.COMPLETE
    assert sum(1 for _ in mapper.graph.pages()) == 43


def test_an_exploration_that_is_taken_up_again_knows_what_brought_something() -> None:
    mapper = walked(menus(), 80)
    odds = {role(t.action): Ledger(mapper).yields.odds(t.action) for t in mapper.graph.transitions.values()}
    assert odds[Role.ITEM] > 0.9
    assert odds[Role.BUTTON] < 0.5


def test_what_was_never_tried_is_hoped_for() -> None:
    assert Yields().odds(BUTTON) == 1.0


def test_rows_and_buttons_are_judged_apart() -> None:
    yields = Yields()
    for _ in range(6):
        yields.tried(BUTTON, paid=False)
        yields.tried(ROW, paid=True)
    assert yields.odds(BUTTON) < 0.5
    assert yields.odds(ROW) == 1.0


@given(st.lists(st.booleans(), max_size=60))
def test_odds_stay_above_zero_and_each_try_moves_them_its_way(tries: list[bool]) -> None:
    yields = Yields()
    for paid in tries:
        before = yields.odds(BUTTON)
        yields.tried(BUTTON, paid=paid)
        after = yields.odds(BUTTON)
        assert 0 < after <= 1
        assert after >= before if paid else after < before
