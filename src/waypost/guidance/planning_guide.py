"""A planner's guide before every step (Agent+P, table 7): looks and what the actor did in, plain text out.

Where the actor is, which page is meant and how surely, the whole way with the page after each step, what
to do now, and all that leads on from here. What the actor does is added to the map as it is seen, a step
that did not land where the map says is penalised, and the way is planned anew.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from waypost.actors.locator import Locator
from waypost.guidance.text import PREFACE, STOP, exits, hop, page
from waypost.mapping import action_key
from waypost.model import (
    Action,
    Decision,
    Finish,
    Goal,
    NodeId,
    Observation,
    Plan,
    PlanStatus,
    Record,
    Terms,
    Transition,
)
from waypost.model.facts import changed, initial
from waypost.model.wording import one_line, quoted
from waypost.protocols import Actor, Planner

__all__ = ["Candidate", "Choose", "PlanningGuide", "selected"]

_FEES = (0.0, 2.0, 8.0)
"""What an action costs extra after so many misses; after more it is barred."""
_SHOWN = 10
"""Steps of the way that are told; agents lose the thread of longer lists."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A page that may be meant."""

    record: Record
    confidence: float
    """0 to 1."""
    why: str = ""


class Choose(Protocol):
    """Choose among the candidates that the embedding stage brought forward; a model, or a person."""

    def __call__(self, instruction: str, candidates: Sequence[Candidate]) -> int | None:
        """Return the number of the one meant, None for none of them."""
        ...


def selected(
    instruction: str, candidates: Sequence[Candidate], choose: Choose | None = None, *, most: int = 5
) -> Candidate | None:
    """Select the page meant (Agent+P's node selector): the best by embedding, then one choice among them.

    Without `choose` the first stays; None where the choice is none of them, or a number that is not there.
    """
    best = sorted(candidates, key=lambda c: -c.confidence)[:most]
    if not best or choose is None:
        return best[0] if best else None
    number = choose(instruction, best)
    return best[number] if number is not None and 0 <= number < len(best) else None


class Growing(Locator, Protocol):
    """A map that can be added to; `mapping.Mapper` fits."""

    def extend(
        self, source: NodeId, action: Action, key: str, after: Observation, *, before: Observation | None
    ) -> Transition: ...


class PlanningGuide:
    """Guide one episode. With `watching(actor)`, it hears what the actor does, and the map learns from it."""

    def __init__(
        self, instruction: str, growing: Growing, planner: Planner, candidates: Sequence[Candidate]
    ) -> None:
        self._instruction, self._map, self._planner = instruction, growing, planner
        self._candidates = list(candidates)
        self._misses: Counter[tuple[NodeId, str]] = Counter()
        self._held = initial(growing.graph.facts)
        self._before: tuple[NodeId, Observation] | None = None
        self._did: Action | None = None
        self._expected: Transition | None = None

    def watching(self, actor: Actor) -> Actor:
        """Return the actor, watched: what it decides is what the next look is held against."""
        return _Watched(actor, self)

    def did(self, action: Action) -> None:
        """Hear what the actor does on the page that was guided last."""
        self._did = None if isinstance(action, Finish) else action

    def __call__(self, observation: Observation) -> str:
        here = self._update(observation)
        lines = ["Guide from the app's map.", PREFACE, f"Task: {one_line(self._instruction, 500)}"]
        if not self._candidates:
            return "\n".join([*lines, "Goal: no page of the map fits the task.", *self._options(here)])
        goal = self._map.resolve(self._candidates[0].record.node)
        lines += self._analysis(goal)
        if here is None:
            return "\n".join([*lines, "You are on a page that is not on the map: go back to a known one."])
        plan = self._plan(here, goal)
        self._expected = plan.steps[0] if plan.steps else None
        lines.append(f"You are on: {page(self._map.graph, here)}.")
        return "\n".join([*lines, *self._way(plan), *self._options(here), *_tips(plan)])

    # What was done since the last look.

    def _update(self, observation: Observation) -> NodeId | None:
        """Add the step between the last look and this one to the map, and hold it against the plan."""
        seen: Transition | None = None
        if self._did is not None and self._before is not None:
            node, before = self._before
            seen = self._map.extend(node, self._did, action_key(self._did), observation, before=before)
            self._held = changed(self._held, (*seen.preconditions, *seen.effects))
            self._judge(seen)
        self._did, self._expected = None, None
        found = self._map.locate(observation)
        here = found.node if found is not None else (seen.target if seen is not None else None)
        self._before = (here, observation) if here is not None else None
        return here

    def _judge(self, seen: Transition) -> None:
        expected = self._expected
        if expected is None or seen.key != expected.key:
            return
        if self._map.resolve(seen.target) != self._map.resolve(expected.target):
            self._misses[self._map.resolve(expected.source), expected.key] += 1
            self._map.miss(expected)

    def _plan(self, here: NodeId, goal: NodeId) -> Plan:
        terms = Terms(held=self._held)
        wanted = Goal.either([goal])
        return self._planner.plan(self._map.graph, here, wanted, penalties=self._fee, terms=terms)

    def _fee(self, node: NodeId, key: str) -> float:
        misses = self._misses[node, key]
        return math.inf if misses >= len(_FEES) else _FEES[misses]

    # Wording.

    def _analysis(self, goal: NodeId) -> list[str]:
        best, *others = self._candidates
        name = quoted(best.record.name) if best.record.name else page(self._map.graph, goal)
        why = f"; {one_line(best.why, 120)}" if best.why else ""
        lines = [f"Goal: {name} ({best.confidence:.0%} sure{why})."]
        if others:
            told = ", ".join(f"{quoted(c.record.name)} ({c.confidence:.0%})" for c in others[:3])
            lines.append(f"It might also be: {told}.")
        return lines

    def _way(self, plan: Plan) -> list[str]:
        graph = self._map.graph
        if plan.status is PlanStatus.ALREADY_THERE:
            return ["This is the goal.", f"Do now: {STOP[0].lower()}{STOP[1:]}"]
        if not plan.steps:
            proven = plan.status is PlanStatus.UNREACHABLE
            return ["The map has no way to the goal from here." if proven else "No way was found in time."]
        kind = "best" if plan.status is PlanStatus.OPTIMAL else "a good"
        lines = [f"Way ({kind}, {len(plan.steps)} steps, {plan.cost:.1f} to expect):"]
        lines += [f"- {hop(step, graph)}{_for(step)}" for step in plan.steps[:_SHOWN]]
        if len(plan.steps) > _SHOWN:
            lines.append(f"- and {len(plan.steps) - _SHOWN} more")
        return [*lines, f"Do now: {hop(plan.steps[0], graph)}."]

    def _options(self, here: NodeId | None) -> list[str]:
        others = exits(self._map.graph, here, limit=20) if here is not None else []
        return ["All that leads on from here:", *(f"- {o}" for o in others)] if others else []


def _for(step: Transition) -> str:
    made = [quoted(e) for e in step.effects if not e.startswith("not ")]
    return f" (needed: it makes {', '.join(made)} hold)" if made else ""


def _tips(plan: Plan) -> list[str]:
    tips = ["If what to do now is not on the screen, scroll once to look for it, then take another option."]
    if plan.found:
        tips.append(STOP)
    return ["Tips:", *(f"- {t}" for t in tips)]


class _Watched:
    def __init__(self, actor: Actor, guide: PlanningGuide) -> None:
        self._actor, self._guide = actor, guide

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        decision = self._actor.act(instruction, observation, guidance)
        self._guide.did(decision.action)
        return decision
