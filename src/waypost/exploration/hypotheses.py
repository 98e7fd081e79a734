"""What opens a gate: the steps of an exploration and a device in, preconditions that were tried out.

An action that led to one page at first and to another one ever after is guessed to need something that
was done in between. Which steps those are is found by experiments, each on a device that starts from
nothing: fewer and fewer of the steps are done before the action is tried, until none can be left out.
Only what an experiment showed is written on the map.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from waypost.mapping.mapper import Mapper
from waypost.model import AppGraph, Fact, NodeId, Transition, TransitionKind
from waypost.planning import ProductSearch, returning

__all__ = ["Experiment", "Finding", "Hypothesis", "StepAt", "guesses", "learn_facts", "likely"]

StepAt: TypeAlias = tuple[NodeId, str, NodeId]
"""Source, action key, target."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Some of `causes` make `key` on `page` lead to `opened` where it led to `closed` before."""

    page: NodeId
    key: str
    closed: NodeId
    opened: NodeId
    causes: tuple[StepAt, ...]
    """What was done in between for the first time, the likeliest first."""
    support: int
    """How often the action was seen to lead where the guess says."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the experiments said of a guess."""

    hypothesis: Hypothesis
    causes: tuple[StepAt, ...] = ()
    """The steps that are needed, all of them; empty where the guess did not stand."""
    why: str = ""
    runs: int = 0

    @property
    def holds(self) -> bool:
        return bool(self.causes)


class Experiment(Protocol):
    """A device on which nothing was done yet, that can be walked by the map."""

    def go(self, page: NodeId) -> bool:
        """Go to a page; False where it was not reached."""
        ...

    def do(self, step: Transition) -> NodeId | None:
        """Do the action of a step where it stands, and return the page that shows; None for a new one."""
        ...

    def restart(self) -> None:
        """Launch the app afresh; what was done in it stays done."""
        ...

    def close(self) -> None: ...


def guesses(steps: Sequence[StepAt]) -> list[Hypothesis]:
    """Guess which actions are gated, the best supported first.

    Of what was done before, the steps on the page that the shut gate led to come first, then the latest.
    """
    seen: dict[tuple[NodeId, str], list[int]] = {}
    first: dict[StepAt, int] = {}
    for i, step in enumerate(steps):
        seen.setdefault(step[:2], []).append(i)
        first.setdefault(step, i)
    found: list[Hypothesis] = []
    for (page, key), at in seen.items():
        targets = [steps[i][2] for i in at]
        closed, opened = targets[0], targets[-1]
        turn = next((n for n, t in enumerate(targets) if t != closed), 0)
        # One change, once and for all: what turns to and fro depends on more than steps once done.
        if closed == opened or any(t != opened for t in targets[turn:]):
            continue
        causes = [c for c, i in first.items() if i < at[turn] and c[:2] != (page, key)]
        causes.sort(key=lambda c: (c[0] != closed, -first[c]))
        if causes:
            found.append(Hypothesis(page, key, closed, opened, tuple(causes), len(at)))
    return sorted(found, key=lambda h: -h.support)


class _Trials:
    """Experiments for one guess; each tells whether the gate opens after some steps."""

    def __init__(self, guess: Hypothesis, graph: AppGraph, fresh: Callable[[], Experiment]) -> None:
        self._guess, self._graph, self._fresh = guess, graph, fresh
        self.runs = 0
        self.why = ""

    def opens(self, causes: Sequence[StepAt]) -> bool:
        """Do the steps that can be done, then try the gate."""
        self.runs += 1
        guess, experiment = self._guess, self._fresh()
        try:
            for cause in causes:
                if experiment.go(cause[0]):
                    experiment.do(self._graph.transitions[cause])
            # Afresh, so that the way to the gate is the same each time: a control that only leads to where
            # one came from is no gate. What does not outlive a relaunch is not found out like this.
            experiment.restart()
            if not experiment.go(guess.page):
                self.why = "the page was not reached"
                return False
            came = experiment.do(self._graph.transitions[guess.page, guess.key, guess.opened])
        finally:
            experiment.close()
        self.why = "" if came == guess.opened else f"it led to {came!r}"
        return came == guess.opened


def _found(guess: Hypothesis, graph: AppGraph, fresh: Callable[[], Experiment]) -> Finding:
    """Find the steps that open a gate: each one needed is the last of the shortest list that does."""
    trials, needed = _Trials(guess, graph, fresh), list[StepAt]()
    if trials.opens(()):
        return Finding(guess, (), "it is open from the start", trials.runs)
    causes = list(guess.causes)
    while causes := _shortest(trials, needed, causes):
        needed.insert(0, causes.pop())
        if trials.opens(needed):
            return Finding(guess, tuple(needed), "it led elsewhere before, and there after", trials.runs)
    return Finding(guess, (), f"with all that was done before, {trials.why}", trials.runs)


def _shortest(trials: _Trials, needed: list[StepAt], causes: list[StepAt]) -> list[StepAt]:
    """Return the shortest beginning of `causes` that, with `needed`, opens the gate; empty where all do not.

    Lists are doubled before they are halved: the likeliest causes stand in front.
    """
    low, high = 0, 1
    while not trials.opens([*causes[:high], *needed]):
        if high >= len(causes):
            return []
        low, high = high, min(2 * high, len(causes))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if trials.opens([*causes[:middle], *needed]) else (middle, high)
    return causes[:high]


def learn_facts(
    mapper: Mapper, steps: Iterable[StepAt], fresh: Callable[[], Experiment], *, most: int = 24
) -> list[Finding]:
    """Test the guesses that the steps suggest (at most `most`), and write what holds on the map."""
    graph, findings = mapper.graph, list[Finding]()
    moves = [(mapper.resolve(a), key, mapper.resolve(b)) for a, key, b in steps]
    for guess in likely(moves, graph):
        gate = graph.transitions[guess.page, guess.key, guess.opened]
        if gate.preconditions or len(findings) >= most:
            continue  # What one gate taught may have settled the next.
        finding = _found(_nearest_first(guess, graph), graph, fresh)
        findings.append(finding)
        if finding.holds:
            _write(mapper, finding)
    mapper.commit()
    return findings


def _nearest_first(guess: Hypothesis, graph: AppGraph) -> Hypothesis:
    """Put the causes near the root in front: to do a step deep in an app is to do all those before it too.

    What lies behind a gate that is known by now is as far as the way through that gate.
    """
    if graph.root is None:
        return guess
    planner, root = ProductSearch(), graph.root
    plans = {page: planner.plan(graph, root, page) for page in {c[0] for c in guess.causes}}
    away = {page: plan.cost if plan.found else math.inf for page, plan in plans.items()}
    order = sorted(guess.causes, key=lambda c: (c[0] != guess.closed, away[c[0]]))
    return replace(guess, causes=tuple(order))


def likely(steps: Iterable[StepAt], graph: AppGraph) -> list[Hypothesis]:
    """Guess from those steps only that may be gates or open them, where nothing is known of the gate yet."""
    back = returning(graph.transitions.values())
    known = [at for at in steps if at in graph.transitions and _counts(graph.transitions[at], back)]
    return [
        guess
        for guess in guesses(known)
        if not graph.transitions[guess.page, guess.key, guess.opened].preconditions
    ]


def _counts(step: Transition, back: frozenset[str]) -> bool:
    """Whether a step may open a gate or be one: what is done to a page, not how one leaves it."""
    return step.kind is TransitionKind.NAVIGATION and step.key not in back


def _write(mapper: Mapper, finding: Finding) -> None:
    graph, guess = mapper.graph, finding.hypothesis
    facts = [_fact(graph, cause) for cause in finding.causes]
    for fact, cause in zip(facts, finding.causes, strict=True):
        mapper.declare(fact)
        mapper.tell(graph.transitions[cause], makes=(fact.name,))
    names = tuple(fact.name for fact in facts)
    mapper.tell(graph.transitions[guess.page, guess.key, guess.opened], needs=names)
    if len(names) == 1 and (shut := (guess.page, guess.key, guess.closed)) in graph.transitions:
        mapper.tell(graph.transitions[shut], needs=(f"not {names[0]}",))


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
