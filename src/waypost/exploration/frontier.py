"""Frontier-first exploration (ours): what is still untried, and where it is cheapest to try it, out."""

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeAlias

from waypost.exploration.config import ExploreConfig
from waypost.exploration.moves import BACK, Do, Here, Move, Moves, Relaunch
from waypost.exploration.promise import PROMISED, price
from waypost.exploration.reach import Reach, Way
from waypost.exploration.scrolling import Scroller
from waypost.exploration.session import Session
from waypost.exploration.variants import LAUNCH, Variants
from waypost.mapping.controls import Control, action_key
from waypost.mapping.grounding import regrounded
from waypost.mapping.hazards import refuses
from waypost.model import Action, ExploreStop, NodeId, Swipe, Tap, TypeText, Wait

__all__ = ["Frontier"]

_HIDDEN = 1.2
"""What it costs to bring a control into view that the present look does not show."""
_GIVE_UP = 5
"""Hops that may fail on the way to one page before it is left."""
_IDLE = 25
"""Moves in a row that may teach nothing before the goal behind them is left."""
_LAUNCHES = 2
"""Fresh starts that are made where no way leads to what is left."""
_LOST_SIGHT = 2
"""Times that a control may not be found on its page before it is left."""
_DOUBTS = 3
"""Rows of a page that are tapped again to see whether they lead to levels of it."""
_DEEP = 6
"""Taps on one page that may be made to bring a control of it into view."""


_Steps: TypeAlias = Generator[Move, Here, Here]
_Finding: TypeAlias = Generator[Move, Here, tuple[Action | None, Here]]


@dataclass(frozen=True, slots=True)
class _Goal:
    node: NodeId
    key: str
    way: Way
    total: float


class Frontier:
    """Keeps what is untried on every page, and always re-reaches the page that it means to probe.

    The next goal is the untried control with the least cost of getting there plus price of trying it.
    Each hop is verified: where it lands elsewhere, that edge costs more from then on and the way is
    planned afresh from wherever it landed. A page that cannot be re-reached is left, and stays on the
    frontier of the map.
    """

    def __init__(self, config: ExploreConfig, session: Session) -> None:
        self._session, self._ledger = session, session.ledger
        self._reach = Reach(self._ledger)
        self._scroller = Scroller(self._ledger)
        self._failed: Counter[NodeId] = Counter()
        self._unseen: Counter[tuple[NodeId, str]] = Counter()
        self._filled: set[NodeId] = set()
        self._doubts: Counter[NodeId] = Counter()
        self._goal: _Goal | None = None
        self._variants = Variants()

    def moves(self, here: Here) -> Moves:
        launches, launched, idle, tried = _LAUNCHES, 0, 0, 0
        blank = 0
        self._variants.launched(here.node, _keys(here))
        while True:
            self._variants.seen(here.node, _keys(here))
            if blank < 2 and not here.controls and self._ledger.controls.get(here.node):
                # What was seen is on its way in or out: look again, and at last start afresh.
                blank += 1
                here = yield (Do(Wait(1.0), action_key(Wait(1.0))) if blank == 1 else Relaunch())
                continue
            blank = 0 if here.controls else blank
            idle, tried = (
                (idle + 1, tried) if len(self._ledger.outcomes) == tried else (0, len(self._ledger.outcomes))
            )
            goal = self._next(here)
            if goal is not None and idle > _IDLE:
                self._failed[goal.node] += _GIVE_UP
                self._goal, idle = None, 0
                continue
            if goal is None:
                if launched != len(self._ledger.outcomes):
                    launches = _LAUNCHES  # The last fresh start led on to something.
                if not launches or not self._left():
                    return ExploreStop.COMPLETE
                # No way leads on from here: the start page may.
                launches, launched = launches - 1, len(self._ledger.outcomes)
                here = yield Relaunch()
                continue
            if goal.way.kind == "here":
                self._goal = None
                here = yield from self._probe(here, goal)
            else:
                here = yield from self._hop(here, goal)

    def _left(self) -> bool:
        return any(self._ledger.mapper.graph.untried.values())

    # What next

    def _next(self, here: Here) -> _Goal | None:
        """Stay with the goal that was chosen until it is tried or a hop fails; else choose the best."""
        self._goal = self._kept(here, self._goal) if self._goal else None
        self._goal = self._goal or self._chosen(here)
        return self._goal

    def _kept(self, here: Here, goal: _Goal) -> _Goal | None:
        node = self._ledger.mapper.resolve(goal.node)
        if goal.key not in self._ledger.mapper.graph.untried.get(node, ()):
            return None
        found: _Goal | None = None

        def visit(at: NodeId, way: Way) -> float:
            nonlocal found
            if at == node:
                found = _Goal(node, goal.key, way, way.cost)
                return 0.0
            return float("inf")

        self._reach.search(here.node, self._session.trail, self._session.start, visit)
        return found

    def _chosen(self, here: Here) -> _Goal | None:
        best: _Goal | None = None
        shown = {c.key for c in here.controls}

        def visit(node: NodeId, way: Way) -> float:
            nonlocal best
            found = self._best_of(node, shown if node == here.node else None)
            if found is not None and (best is None or way.cost + found[0] < best.total):
                best = _Goal(node, found[1], way, way.cost + found[0])
            return best.total + PROMISED if best else float("inf")

        self._reach.search(here.node, self._session.trail, self._session.start, visit)
        return best

    def _best_of(self, node: NodeId, shown: set[str] | None) -> tuple[float, str] | None:
        left = self._failed[node] > _GIVE_UP
        best: tuple[float, str] | None = None
        known = self._ledger.controls.get(node, {})
        for place, key in enumerate(self._ledger.mapper.graph.untried.get(node, ())):
            lost = left or self._unseen[node, key] >= _LOST_SIGHT
            if lost and (shown is None or key not in shown):
                continue  # What this very look shows can be tried, however often it was not found.
            control = known.get(key)
            cost = price(self._ledger, node, key, control) + self._unseen[node, key]
            if control is not None and control.template and self._ledger.rows_tried(node, control)[0] % 2:
                cost -= 1e-6 * place  # After the first row the last one: it is the likeliest to differ.
            if shown is not None and key not in shown:
                # Of the rows of a list one in view will do.
                cost += 2 * _HIDDEN if control is not None and control.template else _HIDDEN
            if best is None or cost < best[0]:
                best = (cost, key)
        return best

    # Moving

    def _hop(self, here: Here, goal: _Goal) -> _Steps:
        source, way = here.node, goal.way
        if way.kind == "launch":
            here = yield Relaunch()
            if here.node != way.expected:
                self._reach.penalty[here.node, "launch"] += 2.0
            return self._judged(here, goal, way, source)
        if way.kind == "back":
            closing = self._closing(here, way.expected)
            if closing is not None:
                here = yield Do(closing.action, closing.key)
                return self._judged(here, goal, way, source)
            here = yield BACK
            self._reach.learn_back(source, way.expected is not None and self._is(way.expected, here.node))
            return self._judged(here, goal, way, source)
        found, here = yield from self._find(here, way.key)
        if here.node != source or found is None:
            self._blame(goal, source, way.key, 3.0)
            for edge in self._ledger.mapper.graph.outcomes(source, way.key):
                if edge.target == way.expected:
                    self._ledger.mapper.miss(edge)
            return here
        here = yield Do(found, way.key)
        return self._judged(here, goal, way, source)

    def _closing(self, here: Here, expected: NodeId | None) -> Control | None:
        """Find a way out that a layer offers itself, untried or known to lead back: surer than Back."""
        if not self._reach.is_modal(here.node):
            return None
        ways = (c for c in here.controls if isinstance(c.action, Tap) and refuses(c.label))
        return next((c for c in ways if self._closes(here.node, c, expected)), None)

    def _closes(self, node: NodeId, control: Control, expected: NodeId | None) -> bool:
        led = self._ledger.outcomes.get((node, control.key))
        if led is None:
            return self._ledger.open(node, control)
        return expected is not None and set(led) == {self._ledger.mapper.resolve(expected)}

    def _judged(self, here: Here, goal: _Goal, way: Way, source: NodeId) -> Here:
        """Compare where a hop landed with where it was meant to."""
        if way.expected is not None and self._is(way.expected, here.node):
            if self._is(goal.node, here.node):
                self._failed[here.node] = 0
            return here
        self._blame(goal, source, way.key or "launch", 2.0)
        return here

    def _is(self, node: NodeId, other: NodeId) -> bool:
        return self._ledger.mapper.resolve(node) == other

    def _blame(self, goal: _Goal, node: NodeId, key: str, penalty: float) -> None:
        self._reach.penalty[node, key] += penalty
        self._failed[goal.node] += 1
        self._goal = None

    def _find(self, here: Here, key: str) -> _Finding:
        """Aim a known action at the present look, scrolling its page where it is out of view."""
        shown = next((c for c in here.controls if c.key == key), None)
        if shown is not None:
            return shown.action, here
        node = here.node
        here = yield from self._scroller.reveal(here, key)
        if here.node != node:
            return None, here
        shown = next((c for c in here.controls if c.key == key), None)
        if shown is not None:
            return shown.action, here
        return self._healed(here, key), here

    def _healed(self, here: Here, key: str) -> Action | None:
        """Find a renamed element of an edge by the rest of its evidence."""
        for edge in self._ledger.mapper.graph.outcomes(here.node, key):
            if getattr(edge.action, "target", None) is not None:
                return regrounded(edge.action, here.observation.screen)
        return None

    # Trying

    def _varied(self, here: Here, key: str) -> _Steps:
        """Bring back the item of a page of many that has a control, by the taps that led to it before."""
        node, launched = here.node, False
        for _ in range(_DEEP):
            shown = set(_keys(here))
            step = self._variants.toward(node, key, shown) if key not in shown else None
            if (
                here.node != node
                or step is None
                or (step == LAUNCH and (launched or not self._at_start(node)))
            ):
                break
            launched = step == LAUNCH
            control = _shown(here, step)
            if launched:
                here = yield Relaunch()
            elif control is not None:
                here = yield Do(control.action, step)
        return here

    def _at_start(self, node: NodeId) -> bool:
        start = self._session.start
        return start is not None and self._is(start, node)

    def _probe(self, here: Here, goal: _Goal) -> _Steps:
        node = here.node
        here = yield from self._varied(here, goal.key)
        if here.node != node:
            self._unseen[node, goal.key] += 1
            return here
        action, here = yield from self._find(here, goal.key)
        if here.node != node or action is None:
            self._unseen[node, goal.key] += 1
            return here
        if isinstance(action, TypeText):
            return (yield from self._fill(here))
        shown, known = set(_keys(here)), self._ledger.known(node)
        here = yield Do(action, goal.key)
        if isinstance(action, Tap) and here.node == node:
            self._variants.tapped(node, goal.key, shown, _keys(here))
            here = yield from self._repeated(here, goal.key)
        if isinstance(action, Swipe):
            self._ledger.yields.tried(action, paid=here.node != node or self._ledger.known(node) > known)
            return (yield from self._scroller.onward(here, node, goal.key)) if here.node == node else here
        here = yield from self._restored(here, node, goal.key, shown)
        if here.node == node and self._bars(here):
            self._ledger.barred.add(node)
            self._ledger.refresh(node)
        return here

    def _repeated(self, here: Here, key: str) -> _Steps:
        """Go back and tap a row again that brought other rows of its page: levels are proved so."""
        node = here.node
        if self._doubts[node] >= _DOUBTS or not self._ledger.mapper.levels.suspects(node, key):
            return here
        self._doubts[node] += 1
        here = yield BACK
        again = _shown(here, key)
        return (yield Do(again.action, key)) if here.node == node and again is not None else here

    def _restored(self, here: Here, node: NodeId, key: str, shown: set[str]) -> _Steps:
        """Set back a toggle that took away what is still to be tried on its page."""
        untried = set(self._ledger.mapper.graph.untried.get(node, ()))
        now = {c.key for c in here.controls}
        again = _shown(here, key)
        if here.node != node or again is None or not (shown - now) & untried:
            return here
        return (yield Do(again.action, again.key))

    def _bars(self, here: Here) -> bool:
        """Whether a button of a form led nowhere, and no secret is asked for on the page."""
        fields = [e for e in here.observation.screen.visible() if e.role.value == "field"]
        return bool(fields) and not any(e.password for e in fields) and bool(self._ledger.stays(here.node))

    def _fill(self, here: Here) -> _Steps:
        """Fill the fields of a page with sample text, then press again what led nowhere."""
        node = here.node
        for control in [c for c in here.controls if isinstance(c.action, TypeText)]:
            if here.node != node:
                return here
            fresh = _shown(here, control.key) or control
            if self._ledger.open(node, fresh):
                here = yield Do(fresh.action, fresh.key)
        if node in self._filled:
            return here
        self._filled.add(node)
        for control in self._ledger.stays(node):
            shown_now = _shown(here, control.key)
            if here.node == node and shown_now is not None and isinstance(shown_now.action, Tap):
                here = yield Do(shown_now.action, shown_now.key)
        return here


def _keys(here: Here) -> list[str]:
    return [c.key for c in here.controls]


def _shown(here: Here, key: str) -> Control | None:
    return next((c for c in here.controls if c.key == key), None)
