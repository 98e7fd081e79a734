"""A spec in, its reachable pages and the shortest ways to them out: a search over the app's own states."""

import heapq
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from waypost.adapters.pocket.edges import widgets_of
from waypost.adapters.pocket.expr import Expr
from waypost.adapters.pocket.frames import Frames
from waypost.adapters.pocket.spec import Back, Branch, Effect, Go, Page, Spec, Widget
from waypost.adapters.pocket.state import Clock, Session
from waypost.adapters.pocket.touching import act, hold
from waypost.adapters.pocket.tree import DRAG, Area, Target
from waypost.model import Action, Direction, LongPress, Press, Swipe, Tap, TypeText

__all__ = ["Way", "search"]

_DEEPEST = 12
"""Swipes down one page at most."""
_LIMIT = 20_000
_FIELDS = ("field", "search", "keypad")


@dataclass(frozen=True, slots=True)
class Way:
    """How a page is reached from the start of a fresh app."""

    actions: tuple[Action, ...]
    """What a user does: swipes, typing, answering permissions included."""
    pages: tuple[str, ...]
    """The pages passed, the start and the goal included."""

    @property
    def hops(self) -> int:
        """Page changes."""
        return len(self.pages) - 1


@dataclass(frozen=True, slots=True)
class _Choice:
    actions: tuple[Action, ...]
    target: Target | None
    kind: str
    """`tap`, `long`, `type`, `submit`, `back`, `swipe`."""
    text: str = ""
    room: tuple[tuple[str, int], ...] = ()
    """Scroll positions at which it is done."""


def search(spec: Spec, *, hazards: bool = False, limit: int = _LIMIT) -> dict[str, Way]:
    """Find the shortest way to every page that can be reached; `hazards`: taking what may not be undone."""
    calm = replace(spec, ad_rate=0.0, crash_rate=0.0, splash=0)
    clock = Clock(8 * 3600.0)
    session = Session(calm, clock, 0)
    session.start()
    _patient(session)
    model = _Model(calm)
    found: dict[str, Way] = {}
    order = count()
    queue: list[tuple[int, int, Session, Way]] = []
    heapq.heappush(queue, (0, next(order), session, Way((), ())))
    done: set[Hashable] = set()
    while queue and len(done) < limit:
        cost, _, session, way = heapq.heappop(queue)
        key = model.key(session)
        if key in done:
            continue
        done.add(key)
        way = _at(session, way)
        if not session.front():
            found.setdefault(session.top.page.id, way)
        for choice in model.choices(session):
            if not hazards and _hazard(choice):
                continue
            twin = session.copy()
            if _take(twin, choice):
                further = Way((*way.actions, *choice.actions), way.pages)
                heapq.heappush(queue, (cost + len(choice.actions), next(order), twin, further))
    return found


def _at(session: Session, way: Way) -> Way:
    here = session.top.page.id
    if session.front() or (way.pages and way.pages[-1] == here):
        return way
    return Way(way.actions, (*way.pages, here))


def _hazard(choice: _Choice) -> bool:
    return choice.kind == "tap" and choice.target is not None and bool(choice.target.touch.hazard)


def _take(session: Session, choice: _Choice) -> bool:
    """Do a choice; False where it leaves the app."""
    for key, at in choice.room:
        entry = session.base if key in session.base.scroll else session.top
        entry.scroll[key] = at
    target = choice.target
    match choice.kind:
        case "back":
            session.back()
        case "swipe":
            session.run((Go(choice.text, "switch"),))
        case "long":
            assert target is not None
            hold(session, target)
        case "type" | "submit":
            assert target is not None
            _type(session, target, choice)
        case _:
            assert target is not None
            act(session, target, target.box[0])
    _patient(session)
    gone = session.left or not session.stack or session.external or session.crashed
    return not gone


def _patient(session: Session) -> None:
    """Wait until nothing is loading and no snackbar is up."""
    for entry in session.stack:
        entry.loading_looks, entry.ready_at = 0, 0.0
    session.toast_looks = 0


def _type(session: Session, target: Target, choice: _Choice) -> None:
    if target.touch.op == "key":
        widget = target.touch.widget
        assert widget is not None
        session.vars[widget.props["bind"]] = choice.text
        return
    act(session, target, target.box[0])
    session.type(choice.text)
    if choice.kind == "submit":
        session.enter()


class _Model:
    """Which variables matter, and what can be done where; what was laid out once is kept."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._frames = Frames()
        self._tests = [e for p in spec.pages.values() for e in _tests(p)]
        if spec.gate:
            self._tests.append(spec.gate.unless)
        names = {n for e in self._tests for n in e.names if n in spec.state}
        fields = {w.props["bind"] for p in spec.pages.values() for w in widgets_of(p) if w.kind in _FIELDS}
        self._names = tuple(sorted(names - fields))
        known = (set(spec.state) | set(spec.data)) - fields
        self._closed = [e for e in self._tests if e.names <= known]
        self._typed = {
            p.id: frozenset(n for e in _tests(p) for n in e.names if n in fields) for p in spec.pages.values()
        }
        """By page, the typed texts that its conditions look at; elsewhere they do not count."""
        self._kept: dict[Hashable, tuple[_Choice, ...]] = {}

    def key(self, session: Session) -> Hashable:
        """States with one key go on alike: same stack, same answers of the conditions that lead anywhere."""
        values = tuple(_coarse(session.vars[n]) for n in self._names)
        answers = tuple(bool(e.run(session)) for e in self._closed)
        pages = tuple(e.page.id for e in session.stack)[-4:]
        texts = sorted({n for p in pages for n in self._typed[p]})
        written = tuple(session.vars[n] for n in texts)
        asked = tuple(sorted(session.answered))
        return (
            pages,
            len(session.stack) > 4,
            values,
            written,
            answers,
            session.front(),
            session.prompt,
            session.keyboard,
            asked,
        )

    def choices(self, session: Session) -> tuple[_Choice, ...]:
        """Everything that a user can do, each once, with the swipes it takes to see it."""
        for entry in session.stack:
            entry.scroll.clear()
        names = tuple(session.value(n) for n in self._stable(session))
        above = tuple((e.page.id, e.item) for e in session.stack[session.stack.index(session.base) :])
        key = (above, names, session.front(), session.prompt, session.keyboard, session.field)
        if key not in self._kept:
            self._kept[key] = tuple(self._found(session.copy()))
        return self._kept[key]

    def _stable(self, session: Session) -> Iterator[str]:
        for entry in session.stack[session.stack.index(session.base) :]:
            yield from (n for n in entry.page.names if n not in ("clock", "date", "seconds", "looks"))

    def _found(self, session: Session) -> Iterator[_Choice]:
        yield _Choice((Press("back"),), None, "back")
        if session.front() == "":
            for way, to in session.top.page.swipe.items():
                yield _Choice((Swipe(Direction(way)),), None, "swipe", to)
        seen: set[Hashable] = set()
        for actions, target, room in self._looks(session):
            touch = target.touch
            same = (
                touch.widget,
                touch.row,
                touch.op,
                touch.value,
                id(target.node) if touch.widget is None else 0,
            )
            if same in seen:
                continue
            seen.add(same)
            yield from self._uses(actions, target, room)

    def _uses(
        self, actions: tuple[Action, ...], target: Target, room: tuple[tuple[str, int], ...]
    ) -> Iterator[_Choice]:
        left, top, right, bottom = target.box
        at = ((left + right) // 2, (top + bottom) // 2)
        widget = target.touch.widget
        if target.touch.op in ("focus", "key"):
            assert widget is not None
            for text in (
                self._texts(widget) if target.touch.op == "focus" or target.touch.value == "1" else ()
            ):
                if target.touch.op == "focus":
                    yield _Choice((*actions, TypeText(text, at)), target, "type", text, room)
                    if widget.enter:
                        yield _Choice(
                            (*actions, TypeText(text, at, submit=True)), target, "submit", text, room
                        )
            return
        yield _Choice((*actions, Tap(at)), target, "tap", "", room)
        if target.touch.long:
            yield _Choice((*actions, LongPress(at)), target, "long", "", room)

    def _texts(self, widget: Widget) -> tuple[str, ...]:
        """Texts worth typing: some text, and whatever a condition compares the variable with."""
        name = widget.props["bind"]
        near = {n for e in self._tests if name in e.names for n in e.names}
        values = sorted(
            {str(self._spec.state[n]) for n in near if isinstance(self._spec.state.get(n), str)} - {""}
        )
        return (*values, "x") if near else ("x",) if widget.enter else ()

    def _looks(
        self, session: Session
    ) -> Iterator[tuple[tuple[Action, ...], Target, tuple[tuple[str, int], ...]]]:
        """Targets in the order in which swiping down (then sideways) shows them."""
        actions: tuple[Action, ...] = ()
        room: tuple[tuple[str, int], ...] = ()
        for _ in range(_DEEPEST):
            frame = self._frames.show(session)
            for target in frame.surface.targets:
                if frame.surface.at(*_middle(target.box)) is target:
                    yield actions, target, room
            if session.front():
                return
            for area in [a for a in frame.surface.areas if a.key[0] == "h"]:
                yield from self._sideways(session, area, actions, room)
            down = next((a for a in reversed(frame.surface.areas) if a.key[0] == "v"), None)
            if down is None or not self._on(session, down):
                return
            actions = (*actions, Swipe(Direction.UP, _middle(down.box)))
            room = ((down.key, self._entry(session, down).scroll[down.key]),)

    def _sideways(
        self, session: Session, area: Area, actions: tuple[Action, ...], room: tuple[tuple[str, int], ...]
    ) -> Iterator[tuple[tuple[Action, ...], Target, tuple[tuple[str, int], ...]]]:
        twin = session.copy()
        for _ in range(_DEEPEST):
            if not self._on(twin, area):
                return
            actions = (*actions, Swipe(Direction.LEFT, _middle(area.box)))
            at = (area.key, self._entry(twin, area).scroll[area.key])
            frame = self._frames.show(twin)
            for target in frame.surface.targets:
                if frame.surface.at(*_middle(target.box)) is target:
                    yield actions, target, (*room, at)

    def _entry(self, session: Session, area: Area) -> Any:
        return session.base if area.key in session.base.scroll else session.top

    def _on(self, session: Session, area: Area) -> bool:
        """Scroll an area one swipe further; False at its end."""
        entry = self._entry(session, area)
        at = entry.scroll.get(area.key, 0)
        length = area.box[2] - area.box[0] if area.key[0] == "h" else area.box[3] - area.box[1]
        entry.scroll[area.key] = min(area.room, at + int(length * DRAG))
        return bool(entry.scroll[area.key] > at)


def _middle(box: tuple[int, int, int, int]) -> tuple[int, int]:
    return (box[0] + box[2]) // 2, (box[1] + box[3]) // 2


def _coarse(value: Any) -> Any:
    """Counters would never repeat: only conditions on them count."""
    return value if isinstance(value, (bool, str)) else None


def _tests(page: Page) -> Iterator[Expr]:
    """Conditions that decide where one can go from a page."""
    if page.requires:
        yield page.requires.unless
    yield from _branches(page.back)
    for w in widgets_of(page):
        effects = (*w.tap, *w.long, *w.more, *w.enter)
        yield from _branches(effects)
        if w.when is not None and _leads(w):
            yield w.when


def _leads(w: Widget) -> bool:
    inner = [*w.parts, *w.empty, *([w.template] if w.template else [])]
    return any(_moves(e) for e in (*w.tap, *w.long, *w.more, *w.enter)) or any(_leads(i) for i in inner)


def _moves(effect: Effect) -> bool:
    if isinstance(effect, Branch):
        return any(_moves(e) for e in (*effect.then, *effect.other))
    return isinstance(effect, Go | Back)


def _branches(effects: tuple[Effect, ...]) -> Iterator[Expr]:
    for effect in effects:
        if isinstance(effect, Branch):
            yield effect.test
            yield from _branches(effect.then)
            yield from _branches(effect.other)
