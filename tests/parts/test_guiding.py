"""An agent with a loop of its own asks the way: its own dump of the screen in, text for its prompt out."""

from pathlib import Path

import pytest

import waypost
from waypost.actors.numbering import numbered
from waypost.adapters.pocket import PocketDevice
from waypost.errors import MapError, UsageError
from waypost.mapping import settled
from waypost.model import Tap


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("maps") / "clock"
    waypost.explore("pocket:clock", folder, actions=60).close()
    return folder


def test_an_agent_is_told_the_next_step_and_that_it_is_there(clock: Path) -> None:
    device = PocketDevice("clock")
    with waypost.guide(clock, "time left until the countdown rings") as guide:
        assert guide.found
        assert "Destination:" in guide.block
        seen = settled(device)
        told = guide(seen)
        assert "Next: on" in told
        timer = next(t for t in numbered(seen.screen) if t.target.label == "Timer")
        device.perform(Tap(timer.at, timer.target))
        assert "This is the destination: stop." in guide(settled(device).screen)
        here = guide.here(settled(device))
        assert here is not None


def test_a_dump_of_the_agents_own_is_read_and_an_unknown_page_is_said_to_be_one(clock: Path) -> None:
    node = '<node class="android.widget.Button" text="Go" package="a.b" bounds="[0,0][90,40]"/>'
    dump = f'<hierarchy rotation="0">{node}</hierarchy>'
    with waypost.guide(clock, "time left until the countdown rings") as guide:
        assert "not on the map" in guide(dump)
        assert guide.here(dump) is None


def test_a_page_that_is_not_on_the_map_is_told_by_silence(clock: Path) -> None:
    with waypost.guide(clock, "book a flight to Lisbon") as guide:
        assert (guide.found, guide.block, guide(PocketDevice("clock").observe())) == (False, "", "")


def test_what_makes_no_sense_is_refused(clock: Path) -> None:
    with pytest.raises(UsageError):
        waypost.guide(clock, " ")
    with pytest.raises(MapError):
        waypost.guide("nowhere", "x")
