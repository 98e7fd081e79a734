"""The truth about a pocket app, from its file: pages, transitions, what can be reached, the shortest ways."""

from functools import cache

from waypost.adapters.pocket.edges import BACK, Edge, edges
from waypost.adapters.pocket.load import load
from waypost.adapters.pocket.search import Way, search
from waypost.adapters.pocket.spec import Spec

__all__ = [
    "BACK",
    "SIDE_STATES",
    "Edge",
    "Way",
    "pages",
    "reachable_without_hazards",
    "shortest",
    "transitions",
    "ways",
]

SIDE_STATES = ("side:splash", "side:permission", "side:ad", "side:crash", "side:external", "side:settling")
"""Labels of looks that are not a page."""


def _spec(app: str | Spec) -> Spec:
    return load(app) if isinstance(app, str) else app


def pages(app: str | Spec) -> tuple[str, ...]:
    """Full ids of all pages and overlays of an app, sorted."""
    spec = _spec(app)
    return tuple(sorted(spec.full(p) for p in spec.pages))


def transitions(app: str | Spec) -> tuple[Edge, ...]:
    """Every transition that the file states; page ids are full, side states as they are."""
    spec = _spec(app)

    def full(page: str) -> str:
        return spec.full(page) if page in spec.pages else page

    return tuple(Edge(full(e.source), e.widget, e.action, full(e.target), e.hazard) for e in edges(spec))


@cache
def _ways(spec: Spec, hazards: bool) -> dict[str, Way]:
    found = search(spec, hazards=hazards)
    return {spec.full(p): Way(w.actions, tuple(map(spec.full, w.pages))) for p, w in found.items()}


def ways(app: str | Spec, *, hazards: bool = False) -> dict[str, Way]:
    """The shortest way to every page that can be reached from a fresh start of the app, by full id."""
    return dict(_ways(_spec(app), hazards))


def reachable_without_hazards(app: str | Spec) -> set[str]:
    """Full ids of the pages that can be reached without anything hazardous."""
    return set(_ways(_spec(app), False))


def shortest(app: str | Spec, goal: str) -> Way | None:
    """The shortest harmless way from a fresh start to `goal` (a full id); None where there is none."""
    return _ways(_spec(app), False).get(goal)
