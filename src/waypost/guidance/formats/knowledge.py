"""What every format is made from: a map, its records, and how near two texts are in meaning."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from waypost.actors.locator import Locator
from waypost.guidance.text import PREFACE, hop, page, tellable
from waypost.mapping import controls
from waypost.mapping.naming import plain
from waypost.model import Action, Evidence, NodeId, Observation, Plan, PlanStatus, Record, Transition
from waypost.model.wording import one_line, quoted
from waypost.protocols import Planner, Vectors

__all__ = ["Element", "Knowledge", "head", "identity", "leads", "uses", "way"]


@dataclass(frozen=True)
class Knowledge:
    locator: Locator
    planner: Planner
    records: Sequence[Record]
    vectors: Callable[[Sequence[str]], Vectors]
    """Unit rows of texts that the map holds, from a cache where there is one."""
    asked: Callable[[Sequence[str]], Vectors]
    """The same of texts that are only passing: tasks and looks."""
    aim: Record | None = None
    """The page that is meant; only formats that aim look at it."""
    handbook: str = ""
    """What somebody wrote of the app by hand."""

    def best(self, asked: str, texts: Sequence[str], most: int) -> list[int]:
        """Return the places of the texts nearest in meaning, best first, ties in their order."""
        if not texts or not asked.strip():
            return []
        scores = self.vectors(texts) @ self.asked([asked])[0]
        return [int(i) for i in np.argsort(-scores, kind="stable")[:most]]

    def here(self, observation: Observation) -> NodeId | None:
        """Return the page of the map that a look shows; None where it is on none."""
        found = self.locator.locate(observation)
        return None if found is None else self.locator.resolve(found.node)

    def record(self, node: NodeId) -> Record | None:
        return self._by_page.get(self.locator.resolve(node))

    def plan(self, start: NodeId, goal: NodeId) -> Plan:
        return self.planner.plan(self.locator.graph, start, self.locator.resolve(goal))

    def offers(self, node: NodeId, most: int = 3) -> str:
        """Say what can be done on a page, in quotes; empty where nothing is known of it."""
        record = self.record(node)
        # The first intent is the page's name over again.
        wishes = [w for w in record.intents if w != record.name] if record else []
        return ", ".join(quoted(w) for w in wishes[:most])

    def steps(self) -> Iterator[Transition]:
        """Yield the steps that may be told and that lead on by an element."""
        for step in self.locator.graph.transitions.values():
            if tellable(step) and step.target != step.source and getattr(step.action, "target", None):
                yield step

    @cached_property
    def _by_page(self) -> dict[NodeId, Record]:
        return {self.locator.resolve(r.node): r for r in self.records}

    @cached_property
    def by_element(self) -> dict[tuple[str, str, str], list[Transition]]:
        """Return the steps by what their element is and is called, whatever page it was seen on."""
        found: dict[tuple[str, str, str], list[Transition]] = {}
        for step in self.steps():
            found.setdefault(identity(step.action.target), []).append(step)  # type: ignore[union-attr, arg-type]
        return found


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the screen that the map knows of, and the steps on which it was seen to act."""

    action: Action
    steps: tuple[Transition, ...]


def uses(known: Knowledge, observation: Observation) -> list[Element]:
    """List the harmless elements of a look that the map knows, in the screen's order.

    What was seen on this very page counts before what was seen of the same element on another.
    """
    here = known.here(observation)
    found: dict[tuple[str, str, str], Element] = {}
    for control in controls(observation.screen):
        target = getattr(control.action, "target", None)
        if target is None or target.hazard:
            continue
        steps = known.by_element.get(identity(target), [])
        mine = [s for s in steps if known.locator.resolve(s.source) == here] or steps
        if mine:
            mine = sorted(mine, key=lambda s: (-s.reliability, s.key, s.target))
            found.setdefault(identity(target), Element(mine[0].action, tuple(mine)))
    return list(found.values())


def identity(target: Evidence) -> tuple[str, str, str]:
    """Name an element whatever page it stands on."""
    return target.role.value, plain(target.label), target.resource_id


def way(plan: Plan, known: Knowledge) -> list[str]:
    """Word the steps of a plan; none where there is no way that may be told."""
    if plan.status is PlanStatus.ALREADY_THERE or not all(tellable(s) for s in plan.steps):
        return []
    return [hop(step, known.locator.graph) for step in plan.steps]


def head(kind: str, instruction: str) -> list[str]:
    """Begin a text: what it is, that quoted words are data, and the task."""
    return [kind, PREFACE, f"Task: {one_line(instruction, 500)}"]


def leads(step: Transition, known: Knowledge) -> str:
    """Say where a step leads, and what can be done there."""
    offers = known.offers(step.target)
    where = page(known.locator.graph, step.target)
    return f"{where}, where one can find {offers}" if offers else where
