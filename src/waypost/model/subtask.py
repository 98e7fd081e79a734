"""An instruction that spans apps, parted: what each part asks, what it learns, and the way planned for it."""

from dataclasses import dataclass

from waypost.model.graph import NodeId
from waypost.model.plan import Plan

__all__ = ["Considered", "Leg", "SpanningPlan", "Subtask"]


@dataclass(frozen=True, slots=True)
class Subtask:
    """A part of a task that one app does."""

    what: str
    app: str = ""
    """Name of the app's map; empty where none of the installed apps has such a page."""
    learns: tuple[str, ...] = ()
    """Names of values that a later part needs, to be read here."""
    needs: tuple[str, ...] = ()
    """Names of values that earlier parts have read."""


@dataclass(frozen=True, slots=True)
class Considered:
    """A page that the memory of an app offered for a part."""

    node: NodeId
    name: str
    summary: str
    waypoints: tuple[str, ...] = ()
    score: float = 0.0
    """Only comparable within one part."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A part with its fine plan (MapAgent's T_fg)."""

    subtask: Subtask
    pages: tuple[Considered, ...] = ()
    """What the memory offered, best first."""
    target: NodeId | None = None
    """The page that it is done on; None where the memory has none."""
    plan: Plan | None = None
    """From the app's start, or from where the leg before ended in the same app."""
    stays: bool = False
    """Goes on in the app, from where the leg before ended."""
    words: str = ""
    """What to do there, in a sentence."""
    why: str = ""
    """Why there is no target, where there is none."""


@dataclass(frozen=True, slots=True)
class SpanningPlan:
    instruction: str
    legs: tuple[Leg, ...]
    by: str
    """Who planned it: `rules`, or a model's name."""

    @property
    def found(self) -> bool:
        """Whether every leg has a page and a way to it."""
        return bool(self.legs) and all(leg.plan is not None and leg.plan.found for leg in self.legs)
