"""What a bar hides below the screen is explored, and a look at nothing is not the end."""

from dataclasses import dataclass, field, replace

from tests.exploration.toy import Toy, Truth
from waypost.exploration import ExploreConfig, explore
from waypost.model import Action, Bounds, Element, ExploreStop, Observation, Role, Screen, Swipe, Tap

PAGES = {
    "Home": {"Ann": "Letter", "Help": "Help", "Reports": "Reports", "Settings": "Settings"},
    "Letter": {},
    "Reports": {"Worth": "Worth"},
    "Worth": {},
    "Settings": {},
    "Help": {},
}
ENTRIES = ("Help", "Reports", "Settings")
_BAR = Bounds(0, 2200, 1080, 2400)


@dataclass
class Barred(Toy):
    """Home's entries stand in a bar of which one line is in view until it is dragged up."""

    up: bool = False
    blank_at: set[int] = field(default_factory=set)
    """Looks that catch a page on its way in: nothing of it can be touched yet."""

    def observe(self, *, pixels: bool = False) -> Observation:
        seen = super().observe(pixels=pixels)
        if self.looks in self.blank_at:
            root = replace(seen.screen.root, children=seen.screen.root.children[:1])
            return replace(seen, screen=replace(seen.screen, root=root))
        return seen

    def perform(self, action: Action) -> None:
        before = self.at
        if isinstance(action, Swipe) and action.start and _BAR.contains(*action.start) and before == "Home":
            self.done.append(action)
            self.up = bool(action.end and action.end[1] < _BAR.top - 200)
            return
        super().perform(action)
        self.up = self.up and self.at == before

    def restart(self, app: str = "") -> None:
        super().restart(app)
        self.up = False

    def screen(self) -> Screen:
        seen = super().screen()
        if self.at != "Home" or self.over:
            return seen
        kept = tuple(c for c in seen.root.children if c.label not in ENTRIES)
        return replace(seen, root=replace(seen.root, children=(*kept, self._bar())))

    def _bar(self) -> Element:
        top = 2000 if self.up else 2200
        made = []
        for n, label in enumerate(ENTRIES):
            box = Bounds(0, top + 100 * n, 1080, top + 100 * n + 100).clip(Bounds(0, 0, 1080, 2301))
            shown = bool(box.area) and (self.up or n == 0)
            entry = Element(Role.LINK, text=label, clickable=True, visible=shown)
            made.append(replace(entry, bounds=box if shown else Bounds(0, 0, 0, 0)))
        return Element(Role.NAVIGATION, bounds=Bounds(0, top, 1080, 2400), children=tuple(made))


def walked(toy: Toy, actions: int = 200) -> tuple[Truth, ExploreStop]:
    truth = Truth(toy)
    stop = explore(toy, truth.mapper, ExploreConfig(actions=actions), clock=lambda: 0.0)
    return truth, stop


def test_entries_below_the_screen_are_pulled_up_and_walked() -> None:
    truth, stop = walked(Barred(PAGES))
    assert truth.pages() == set(PAGES)
    assert stop is ExploreStop.COMPLETE
    assert truth.false_edges() == []


def test_a_pull_leads_to_no_page_of_its_own() -> None:
    truth, _ = walked(Barred(PAGES))
    pulls = [t for t in truth.mapper.graph.transitions.values() if isinstance(t.action, Swipe)]
    assert pulls
    assert all(t.source == t.target for t in pulls)


def test_a_look_that_catches_nothing_to_touch_is_taken_again() -> None:
    truth, stop = walked(Barred(PAGES, blank_at={9}))
    assert truth.pages() == set(PAGES)
    assert stop is ExploreStop.COMPLETE


def test_an_entry_is_tapped_by_its_name_not_where_it_stood() -> None:
    toy = Barred(PAGES)
    walked(toy)
    taps = [a for a in toy.done if isinstance(a, Tap) and a.target and a.target.label == "Settings"]
    assert taps
    assert all(2200 <= a.at[1] < 2301 for a in taps)
