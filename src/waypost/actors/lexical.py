"""Search an app for the page that a sentence means, with no map: a look in, the likeliest action out."""

import random
import re
from dataclasses import dataclass, field

from waypost.actors.scrolling import Scrolling
from waypost.actors.wordmatch import Vocabulary, stems
from waypost.mapping import Control, controls, dismissal, foreground, loading, side_state
from waypost.model import (
    Decision,
    Finish,
    Launch,
    LongPress,
    Observation,
    PageKind,
    Press,
    Role,
    Screen,
    Swipe,
    Tap,
    TreeQuality,
    TypeText,
    Wait,
)

__all__ = ["Lexical", "LexicalConfig"]

_QUOTED = re.compile(r'["“]([^"“”\n]{1,60})["”]')

_RESTARTS = 3
"""How often it returns to the app from a screen that says nothing."""


@dataclass(frozen=True, slots=True)
class LexicalConfig:
    """When a page is good enough, and how far the search goes."""

    arrived: float = 0.6
    """Share of the sentence's weight that the page's title and the controls that led there must say."""
    gain: float = 0.05
    """Share that an untried control must add for the search to go on from a page that will do."""
    body: float = 0.6
    """What a word in the text of a page counts for against one in its title."""
    floor: float = 0.15
    """How well the best page seen must fit to be returned to when the search is over."""
    budget: int = 30
    """Actions before it gives up."""
    search: float = 0.7
    """Share of the budget after which it turns back to the best page seen."""
    blind: int = 6
    """Controls tried on one page although none of their words fit."""
    blind_depth: int = 2
    """How deep that is done: the first pages show what an app is about."""
    drags: int = 3
    """Drags on one page."""
    depth: int = 7


@dataclass
class _Page:
    """What was done on a page, by its structure."""

    tried: set[str] = field(default_factory=set)
    retried: set[str] = field(default_factory=set)
    blind: int = 0
    scrolling: Scrolling | None = None
    scrolled: bool = False


class Lexical:
    """The baseline without memory: greedy matching of words, depth first, with back-tracking.

    It takes the control whose words fit best, scrolls when none does, tries a few blindly, and goes
    back when a page is exhausted. When nothing is left, or most of the budget is spent, it returns to the
    page that fitted best and takes that for the answer. Guidance is read for names
    only: what it quotes counts as wanted too.
    """

    def __init__(self, *, seed: int = 0, config: LexicalConfig | None = None) -> None:
        self._config = config or LexicalConfig()
        self._random = random.Random(seed)
        self._words = Vocabulary()
        self._pages: dict[int, _Page] = {}
        self._trail: list[int] = []
        self._came: dict[int, tuple[int, Control]] = {}
        """By page, the page and the control that led to it first."""
        self._guessed: set[str] = set()
        """What was tried blindly, on any page: a bar that stands on all of them is tried once."""
        self._best: tuple[float, int] = (0.0, 0)
        self._return: _Return | None = None
        self._last: tuple[_Page, str] | None = None
        self._tapped: tuple[int, Control] | None = None
        self._app = ""
        self._actions = self._waits = self._outs = 0
        self._restarts = 0

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        screen = observation.screen
        self._app = self._app or screen.app
        self._actions += 1
        if self._actions > self._config.budget:
            return Decision(Finish(False, "the budget is spent"))
        if screen.quality is TreeQuality.NONE or loading(screen):
            return self._unread(screen)
        self._waits = 0
        side = side_state(screen, self._app)
        if side is not None:
            self._outs += 1
            if self._last and self._outs == 1:
                # What popped up may have taken the tap: it counts as untried once more.
                self._untry(*self._last)
            self._last = None
            if self._outs > 6:
                return Decision(Finish(False, "what lies over the app does not go away"))
            if side.kind is PageKind.EXTERNAL and self._outs > 1:
                return Decision(Launch(self._app), "return to the app")
            return Decision(dismissal(screen) or Press("back"), "leave what lies in front")
        self._outs = 0
        if self._return is not None:
            return self._return.next(screen, self._place_of(screen))
        return self._search(instruction, screen, guidance)

    def _unread(self, screen: Screen) -> Decision:
        """Wait for a screen that says nothing; where it stays so, Back may have led out of the app."""
        self._waits += 1
        if self._waits <= (5 if loading(screen) else 2):
            return Decision(Wait(1.0))
        if self._app and self._restarts < _RESTARTS:
            self._restarts, self._waits = self._restarts + 1, 0
            return Decision(Launch(self._app), "the screen cannot be read: return to the app")
        return Decision(Finish(False, "the screen cannot be read"))

    def _place_of(self, screen: Screen) -> int:
        return _structure(screen, [c for c in controls(screen) if _harmless(c)])

    def _search(self, instruction: str, screen: Screen, guidance: str) -> Decision:
        wanted, names, goal = stems(instruction), _names(guidance), _goal(guidance)
        offers = [c for c in controls(screen) if _harmless(c)]
        self._words.learn([c.label for c in offers] + [_title(screen)])
        place = _structure(screen, offers)
        page = self._pages.setdefault(place, _Page())
        self._place(place)
        self._last = None
        open_ = [c for c in offers if c.key not in page.tried and not isinstance(c.action, Swipe)]
        ranked = sorted(open_, key=lambda c: (-self._score(wanted, names, c.label), c.key))
        best = self._score(wanted, names, ranked[0].label) if ranked else 0.0
        here, left = self._arrival(wanted, goal, screen, open_)
        if here >= self._config.arrived and left <= self._config.gain:
            return Decision(
                Finish(True, f"On {_title(screen)!r}"), f"its title says {here:.0%} of what is wanted"
            )
        fit = max(here, self._config.body * self._words.fit(wanted, _text(screen))[0])
        self._best = max(self._best, (fit, place), key=_first)
        if self._actions > self._config.search * self._config.budget:
            return self._turn_back("the search has taken long enough")
        deep = len(self._trail) > self._config.depth
        if best > 0 and not deep:
            return self._tap(page, place, ranked[0], f"its words fit ({best:.2f})")
        drag = self._scroll(page, screen)
        if drag is not None:
            return Decision(drag, "look further down")
        fresh = [c for c in ranked if c.key not in self._guessed and not _toggles(c)]
        if fresh and page.blind < self._config.blind and len(self._trail) <= self._config.blind_depth:
            page.blind += 1
            guess = self._random.choice(fresh)
            self._guessed.add(guess.key)
            return self._tap(page, place, guess, "nothing fits: try one")
        if len(self._trail) <= 1:
            return self._turn_back("nothing is left to try")
        self._trail.pop()
        return Decision(Press("back"), "nothing is left here")

    def _turn_back(self, why: str) -> Decision:
        """Start over and go to the page that fitted best, if any did."""
        fit, place = self._best
        if fit < self._config.floor:
            return Decision(Finish(False, why))
        way: list[Control] = []
        at = place
        while at in self._came and len(way) <= self._config.depth:
            at, control = self._came[at]
            way.insert(0, control)
        self._return = _Return(place, way)
        return Decision(Launch(self._app, fresh=True), f"{why}: return to the page that fitted best")

    def _place(self, place: int) -> None:
        """Keep the way here: coming back to a page on it drops what came after."""
        if place in self._trail:
            del self._trail[self._trail.index(place) + 1 :]
            return
        if self._trail and self._tapped is not None and place not in self._came:
            self._came[place] = self._tapped
        self._trail.append(place)

    def _tap(self, page: _Page, place: int, control: Control, why: str) -> Decision:
        page.tried.add(control.key)
        self._last = (page, control.key)
        self._tapped = (place, control)
        return Decision(control.action, why)

    def _untry(self, page: _Page, key: str) -> None:
        if key not in page.retried:
            page.retried.add(key)
            page.tried.discard(key)

    def _scroll(self, page: _Page, screen: Screen) -> Swipe | None:
        if page.scrolled:
            return None
        page.scrolling = page.scrolling or Scrolling(limit=self._config.drags)
        drag = page.scrolling.next(screen)
        page.scrolled = drag is None or page.scrolling.drags > self._config.drags
        return None if page.scrolled else drag

    def _score(self, wanted: tuple[str, ...], names: tuple[str, ...], label: str) -> float:
        says, said = self._words.fit(wanted, label)
        own = says * (0.5 + 0.5 * said)
        told = max((min(self._words.fit(stems(n), label)) for n in names), default=0.0)
        return max(own, told if told >= 0.6 else 0.0)

    def _arrival(
        self, wanted: tuple[str, ...], goal: str, screen: Screen, open_: list[Control]
    ) -> tuple[float, float]:
        """Return how well the page fits, and how much better one of its controls may lead."""
        title = _title(screen)
        by = self._tapped[1].label if self._tapped else ""
        if goal and any(min(self._words.fit(stems(goal), t)) >= 0.6 for t in (title, by)):
            return 1.0, 0.0
        if not self._words.fit(wanted, title)[0]:
            return 0.0, 0.0
        way = " ".join([title, *(self._came[p][1].label for p in self._trail if p in self._came)])
        here = self._words.fit(wanted, way)[0]
        return here, max((self._words.fit(wanted, f"{way} {c.label}")[0] for c in open_), default=here) - here


class _Return:
    """The way back to a page, control by control; it claims to be there only on the page itself."""

    def __init__(self, place: int, way: list[Control]) -> None:
        self._place = place
        self._way = way
        self._drags = Scrolling(limit=4)

    def next(self, screen: Screen, place: int) -> Decision:
        if place == self._place:
            return Decision(Finish(True, f"On {_title(screen)!r}"), "no page that was seen fits better")
        if not self._way:
            return Decision(Finish(False, "the page that fitted best was not found again"))
        wanted = self._way[0].key
        control = next((c for c in controls(screen) if c.key == wanted and _harmless(c)), None)
        if control is None:
            drag = self._drags.next(screen)
            return Decision(drag or Finish(False, "the way to the page that fitted best is gone"))
        self._way = self._way[1:]
        self._drags = Scrolling(limit=4)
        return Decision(control.action, "on the way back to the page that fitted best")


def _first(fit: tuple[float, int]) -> float:
    return fit[0]


def _text(screen: Screen) -> str:
    """Return what can be read on the active layer."""
    shown = (e for e in foreground(screen).walk() if e.visible and e.bounds.area and e.label)
    return " ".join(dict.fromkeys(e.label for e in shown))


def _harmless(control: Control) -> bool:
    target = getattr(control.action, "target", None)
    if isinstance(control.action, (TypeText, LongPress)):
        return False
    return target is None or not target.hazard


def _toggles(control: Control) -> bool:
    target = getattr(control.action, "target", None)
    return target is not None and target.role in (
        Role.SWITCH,
        Role.CHECKBOX,
        Role.RADIO,
        Role.SLIDER,
        Role.FIELD,
    )


def _title(screen: Screen) -> str:
    """Return what the active layer is headed by, and the tab that is open."""
    top = foreground(screen)
    shown = [e for e in top.walk() if e.visible and e.bounds.area and e.label]
    tab = next((e.label for e in shown if e.role is Role.TAB and e.selected), "")
    limit = screen.size[1] // 4 if top is screen.root else screen.size[1]
    heads = [e for e in shown if e.bounds.top < limit and not e.clickable and len(e.label) <= 60]
    head = next((e.label for e in heads if e.role is Role.HEADING), "")
    head = head or next((e.label for e in heads if e.role is Role.TEXT), "") or screen.title
    return " ".join(w for w in dict.fromkeys((head, tab)) if w)


def _structure(screen: Screen, offers: list[Control]) -> int:
    """Tell pages apart well enough for a visited set: by title and by the controls outside of lists."""
    fixed = frozenset(c.key for c in offers if not c.template and isinstance(c.action, Tap))
    return hash((screen.activity, _title(screen), frozenset(fixed)))


def _goal(guidance: str) -> str:
    """Return the destination that guidance names; empty where it names none, whatever else it quotes."""
    lines = [line for line in guidance.splitlines() if line.startswith(("Destination:", "Goal:"))]
    return next(iter(_QUOTED.findall("\n".join(lines))), "")


def _names(guidance: str) -> tuple[str, ...]:
    """Return what guidance puts in quotes: the destination first, then the names of pages and cues.

    Where it says what comes next, that alone counts beside the destination.
    """
    lines = guidance.splitlines()
    goal = [line for line in lines if line.startswith("Destination:")]
    following = [line for line in lines if line.startswith("Next:")]
    told = "\n".join([*goal, *(following or lines)])
    return tuple(dict.fromkeys(_QUOTED.findall(told)))
