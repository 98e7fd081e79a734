"""A way through the map, or the plain statement that there is none; what was asked for, on which terms."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from waypost.model.graph import NodeId, Transition

__all__ = ["Goal", "Plan", "PlanStatus", "Terms"]


@dataclass(frozen=True, slots=True)
class Goal:
    """What a plan must bring about: a page of every group visited, and then `facts` holding."""

    groups: tuple[frozenset[NodeId], ...] = ()
    """Of each, one page has to be visited; the page one starts from counts."""
    ordered: bool = False
    """Visit the groups in the order in which they stand; a page may serve for several in a row."""
    facts: tuple[str, ...] = ()
    """Literals (`signed_in`, `not locked`) that hold at the end."""

    @classmethod
    def every(cls, pages: Iterable[NodeId], *, ordered: bool = False) -> "Goal":
        """Visit all of these, in any order unless `ordered`.

        >>> len(Goal.every([NodeId("a"), NodeId("b")]).groups)
        2
        """
        return cls(tuple(frozenset({p}) for p in pages), ordered)

    @classmethod
    def either(cls, pages: Iterable[NodeId]) -> "Goal":
        """Visit one of these, whichever is nearest."""
        return cls((frozenset(pages),))


@dataclass(frozen=True, slots=True)
class Terms:
    """What a plan has to keep to, beside what the planner always avoids."""

    avoid_pages: frozenset[NodeId] = frozenset()
    """Never landed on; a plan may start from one."""
    avoid_actions: frozenset[tuple[NodeId, str]] = frozenset()
    """By page and action key."""
    avoid_hazards: frozenset[str] = frozenset()
    """Kinds of hazard (`pay`, `send`) never taken, even by a planner that allows hazards."""
    hops: int | None = None
    """Most steps of a plan, a relaunch included."""
    budget: int | None = None
    """Most states looked into before the planner gives up."""
    held: frozenset[str] | None = None
    """Facts that hold at the start; None for what the map says of an app that was never used."""


class PlanStatus(StrEnum):
    OPTIMAL = "optimal"
    """`steps` cost the least that any way costs; `bound` proves it."""
    SATISFICING = "satisficing"
    ALREADY_THERE = "already_there"
    UNREACHABLE = "unreachable"
    """Proven: the map has no way."""
    GAVE_UP = "gave_up"
    """The budget ran out first; a way may exist."""


@dataclass(frozen=True, slots=True)
class Plan:
    status: PlanStatus
    goal: NodeId
    """The page on which the plan ends; the one asked for where there is no plan."""
    steps: tuple[Transition, ...] = ()
    """Each step's `target` is the page expected after it."""
    cost: float = 0.0
    """Expected steps (see `planning.Costs`), penalties included."""
    bound: float | None = None
    """Lower bound on the cost of any way; equals `cost` where OPTIMAL."""
    planner: str = ""
    seconds: float = field(default=0.0, compare=False)
    """Time that planning took."""
    reason: str = ""
    """Why there is no plan, where there is more to say than the status."""

    @property
    def found(self) -> bool:
        """Whether following `steps` leads to the goal."""
        return self.status in (PlanStatus.OPTIMAL, PlanStatus.SATISFICING, PlanStatus.ALREADY_THERE)

    @property
    def expected(self) -> tuple[NodeId, ...]:
        """The page to expect after each step."""
        return tuple(step.target for step in self.steps)
