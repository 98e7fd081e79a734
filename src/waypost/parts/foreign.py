"""Parts of other packages behind the seams: a plug-in's name in, a part that breaks in plain words out."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from waypost.errors import DeviceError, ModelError, UsageError, WaypostError
from waypost.model import (
    Action,
    AppGraph,
    Decision,
    Element,
    Goal,
    NodeId,
    Observation,
    Plan,
    PlanStatus,
    Screen,
    Terms,
)
from waypost.parts.plugins import Kind, Plugin, fitting, foreign, loaded, plugin
from waypost.planning.checking import Question, cost_of, faults
from waypost.protocols import Actor, Comparison, Device, ElementFinder, Planner, ScreenMatcher

__all__ = ["foreign_actor", "foreign_device", "foreign_finder", "foreign_matcher", "foreign_planner", "tried"]

_METHODS: dict[Kind, tuple[str, ...]] = {
    "matcher": ("compare",),
    "planner": ("plan",),
    "device": ("observe", "perform", "restart", "close"),
    "actor": ("act",),
    "finder": ("find",),
}


def foreign_matcher(name: str) -> ScreenMatcher | None:
    """Make the matcher of a plug-in, called with nothing; None where no plug-in is called so."""
    found = plugin("matcher", name)
    return _Matcher(found, _made(found)) if found else None


def foreign_planner(name: str) -> Planner | None:
    """Make the planner of a plug-in, called with nothing; None where no plug-in is called so."""
    found = plugin("planner", name)
    return _Planner(found, _made(found)) if found else None


def foreign_device(kind: str, address: str) -> Device | None:
    """Open the device of a plug-in, called with the address; None where no plug-in is called so."""
    found = plugin("device", kind)
    return _Device(found, _made(found, address), f"{kind}:{address}") if found else None


def foreign_actor(name: str, words: str) -> Callable[[], Actor] | None:
    """Return what makes a fresh actor, called with the words after its name; None for no such plug-in."""
    found = plugin("actor", name)
    return (lambda: _Actor(found, _made(found, words))) if found else None


def foreign_finder(name: str) -> ElementFinder | None:
    """Make the finder of a plug-in, called with nothing; None where no plug-in is called so."""
    found = plugin("finder", name)
    return _Finder(found, _made(found)) if found else None


def tried(offered: Plugin) -> str:
    """Import a plug-in without calling it, and say what is wrong with it; empty for nothing."""
    try:
        loaded(offered)
    except WaypostError as e:
        return str(e)
    return ""


def _made(offered: Plugin, *words: Any) -> Any:
    factory = loaded(offered)
    error = DeviceError if offered.kind == "device" else UsageError
    part = foreign(offered, lambda: factory(*words), error)
    missing = [m for m in _METHODS[offered.kind] if not callable(getattr(part, m, None))]
    if missing:
        raise UsageError(f"T{str(offered)[1:]} has no method {missing[0]!r}; see waypost.protocols")
    return part


class _Matcher:
    def __init__(self, offered: Plugin, inner: ScreenMatcher) -> None:
        self._offered, self._inner = offered, inner

    def compare(self, a: Screen, b: Screen) -> Comparison:
        said = foreign(self._offered, lambda: self._inner.compare(a, b), UsageError)
        found: Comparison = fitting(self._offered, said, Comparison, UsageError)
        if not 0.0 <= found.score <= 1.0:
            raise UsageError(f"T{str(self._offered)[1:]} scores {found.score}; a score is from 0 to 1")
        return found


class _Planner:
    """Holds every plan against the map: a way that is not on it is never told."""

    def __init__(self, offered: Plugin, inner: Planner) -> None:
        self._offered, self._inner = offered, inner

    def plan(
        self,
        graph: AppGraph,
        start: NodeId,
        goal: NodeId | Goal,
        *,
        penalties: Callable[[NodeId, str], float] | None = None,
        terms: Terms | None = None,
    ) -> Plan:
        def ask() -> Plan:
            return self._inner.plan(graph, start, goal, penalties=penalties, terms=terms)

        said: Plan = fitting(self._offered, foreign(self._offered, ask, UsageError), Plan, UsageError)
        asked = goal if isinstance(goal, Goal) else Goal((frozenset({goal}),))
        question = Question(start, asked, terms or Terms())
        # Its steps may be no steps at all: holding them against the map may break as well.
        plan: Plan = foreign(self._offered, lambda: self._told(graph, question, said), UsageError)
        wrong = faults(graph, question, plan)
        if wrong:
            raise UsageError(f"T{str(self._offered)[1:]} gave a plan that is wrong: {'; '.join(wrong[:3])}")
        return plan

    def _told(self, graph: AppGraph, question: Question, plan: Plan) -> Plan:
        """Price a plan by our list, and take no proof on trust."""
        named = replace(plan, planner=f"{self._offered.name} ({self._offered.package})", bound=None)
        match plan.status:
            case PlanStatus.UNREACHABLE:
                return replace(
                    named, status=PlanStatus.GAVE_UP, reason=plan.reason or "said to be unreachable"
                )
            case PlanStatus.OPTIMAL | PlanStatus.SATISFICING:
                cost = cost_of(graph, question, plan)
                return replace(named, status=PlanStatus.SATISFICING, cost=cost)
        return named


class _Device:
    def __init__(self, offered: Plugin, inner: Device, name: str) -> None:
        self._offered, self._inner, self._name = offered, inner, name

    @property
    def name(self) -> str:
        return self._name

    def observe(self, *, pixels: bool = False) -> Observation:
        seen = self._ask(lambda: self._inner.observe(pixels=pixels))
        found: Observation = fitting(self._offered, seen, Observation, DeviceError)
        return found

    def perform(self, action: Action) -> None:
        self._ask(lambda: self._inner.perform(action))

    def restart(self, app: str = "") -> None:
        self._ask(lambda: self._inner.restart(app))

    def close(self) -> None:
        self._ask(self._inner.close)

    def __getattr__(self, name: str) -> Any:
        # What a device may have beside the seam: `settles`, `profile`, `app_version`.
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._inner, name)

    def _ask(self, deed: Callable[[], Any]) -> Any:
        return foreign(self._offered, deed, DeviceError)


class _Finder:
    """Takes what was found as it is, but for its name: every element says who has seen it."""

    def __init__(self, offered: Plugin, inner: ElementFinder) -> None:
        self._offered, self._inner = offered, inner

    @property
    def id(self) -> str:
        return self._offered.name

    def find(self, picture: bytes, size: tuple[int, int]) -> tuple[Element, ...]:
        said = foreign(self._offered, lambda: tuple(self._inner.find(picture, size)), DeviceError)
        return tuple(
            replace(fitting(self._offered, e, Element, DeviceError), class_name=self.id) for e in said
        )


class _Actor:
    def __init__(self, offered: Plugin, inner: Actor) -> None:
        self._offered, self._inner = offered, inner

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        # Whoever acts is at fault as a model would be: the episode says so, and its steps are kept.
        said = foreign(self._offered, lambda: self._inner.act(instruction, observation, guidance), ModelError)
        decided: Decision = fitting(self._offered, said, Decision, ModelError)
        fitting(self._offered, decided.action, Action, ModelError)
        return decided
