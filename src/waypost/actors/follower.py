"""Go to a page by the map, without a model: a look in, the next verified hop out."""

import math
from collections import Counter
from dataclasses import dataclass

from waypost.actors.aiming import Aim, aim, alike, stand_in
from waypost.actors.choosing import named_row, unnamed_rows
from waypost.actors.locator import Locator
from waypost.actors.scrolling import Scrolling
from waypost.mapping import controls, dismissal, loading, side_state
from waypost.model import (
    Action,
    AppGraph,
    Decision,
    Finish,
    Launch,
    NodeId,
    Observation,
    PageKind,
    Plan,
    Press,
    Screen,
    Terms,
    Transition,
    TreeQuality,
    Wait,
)
from waypost.model.facts import changed, initial, kept
from waypost.planning import returning
from waypost.protocols import Planner

__all__ = ["Follower", "FollowerConfig"]


@dataclass(frozen=True, slots=True)
class FollowerConfig:
    """How often each way out of trouble is tried before the next one."""

    confidence: float = 0.5
    """Least confidence at which a page counts as recognised."""
    relaunches: int = 2
    scrolls: int = 20
    """Drags in one direction of one list."""
    searches: int = 3
    """Searches of one page; only one of them for what was never seen there."""
    waits: int = 4
    """Looks at a screen without a tree."""
    patience: int = 2
    """Looks at a page that still loads when the look before it had settled."""
    dismissals: int = 6
    """Ways out of side states in a row."""
    astray: float = 8.0
    """What going back costs extra where one came from elsewhere than the map expects."""
    fees: tuple[float, ...] = (0.0, 2.0, 40.0)
    """What an action costs extra after so many misses; after more it is barred."""


@dataclass
class _Hop:
    """A step under way: what it was meant to do, and what has come in between."""

    step: Transition
    literal: bool = True
    """Whether the control was the one that the map knows."""
    interrupted: bool = False
    waited: bool = False


class Follower:
    """Plans from where it really is, acts on evidence, and believes a landing only when it sees it.

    A hop that misses is reported to the map, made dearer for this episode, and the way is planned
    anew. Hazardous actions are never taken. When nothing is left it gives up and says why.
    """

    def __init__(
        self, locator: Locator, planner: Planner, goal: NodeId, *, config: FollowerConfig | None = None
    ) -> None:
        self._map = locator
        self._planner = planner
        self._goal = goal
        self._config = config or FollowerConfig()
        self._misses: Counter[tuple[NodeId, str]] = Counter()
        self._hop: _Hop | None = None
        self._search: tuple[tuple[NodeId, str], Scrolling] | None = None
        self._seen: dict[NodeId, set[str]] = {}
        """By page, the actions that were on offer."""
        self._searches: Counter[NodeId] = Counter()
        self._literal: set[tuple[NodeId, str]] = set()
        """Steps that nothing may stand in for any more."""
        self._back: frozenset[str] | None = None
        self._entry: Transition | None = None
        """The hop that led to where we are."""
        self._absent: list[tuple[Transition, Transition]] = []
        """Steps whose control was not there, each with the hop that led to its page."""
        self._held = initial(locator.graph.facts)
        """Facts that hold, as far as the steps taken tell."""
        self._relaunches = self._waits = self._dismissals = self._lost = 0
        self._trouble = ""
        self._gate = ""
        self._said = ""
        self._unnamed: dict[NodeId, dict[str, float]] = {}
        """By page, what its rows cost extra that the instruction hardly means."""
        self._rows_missed: set[str] = set()
        """Rows that the instruction names and that were not found, by page and label."""

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        """Return the next action. Of the instruction only the row of a list is read that it may name."""
        self._said = instruction
        screen = observation.screen
        blind = screen.quality is TreeQuality.NONE
        # What still turns after a while may turn for ever, and be a page all the same: a viewfinder, a call.
        if blind or (self._waits < self._config.patience and loading(screen)):
            return self._wait(blind)
        self._waits = 0
        side = side_state(screen, self._map.graph.app)
        if side is not None:
            return self._leave(screen, side.kind)
        self._dismissals = 0
        found = self._map.locate(observation)
        here = (
            self._map.resolve(found.node) if found and found.confidence >= self._config.confidence else None
        )
        if self._hop is not None and not self._landed(here, screen):
            self._hop.waited = True
            return Decision(Wait(1.0), "look again before calling it a miss", self._hop.step.target)
        if here is None:
            return self._recover(screen)
        self._lost = 0
        return self._go_on(here, screen)

    # Where it is known where we are.

    def _go_on(self, here: NodeId, screen: Screen) -> Decision:
        goal = self._map.resolve(self._goal)
        self._seen.setdefault(here, set()).update(c.key for c in controls(screen))
        # Bounded: every turn that does not return bars one more action of this page.
        for _ in range(100):
            terms = Terms(held=self._held)
            plan = self._planner.plan(self._map.graph, here, goal, penalties=self._fee, terms=terms)
            if here == goal:
                return Decision(Finish(True, f"On {self._name(goal)}"), "the destination is shown")
            if not plan.steps:
                again = self._by_another_way(goal)
                return again or self._give_up(f"no way from {self._name(here)} to {self._name(goal)} is left")
            decision = self._take(plan, screen)
            if decision is not None:
                return decision
        return self._give_up(f"no step of the way from {self._name(here)} can be taken")

    def _take(self, plan: Plan, screen: Screen) -> Decision | None:
        """Do the first step, or look for its control; None where the step has to be struck."""
        step = plan.steps[0]
        if isinstance(step.action, Launch):
            return self._launch(step)
        graph, literal = self._map.graph, (step.source, step.key) in self._literal
        row = None if literal else self._row(step, screen)
        if isinstance(row, Decision):
            return row
        found = row or aim(step, graph, screen, lambda t: not self._fee(t.source, t.key))
        if found is None and not literal:
            found = alike(step, graph, screen)
        if found is None:
            drag = self._look_for(step, screen)
            if drag is not None:
                return drag
            found = None if literal else stand_in(step, graph, screen)
        way = f"from {self._name(step.source)} to {self._name(step.target)}"
        if found is None or self._hazardous(found.step, found.action):
            why = "is not on the screen" if found is None else "could not be undone"
            if found is None and self._entry is not None:
                self._absent.append((self._entry, step))
            self._strike(step, f"what leads {way} {why}")
            return None
        self._search = None
        self._hop = _Hop(found.step, found.literal)
        return Decision(found.action, way, step.target)

    def _row(self, step: Transition, screen: Screen) -> Aim | Decision | None:
        """Aim at the row that the instruction names, or scroll for it; None where the step's own will do."""
        row = named_row(step, self._map.graph, screen, self._said)
        if row is None or row.aim is not None:
            return row.aim if row else None
        at = (step.source, f"row {row.label}")
        if f"{at}" in self._rows_missed:
            return None
        if self._search is None or self._search[0] != at:
            target = getattr(step.action, "target", None)
            self._search = (at, Scrolling(target, limit=self._config.scrolls))
        drag = self._search[1].next(screen)
        if drag is None:
            self._rows_missed.add(f"{at}")
            self._search = None
            return None
        return Decision(drag, f"scroll to find {row.label!r}", step.source)

    def _look_for(self, step: Transition, screen: Screen) -> Decision | None:
        at = (step.source, step.key)
        if self._search is None or self._search[0] != at:
            known = step.key in self._seen[step.source]
            if self._searches[step.source] >= (self._config.searches if known else 1):
                return None
            self._searches[step.source] += 1
            target = getattr(step.action, "target", None)
            self._search = (at, Scrolling(target, limit=self._config.scrolls))
            if screen.keyboard:
                # A soft keyboard hides half of the page; Back closes it and nothing else.
                return Decision(Press("back"), "close the keyboard", step.source)
        drag = self._search[1].next(screen)
        return Decision(drag, "scroll to find the control", step.source) if drag else None

    def _by_another_way(self, goal: NodeId) -> Decision | None:
        """Start over to come by another way: what a page lacks after one hop it may have after another."""
        root = self._map.graph.root
        while self._absent and root is not None and self._relaunches < self._config.relaunches:
            entry, step = self._absent.pop()
            for t in self._map.graph.leaving(entry.source):
                if t.target == entry.target:
                    self._misses[t.source, t.key] += len(self._config.fees)
            self._misses[step.source, step.key] = 0
            self._searches[step.source] = 0
            plan = self._planner.plan(self._map.graph, root, goal, penalties=self._fee)
            if plan.found:
                return self._launch(_relaunch(self._map.graph, root))
        return None

    def _hazardous(self, step: Transition, action: Action) -> bool:
        target = getattr(action, "target", None)
        return bool(step.hazard or (target is not None and target.hazard))

    # What came of the last step.

    def _landed(self, here: NodeId | None, screen: Screen) -> bool:
        """Settle the step under way; False where it is too early to tell."""
        assert self._hop is not None
        step, hop = self._hop.step, self._hop
        expected = self._map.resolve(step.target)
        self._learn(step, here)
        if here == expected:
            self._hop, self._entry = None, step
            return True
        nothing = here is None or here == self._map.resolve(step.source)
        if nothing and not hop.waited and not hop.interrupted:
            return False
        self._hop = self._entry = None
        self._lost = max(self._lost, int(here is None))
        where = self._name(here) if here else "a page that is not on the map"
        trouble = f"{self._name(step.source)} led to {where} instead of {self._name(step.target)}"
        if not hop.literal:
            # The guess was wrong, which says nothing of the step itself.
            self._literal.add((step.source, step.key))
            self._trouble = trouble
            return True
        if hop.interrupted and here == self._map.resolve(step.source):
            self._misses[step.source, step.key] += 1  # What lay in front took the tap: not the edge's fault.
            return True
        if here != self._map.resolve(self._goal) and _asks_for_secret(screen):
            self._gate = f"a page that asks for a password bars the way ({where})"
            self._misses[step.source, step.key] += len(self._config.fees)
        self._strike(step, trouble, times=1)
        return True

    def _learn(self, step: Transition, here: NodeId | None) -> None:
        """Conclude from where a step led what must have held before it, and holds now."""
        graph = self._map.graph
        if here is not None and (step.source, step.key, here) in graph.transitions:
            led = graph.transitions[step.source, step.key, here]
            self._held = changed(self._held, (*led.preconditions, *led.effects))

    def _strike(self, step: Transition, trouble: str, times: int = 99) -> None:
        self._misses[step.source, step.key] += times
        self._trouble = trouble
        self._search = None
        if not isinstance(step.action, Launch):
            self._map.miss(step)

    def _fee(self, source: NodeId, key: str) -> float:
        if key == "launch" and self._relaunches >= self._config.relaunches:
            return math.inf
        if self._entry is not None and self._leads_astray(source, key):
            return self._config.astray
        misses = self._misses[self._map.resolve(source), key] + self._relaunches * (key == "launch")
        if misses >= len(self._config.fees):
            return math.inf
        if source not in self._unnamed:
            self._unnamed[source] = unnamed_rows(source, self._map.graph, self._said)
        return self._config.fees[misses] + self._unnamed[source].get(key, 0.0)

    def _leads_astray(self, source: NodeId, key: str) -> bool:
        """Whether this goes back to where we came from, while the map also saw it lead elsewhere."""
        assert self._entry is not None
        if source != self._map.resolve(self._entry.target) or key not in self._returning():
            return False
        origin = self._map.resolve(self._entry.source)
        return any(t.target != origin for t in self._map.graph.outcomes(source, key))

    def _returning(self) -> frozenset[str]:
        if self._back is None:
            self._back = returning(self._map.graph.transitions.values())
        return self._back

    # Where it is not known where we are, or something lies in front.

    def _wait(self, blind: bool) -> Decision:
        self._waits += 1
        if blind and self._waits > self._config.waits:
            return self._restart("the screen cannot be read")
        return Decision(Wait(1.0), "the page is not there yet", self._expected())

    def _leave(self, screen: Screen, kind: PageKind) -> Decision:
        self._dismissals += 1
        if self._hop is not None:
            self._hop.interrupted = True
        if self._dismissals > self._config.dismissals:
            return self._restart("what lies over the app does not go away")
        if kind is PageKind.EXTERNAL and self._dismissals > 2:
            return self._restart("another app is in front")
        way_out = dismissal(screen) if kind is PageKind.OVERLAY else None
        return Decision(way_out or Press("back"), "leave what lies in front", self._expected())

    def _recover(self, screen: Screen) -> Decision:
        """On a page that the map does not have: look again, go back twice, relaunch."""
        self._lost += 1
        if _asks_for_secret(screen):
            self._gate = "a page that asks for a password bars the way"
        if self._lost == 1:
            return Decision(Wait(1.0), "this page is not on the map: look again")
        if self._lost <= 3:
            return Decision(dismissal(screen) or Press("back"), "this page is not on the map: go back")
        self._lost = 0
        return self._restart("stranded on a page that is not on the map")

    def _restart(self, why: str) -> Decision:
        graph = self._map.graph
        self._trouble = why
        if graph.root is None:
            return self._give_up(why)
        return self._launch(_relaunch(graph, graph.root))

    def _launch(self, step: Transition) -> Decision:
        if self._relaunches >= self._config.relaunches:
            return self._give_up(self._trouble)
        self._relaunches += 1
        self._waits = self._dismissals = 0
        self._search = self._hop = self._entry = None
        self._held = kept(self._held, self._map.graph.facts)
        return Decision(step.action, "start the app anew", step.target)

    def _give_up(self, why: str) -> Decision:
        reasons = [r for r in dict.fromkeys((self._gate, why, self._trouble)) if r]
        return Decision(Finish(False, "; ".join(reasons)), "nothing is left to try")

    def _expected(self) -> NodeId | None:
        return self._hop.step.target if self._hop else None

    def _name(self, node: NodeId) -> str:
        known = self._map.graph.nodes.get(node)
        return repr(known.name if known and known.name else str(node))


def _relaunch(graph: AppGraph, root: NodeId) -> Transition:
    return Transition(NodeId(""), Launch(graph.app, fresh=True), root, "launch")


def _asks_for_secret(screen: Screen) -> bool:
    return any(e.password for e in screen.visible())
