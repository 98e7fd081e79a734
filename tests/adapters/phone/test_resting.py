"""A dump is of a screen that holds still, and says so where there is none."""

from collections.abc import Iterable

from tests.adapters.phone.client import Client, served
from waypost.model import Action, Bounds, Element, Observation, Screen, Wait


class Moving:
    """A phone whose screen moves from look to look, along the places that it is given; then it rests."""

    def __init__(self, places: Iterable[int], *, settles: bool = False) -> None:
        self.settles = settles
        self.looks = 0
        self.waited = 0
        self._places = list(places)
        self._at = self._places[0]

    @property
    def name(self) -> str:
        return "moving"

    def observe(self, *, pixels: bool = False) -> Observation:
        self.looks += 1
        self._at = self._places.pop(0) if self._places else self._at
        box = Bounds(0, self._at, 100, self._at + 50)
        inner = Element(text=f"look {self.looks}", clickable=True, bounds=box)
        return Observation(Screen(Element(bounds=Bounds(0, 0, 1080, 2400), children=(inner,)), app="a.b"))

    def perform(self, action: Action) -> None:
        self.waited += isinstance(action, Wait)

    def restart(self, app: str = "") -> None:
        pass

    def close(self) -> None:
        pass


def _dump(device: Moving, *words: str) -> tuple[str, str]:
    with served(device) as phone, Client(phone.server.port) as client:
        said = client.shell(" ".join(["uiautomator dump", *words, "/dev/tty"]))
        return said.out, said.err


def test_a_dump_waits_until_the_screen_holds_still() -> None:
    device = Moving((0, 10, 20, 30, 30))
    assert 'bounds="[0,30][100,80]"' in _dump(device)[0]
    assert device.waited == 4


def test_texts_that_change_keep_no_screen_from_resting() -> None:
    device = Moving((7,))
    assert "look 2" in _dump(device)[0]


def test_a_device_that_rests_after_each_action_is_looked_at_once() -> None:
    device = Moving((0, 10, 20), settles=True)
    assert 'bounds="[0,0][100,50]"' in _dump(device)[0]
    assert (device.looks, device.waited) == (1, 0)


def test_a_screen_that_never_rests_has_a_compressed_dump_only() -> None:
    assert _dump(Moving(range(500))) == ("", "ERROR: could not get idle state.\n")
    assert "</hierarchy>" in _dump(Moving(range(500)), "--compressed")[0]


def test_one_look_tells_what_is_in_front_and_is_dumped_once() -> None:
    device = Moving(range(500), settles=True)
    with served(device) as phone, Client(phone.server.port) as client:
        client.shell("dumpsys window windows; uiautomator dump /dev/tty >/dev/null; dumpsys activity top")
        assert device.looks == 1
        client.shell("uiautomator dump /dev/tty >/dev/null")
        assert device.looks == 2
