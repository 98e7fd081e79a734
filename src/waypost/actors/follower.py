"""Go to a page by the map, without a model: a look in, the next verified hop out."""

import math
from collections import Counter
from dataclasses import dataclass

from waypost.actors.locator import Locator
from waypost.actors.scrolling import Scrolling
from waypost.mapping.controls import controls
from waypost.mapping.grounding import regrounded
from waypost.mapping.overlays import dismissal, side_state
from waypost.mapping.settle import loading
from waypost.model import (
    Action,
    Decision,
    Finish,
    Launch,
    NodeId,
    Observation,
    PageKind,
    Plan,
    Press,
    Screen,
    Tap,
    Transition,
    TreeQuality,
    Wait,
)
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
    waits: int = 4
    """Looks at a page that loads or shows no tree."""
    dismissals: int = 6
    """Ways out of side states in a row."""
    fees: tuple[float, ...] = (0.0, 2.0, 40.0)
    """What an action costs extra after so many misses; after more it is barred."""


@dataclass
class _Hop:
    """A step under way: what it was meant to do, and what has come in between."""

    step: Transition
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
        self._searched: set[NodeId] = set()
        """Pages whose lists were searched from end to end."""
        self._relaunches = self._waits = self._dismissals = self._lost = 0
        self._trouble = ""
        self._gate = ""

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        """Return the next action; neither the instruction nor the guidance is read."""
        screen = observation.screen
        if screen.quality is TreeQuality.NONE or loading(screen):
            return self._wait(screen)
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
            plan = self._planner.plan(self._map.graph, here, goal, penalties=self._fee)
            if here == goal:
                return Decision(Finish(True, f"On {self._name(goal)}"), "the destination is shown")
            if not plan.steps:
                return self._give_up(f"no way from {self._name(here)} to {self._name(goal)} is left")
            decision = self._take(plan, screen)
            if decision is not None:
                return decision
        return self._give_up(f"no step of the way from {self._name(here)} can be taken")

    def _take(self, plan: Plan, screen: Screen) -> Decision | None:
        """Do the first step, or look for its control; None where the step has to be struck."""
        step = plan.steps[0]
        if isinstance(step.action, Launch):
            return self._launch(step)
        action = regrounded(step.action, screen)
        if action is None:
            drag = self._look_for(step, screen)
            if drag is not None:
                return drag
            action = self._stand_in(step, screen)
        if action is None or self._hazardous(step, action):
            why = "is not on the screen" if action is None else "could not be undone"
            self._strike(
                step, f"what leads from {self._name(step.source)} to {self._name(step.target)} {why}"
            )
            return None
        self._search = None
        self._hop = _Hop(step)
        return Decision(action, f"from {self._name(step.source)} to {self._name(step.target)}", step.target)

    def _look_for(self, step: Transition, screen: Screen) -> Decision | None:
        at = (step.source, step.key)
        if step.source in self._searched and step.key not in self._seen[step.source]:
            return None
        if self._search is None or self._search[0] != at:
            target = getattr(step.action, "target", None)
            self._search = (at, Scrolling(target, limit=self._config.scrolls))
            if screen.keyboard:
                # A soft keyboard hides half of the page; Back closes it and nothing else.
                return Decision(Press("back"), "close the keyboard", step.source)
        drag = self._search[1].next(screen)
        if drag is None:
            self._searched.add(step.source)
        return Decision(drag, "scroll to find the control", step.source) if drag else None

    def _stand_in(self, step: Transition, screen: Screen) -> Action | None:
        """Take any row of a list whose known rows all lead to the same page: contact A or contact B."""
        template = _template(step)
        rows = [t for t in self._map.graph.leaving(step.source) if template and _template(t) == template]
        if not template or any(t.target != step.target for t in rows):
            return None
        for control in controls(screen):
            if control.template == template and type(control.action) is type(step.action):
                return control.action
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
        if here == expected:
            self._hop = None
            return True
        nothing = here is None or here == self._map.resolve(step.source)
        if nothing and not hop.waited and not hop.interrupted:
            return False
        self._hop = None
        self._lost = max(self._lost, int(here is None))
        where = self._name(here) if here else "a page that is not on the map"
        trouble = f"{self._name(step.source)} led to {where} instead of {self._name(step.target)}"
        if hop.interrupted and here == self._map.resolve(step.source):
            self._misses[step.source, step.key] += 1  # What lay in front took the tap: not the edge's fault.
            return True
        if here != self._map.resolve(self._goal) and _asks_for_secret(screen):
            self._gate = f"a page that asks for a password bars the way ({where})"
            self._misses[step.source, step.key] += len(self._config.fees)
        self._strike(step, trouble, times=1)
        return True

    def _strike(self, step: Transition, trouble: str, times: int = 99) -> None:
        self._misses[step.source, step.key] += times
        self._trouble = trouble
        self._search = None
        if not isinstance(step.action, Launch):
            self._map.miss(step)

    def _fee(self, source: NodeId, key: str) -> float:
        if key == "launch" and self._relaunches >= self._config.relaunches:
            return math.inf
        misses = self._misses[self._map.resolve(source), key] + self._relaunches * (key == "launch")
        return self._config.fees[misses] if misses < len(self._config.fees) else math.inf

    # Where it is not known where we are, or something lies in front.

    def _wait(self, screen: Screen) -> Decision:
        self._waits += 1
        if self._waits <= self._config.waits:
            return Decision(Wait(1.0), "the page is not there yet", self._expected())
        blind = screen.quality is TreeQuality.NONE
        return self._restart("the screen cannot be read" if blind else "the page does not stop loading")

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
        nowhere = NodeId("")
        return self._launch(Transition(nowhere, Launch(graph.app, fresh=True), graph.root, "launch"))

    def _launch(self, step: Transition) -> Decision:
        if self._relaunches >= self._config.relaunches:
            return self._give_up(self._trouble)
        self._relaunches += 1
        self._waits = self._dismissals = 0
        self._search = None
        self._hop = None
        return Decision(step.action, "start the app anew", step.target)

    def _give_up(self, why: str) -> Decision:
        reasons = [r for r in dict.fromkeys((self._gate, why, self._trouble)) if r]
        return Decision(Finish(False, "; ".join(reasons)), "nothing is left to try")

    def _expected(self) -> NodeId | None:
        return self._hop.step.target if self._hop else None

    def _name(self, node: NodeId) -> str:
        known = self._map.graph.nodes.get(node)
        return repr(known.name if known and known.name else str(node))


def _template(step: Transition) -> str:
    target = step.action.target if isinstance(step.action, Tap) else None
    return target.template if target else ""


def _asks_for_secret(screen: Screen) -> bool:
    return any(e.password for e in screen.visible())
