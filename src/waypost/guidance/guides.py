"""Guides: what an actor is told before each step, given what it sees."""

import math

from waypost.actors.locator import Locator
from waypost.guidance.text import block, exits, hop, page
from waypost.model import NodeId, Observation, Plan, Record
from waypost.protocols import Guide, Planner

__all__ = ["Replanning", "Rewritten", "fixed", "silent"]


def silent(observation: Observation) -> str:
    """Say nothing: the arm without memory.

    >>> from waypost.model import Screen
    >>> silent(Observation(Screen()))
    ''
    """
    return ""


def fixed(text: str) -> Guide:
    """Say the same text before every step (open loop).

    >>> from waypost.model import Screen
    >>> fixed("Go home.")(Observation(Screen()))
    'Go home.'
    """
    return lambda observation: text


class Replanning:
    """Find out before every step where the actor is, and say the way from there (closed loop).

    An action that was told before and led nowhere is told as a last resort only.
    """

    def __init__(self, instruction: str, locator: Locator, planner: Planner, record: Record) -> None:
        self._instruction = instruction
        self._locator = locator
        self._planner = planner
        self._record = record
        self._told: tuple[NodeId, str] | None = None
        self._vain: dict[tuple[NodeId, str], int] = {}

    def __call__(self, observation: Observation) -> str:
        graph = self._locator.graph
        goal = self._locator.resolve(self._record.node)
        found = self._locator.locate(observation)
        if found is None:
            head = block(self._instruction, self._record, None, graph)
            return f"{head}\nYou are on a page that is not on the map. Go back to one of the waypoints."
        here = found.node
        if self._told is not None and self._told[0] == here:
            self._vain[self._told] = self._vain.get(self._told, 0) + 1
        plan = self._planner.plan(graph, here, goal, penalties=self._fee)
        self._told = (here, plan.steps[0].key) if plan.steps else None
        return "\n".join([block(self._instruction, self._record, plan, graph), *self._next(here, goal, plan)])

    def _fee(self, node: NodeId, key: str) -> float:
        tries = self._vain.get((node, key), 0)
        return math.inf if tries >= 3 else 4.0 * tries

    def _next(self, here: NodeId, goal: NodeId, plan: Plan) -> list[str]:
        graph = self._locator.graph
        if here == goal:
            return [f"You are here: {page(graph, here)}. This is the destination: stop."]
        lines = [f"You are here: {page(graph, here)}."]
        if plan.steps:
            lines.append(f"Next: {hop(plan.steps[0], graph)}.")
        else:
            lines.append("The map has no way from here to the destination.")
        others = exits(graph, here)
        if others:
            lines += ["If that is not on the screen, these lead on from here:", *(f"- {e}" for e in others)]
        return lines


class Rewritten:
    """Say one text until the actor shows confusion, then write it anew from where it is (plan edit).

    Confusion is a page that is not on the map, or `patience` looks in a row that show the same. Between two
    edits the text stays as it is: an actor that gets on is not disturbed.
    """

    def __init__(self, text: str, anew: Guide, locator: Locator, *, patience: int = 3) -> None:
        self._text, self._anew, self._locator, self._patience = text, anew, locator, patience
        self._last: Observation | None = None
        self._still = 1
        self.edits = 0

    def __call__(self, observation: Observation) -> str:
        same = self._last is not None and self._last.screen == observation.screen
        self._still = self._still + 1 if same else 1
        self._last = observation
        if self._still >= self._patience or self._locator.locate(observation) is None:
            self._text, self._still = self._anew(observation), 1
            self.edits += 1
        return self._text
