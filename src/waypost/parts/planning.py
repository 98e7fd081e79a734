"""`waypost plan`: an open map and pages by name in, plans, alternatives or PDDL files out."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from waypost.errors import UsageError
from waypost.guidance import route
from waypost.mapping import Mapper, page_called
from waypost.model import AppGraph, Goal, NodeId, Plan, Terms
from waypost.model.codec import encode
from waypost.model.facts import changed, initial, literal
from waypost.parts.face import Map
from waypost.planning import Pddl, PddlConfig, ProductSearch, ShortestPath, Staged, TreeSearch
from waypost.protocols import Planner

__all__ = ["PLANNERS", "PlanRequest", "Planned", "planned", "planner_called"]

PLANNERS = ("default", "product", "shortest", "tree", "fast_downward", "lmcut", "lazy")


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What to plan; pages by id or name."""

    visit: Sequence[str] = ()
    """Every one of these."""
    either: Sequence[str] = ()
    """And one of these."""
    ordered: bool = False
    start: str = ""
    """The app's start where empty."""
    hold: Sequence[str] = ()
    """Facts that must hold at the end."""
    given: Sequence[str] = ()
    """Facts that hold at the start, beside those that the map says."""
    terms: Terms = field(default_factory=Terms)
    avoid: Sequence[str] = ()
    """Pages."""
    planner: str = "default"


@dataclass(frozen=True, slots=True)
class Planned:
    plans: tuple[Plan, ...]
    text: str
    files: tuple[Path, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "plans": [encode(plan) for plan in self.plans],
            "text": self.text,
            "files": [str(f) for f in self.files],
        }


def planned(known: Map, request: PlanRequest, *, alternatives: int = 1, pddl: Path | None = None) -> Planned:
    """Plan on an open map; with `pddl`, write the problem as PDDL into that folder too. Raises UsageError."""
    graph = known.graph
    start, goal = _start(known.mapper, request.start), _goal(known.mapper, request)
    terms = _terms(known.mapper, request)
    files: tuple[Path, ...] = ()
    if pddl is not None:
        files = Pddl().export(graph, start, goal, terms=terms).write(pddl)
    if alternatives > 1:
        if len(goal.groups) != 1 or len(goal.groups[0]) != 1 or goal.facts or _gated(graph):
            raise UsageError(
                "--alternatives are ways to one page, on a map without facts; leave out the rest"
            )
        (page,) = goal.groups[0]
        plans = ShortestPath().alternatives(graph, start, page, k=alternatives, terms=terms)
    else:
        plans = (planner_called(request.planner).plan(graph, start, goal, terms=terms),)
    return Planned(plans, "\n\n".join(route(plan, graph) for plan in plans) or "No route.", files)


def _gated(graph: AppGraph) -> bool:
    """Whether some step of a map needs something beside its page."""
    return any(t.preconditions for t in graph.transitions.values())


def planner_called(name: str) -> Planner:
    """Return a planner by the name that users give it. Raises UsageError."""
    match name:
        case "default":
            return Staged()
        case "product":
            return ProductSearch()
        case "shortest":
            return ShortestPath()
        case "tree":
            return TreeSearch()
        case "fast_downward":
            return Pddl()
        case "lmcut" | "lazy":
            return Pddl(config=PddlConfig(search=name))
        case _:
            from waypost.parts.foreign import foreign_planner
            from waypost.parts.plugins import unknown

            theirs = foreign_planner(name)
            if theirs is None:
                raise unknown("planner", name, PLANNERS)
            return theirs


def _start(mapper: Mapper, name: str) -> NodeId:
    if name:
        return page_called(mapper, name).id
    if mapper.graph.root is None:
        raise UsageError("The map is empty; explore the app first")
    return mapper.graph.root


def _goal(mapper: Mapper, request: PlanRequest) -> Goal:
    groups = [frozenset({page_called(mapper, name).id}) for name in request.visit]
    if request.either:
        groups.append(frozenset(page_called(mapper, name).id for name in request.either))
    if not groups and not request.hold:
        raise UsageError("Say where to: --visit PAGE, --either PAGE or --hold FACT")
    return Goal(tuple(groups), request.ordered, _literals(request.hold))


def _terms(mapper: Mapper, request: PlanRequest) -> Terms:
    avoided = frozenset(page_called(mapper, name).id for name in request.avoid)
    held = changed(initial(mapper.graph.facts), _literals(request.given))
    return replace(request.terms, avoid_pages=request.terms.avoid_pages | avoided, held=held)


def _literals(texts: Sequence[str]) -> tuple[str, ...]:
    try:
        read = [literal(text) for text in texts]
    except ValueError as e:
        raise UsageError(str(e)) from e
    return tuple(r.fact if r.positive else f"not {r.fact}" for r in read)
