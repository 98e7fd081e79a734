"""What opens a gate: the steps of an exploration and a device in, preconditions that were tried out.

An action that led to one page until some other step was done, and to another page ever after, is
guessed to need that step. A guess is written on the map only after an experiment on a device that
starts from nothing: without the step the action has to lead where it led first, with it where it led later.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from waypost.mapping.mapper import Mapper
from waypost.model import AppGraph, Fact, NodeId, Transition

__all__ = ["Experiment", "Finding", "Hypothesis", "guesses", "learn_facts", "tested"]

StepAt: TypeAlias = tuple[NodeId, str, NodeId]
"""Source, action key, target."""

_MOST = 3
"""Guesses kept for one gate, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Doing `cause` makes `key` on `page` lead to `opened` where it led to `closed` before."""

    page: NodeId
    key: str
    closed: NodeId
    opened: NodeId
    cause: StepAt
    support: int
    """How often the action was seen to lead where the guess says."""


class Experiment(Protocol):
    """A device on which nothing was done yet, that can be walked by the map."""

    def go(self, page: NodeId) -> bool:
        """Go to a page; False where it was not reached."""
        ...

    def do(self, step: Transition) -> NodeId | None:
        """Do the action of a step where it stands, and return the page that shows; None for a new one."""
        ...

    def close(self) -> None: ...


def guesses(steps: Sequence[StepAt]) -> list[Hypothesis]:
    """Guess what opens gates, the best supported first. Only causes that fit every single step are named.

    Of several causes for one gate those count as likelier that were done on the page the closed gate
    led to, then those done shortly before the gate was found open.
    """
    seen: dict[tuple[NodeId, str], list[int]] = {}
    for i, (source, key, _) in enumerate(steps):
        seen.setdefault((source, key), []).append(i)
    first: dict[StepAt, int] = {}
    for i, step in enumerate(steps):
        first.setdefault(step, i)
    found: list[Hypothesis] = []
    for (page, key), at in seen.items():
        targets = [steps[i][2] for i in at]
        closed, opened = targets[0], targets[-1]
        turn = next((n for n, t in enumerate(targets) if t != closed), 0)
        # One change, once and for all: what turns to and fro depends on more than one step.
        if closed == opened or any(t != opened for t in targets[turn:]):
            continue
        after, before = at[turn - 1], at[turn]
        causes = [c for c, i in first.items() if after < i < before and c[:2] != (page, key)]
        causes.sort(key=lambda c: (c[0] != closed, -first[c]))
        found += [Hypothesis(page, key, closed, opened, cause, len(at)) for cause in causes[:_MOST]]
    return sorted(found, key=lambda h: -h.support)


@dataclass(frozen=True, slots=True)
class Finding:
    """What an experiment said of a guess."""

    hypothesis: Hypothesis
    holds: bool
    why: str


def tested(hypothesis: Hypothesis, graph: AppGraph, fresh: Callable[[], Experiment]) -> Finding:
    """Try the action without the cause and with it, on one device that starts from nothing."""
    experiment = fresh()
    try:
        why = _refuted(hypothesis, graph, experiment)
    finally:
        experiment.close()
    return Finding(hypothesis, not why, why or "it led elsewhere before, and there after")


def _refuted(h: Hypothesis, graph: AppGraph, experiment: Experiment) -> str:
    action, cause = graph.transitions[h.page, h.key, h.opened], graph.transitions[h.cause]
    if not experiment.go(h.page):
        return "the page was not reached"
    if (came := experiment.do(action)) != h.closed:
        return f"without the cause it led to {came!r}"
    if not experiment.go(cause.source):
        return "the page of the cause was not reached"
    if (came := experiment.do(cause)) != cause.target:
        return f"the cause led to {came!r}"
    if not experiment.go(h.page):
        return "the page was not reached again"
    if (came := experiment.do(action)) != h.opened:
        return f"with the cause it led to {came!r}"
    return ""


def learn_facts(
    mapper: Mapper, steps: Iterable[StepAt], fresh: Callable[[], Experiment], *, most: int = 12
) -> list[Finding]:
    """Test the guesses that the steps suggest (at most `most`), and write what holds on the map."""
    graph = mapper.graph
    known = [
        (mapper.resolve(a), key, mapper.resolve(b))
        for a, key, b in steps
        if mapper.resolve(a) in graph.nodes and mapper.resolve(b) in graph.nodes
    ]
    outcomes: list[Finding] = []
    settled: set[tuple[NodeId, str]] = set()
    for guess in guesses(known):
        told = {(guess.page, guess.key, guess.opened), (guess.page, guess.key, guess.closed), guess.cause}
        if (guess.page, guess.key) in settled or not told <= graph.transitions.keys():
            continue
        if graph.transitions[guess.page, guess.key, guess.opened].preconditions or len(outcomes) >= most:
            continue
        outcome = tested(guess, graph, fresh)
        outcomes.append(outcome)
        if outcome.holds:
            settled.add((guess.page, guess.key))
            _write(mapper, guess)
    mapper.commit()
    return outcomes


def _write(mapper: Mapper, h: Hypothesis) -> None:
    graph = mapper.graph
    fact = _fact(graph, h.cause)
    mapper.declare(fact)
    mapper.tell(graph.transitions[h.cause], makes=(fact.name,))
    mapper.tell(graph.transitions[h.page, h.key, h.opened], needs=(fact.name,))
    mapper.tell(graph.transitions[h.page, h.key, h.closed], needs=(f"not {fact.name}",))


def _fact(graph: AppGraph, cause: StepAt) -> Fact:
    """Name what a step brings about: by what it does and where, with its page's id, so that none collide."""
    source, key, _ = cause
    step = graph.transitions[cause]
    made = [e for e in step.effects if e in graph.facts]
    if made:
        return graph.facts[made[0]]
    target = getattr(step.action, "target", None)
    label = target.label if target is not None and target.label else key
    page = graph.nodes[source].name or source
    name = " ".join(f"{label} on {page} ({source})".replace("=", " ").split())
    return Fact(f"done: {name}", note=f"learned: {label!r} was done on {page!r}")
