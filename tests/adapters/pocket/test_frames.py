"""What was laid out once is shown again, by its own phone and by its twins."""

from itertools import pairwise

from waypost.adapters.pocket import Frames, PocketDevice
from waypost.adapters.pocket.load import parse
from waypost.adapters.pocket.spec import Spec
from waypost.model import Direction, Screen, Swipe

MOVES = """
app: moves
package: com.test.moves
start: home
data:
  rows: {count: 40, fields: {name: "Row {n}"}}
  few: {count: 3, fields: {name: [Ann, Bob, Cem]}}
pages:
  home:
    title: "News {looks % 2}"
    body:
      - {list: few, rotate: looks, as: {row: "{row.name}"}}
  count:
    body: [{text: "{looks}"}]
  long:
    body:
      - {list: rows, as: {row: "{row.name}"}}
"""


def spec(start: str = "home") -> Spec:
    return parse(MOVES.replace("start: home", f"start: {start}"), "moves.yaml")


def looks(device: PocketDevice, times: int) -> list[Screen]:
    return [device.observe().screen for _ in range(times)]


def test_what_the_clock_shows_again_is_not_laid_out_again() -> None:
    seen = looks(PocketDevice("moves", specs=[spec()]), 18)
    assert len({id(s) for s in seen}) == 6  # Two titles, three orders.
    assert all(a is b for a, b in zip(seen, seen[6:], strict=False))


def test_every_look_at_what_never_repeats_is_another() -> None:
    seen = looks(PocketDevice("moves", specs=[spec("count")]), 9)
    assert all(a != b for a, b in pairwise(seen))


def test_twins_share_what_was_laid_out_and_not_where_it_was_scrolled_to() -> None:
    app, frames = spec("long"), Frames()
    one, other = (PocketDevice("moves", specs=[app], frames=frames) for _ in range(2))
    alone = PocketDevice("moves", specs=[app])
    first = one.observe().screen
    assert other.observe().screen is first
    for _ in range(12):  # Further than there are rows.
        for device in (one, alone):
            device.perform(Swipe(Direction.UP))
            device.observe()
    assert one.observe().screen == alone.observe().screen != first
    assert other.observe().screen is first
    for device in (other, alone, one):
        device.perform(Swipe(Direction.DOWN))
        device.observe()
    assert one.observe().screen == alone.observe().screen
