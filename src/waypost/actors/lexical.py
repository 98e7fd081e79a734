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
    LongPress,
    Observation,
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


@dataclass(frozen=True, slots=True)
class LexicalConfig:
    """When a page is good enough, and how far the search goes."""

    arrived: float = 0.34
    """Share of the sentence's weight that the page's title and the controls that led there must say."""
    gain: float = 0.05
    """Share that an untried control must add for the search to go on from a page that will do."""
    budget: int = 60
    """Actions before it gives up."""
    blind: int = 6
    """Controls tried on one page although none of their words fit."""
    drags: int = 6
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
    back when a page is exhausted. Guidance is read for names only: what it quotes counts as wanted too.
    """

    def __init__(self, *, seed: int = 0, config: LexicalConfig | None = None) -> None:
        self._config = config or LexicalConfig()
        self._random = random.Random(seed)
        self._words = Vocabulary()
        self._pages: dict[int, _Page] = {}
        self._trail: list[int] = []
        self._labels: dict[int, str] = {}
        """By page, the control that led to it first."""
        self._last: tuple[_Page, str] | None = None
        self._came_by = ""
        self._app = ""
        self._actions = self._waits = self._outs = 0

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        screen = observation.screen
        self._app = self._app or screen.app
        self._actions += 1
        if self._actions > self._config.budget:
            return Decision(Finish(False, "the budget is spent"))
        if screen.quality is TreeQuality.NONE or loading(screen):
            self._waits += 1
            return Decision(Wait(1.0) if self._waits <= 5 else Finish(False, "the screen cannot be read"))
        self._waits = 0
        if side_state(screen, self._app) is not None:
            self._outs += 1
            if self._last and self._outs == 1:
                # What popped up may have taken the tap: it counts as untried once more.
                self._untry(*self._last)
            self._last = None
            if self._outs > 6:
                return Decision(Finish(False, "what lies over the app does not go away"))
            return Decision(dismissal(screen) or Press("back"), "leave what lies in front")
        self._outs = 0
        self._last = None
        return self._search(instruction, screen, guidance)

    def _search(self, instruction: str, screen: Screen, guidance: str) -> Decision:
        wanted, names = stems(instruction), _names(guidance)
        offers = [c for c in controls(screen) if _harmless(c)]
        self._words.learn([c.label for c in offers] + [_title(screen)])
        place = _structure(screen, offers)
        page = self._pages.setdefault(place, _Page())
        self._place(place)
        open_ = [c for c in offers if c.key not in page.tried and not isinstance(c.action, Swipe)]
        ranked = sorted(open_, key=lambda c: (-self._score(wanted, names, c.label), c.key))
        best = self._score(wanted, names, ranked[0].label) if ranked else 0.0
        here, left = self._arrival(wanted, names, screen, open_)
        if here >= self._config.arrived and left <= self._config.gain:
            return Decision(
                Finish(True, f"On {_title(screen)!r}"), f"its title says {here:.0%} of what is wanted"
            )
        if best > 0 and len(self._trail) <= self._config.depth:
            return self._tap(page, ranked[0], f"its words fit ({best:.2f})")
        drag = self._scroll(page, screen)
        if drag is not None:
            return Decision(drag, "look further down")
        if ranked and page.blind < self._config.blind and len(self._trail) <= self._config.depth:
            page.blind += 1
            return self._tap(page, self._guess(ranked), "nothing fits: try one")
        return self._back()

    def _place(self, place: int) -> None:
        """Keep the way here: coming back to a page on it drops what came after."""
        if place in self._trail:
            del self._trail[self._trail.index(place) + 1 :]
        else:
            self._trail.append(place)
            self._labels.setdefault(place, self._came_by)

    def _tap(self, page: _Page, control: Control, why: str) -> Decision:
        page.tried.add(control.key)
        self._last = (page, control.key)
        self._came_by = control.label
        return Decision(control.action, why)

    def _untry(self, page: _Page, key: str) -> None:
        if key not in page.retried:
            page.retried.add(key)
            page.tried.discard(key)

    def _guess(self, ranked: list[Control]) -> Control:
        """Prefer what leads around an app: bars, menus and icons before rows and switches."""
        ways = [c for c in ranked if isinstance(c.action, Tap) and c.action.target and not c.template]
        ways = [c for c in ways if not _toggles(c)] or ranked
        return self._random.choice(ways)

    def _scroll(self, page: _Page, screen: Screen) -> Swipe | None:
        if page.scrolled:
            return None
        page.scrolling = page.scrolling or Scrolling(limit=self._config.drags)
        drag = page.scrolling.next(screen)
        page.scrolled = drag is None or page.scrolling.drags > self._config.drags
        return None if page.scrolled else drag

    def _back(self) -> Decision:
        if len(self._trail) <= 1:
            return Decision(Finish(False, "nothing is left to try"))
        self._trail.pop()
        self._came_by = ""
        return Decision(Press("back"), "nothing is left here")

    def _score(self, wanted: tuple[str, ...], names: tuple[str, ...], label: str) -> float:
        says, said = self._words.fit(wanted, label)
        own = says * (0.5 + 0.5 * said)
        told = max((min(self._words.fit(stems(n), label)) for n in names), default=0.0)
        return max(own, told if told >= 0.6 else 0.0)

    def _arrival(
        self, wanted: tuple[str, ...], names: tuple[str, ...], screen: Screen, open_: list[Control]
    ) -> tuple[float, float]:
        """Return how well the page fits, and how much better one of its controls may lead."""
        title = _title(screen)
        if names and min(self._words.fit(stems(names[0]), title)) >= 0.6:
            return 1.0, 0.0
        if not self._words.fit(wanted, title)[0]:
            return 0.0, 0.0
        way = " ".join([title, *(self._labels.get(p, "") for p in self._trail)])
        here = self._words.fit(wanted, way)[0]
        return here, max((self._words.fit(wanted, f"{way} {c.label}")[0] for c in open_), default=here) - here


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


def _names(guidance: str) -> tuple[str, ...]:
    """Return what guidance puts in quotes: the destination first, then the names of pages and cues."""
    return tuple(dict.fromkeys(re.findall(r'"([^"\n]{1,60})"', guidance)))
