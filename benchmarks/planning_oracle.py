"""Brute-force answers for small planning questions: a map and a question in, the least cost of any plan out.

Written to be plain, not fast: every state is a set of strings, every step is looked up on the map again.
It shares the price of a step and the rule for ways back with the planners, and nothing else.
"""

import heapq
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from waypost.model import (
    Action,
    AppGraph,
    Fact,
    Goal,
    Hypernode,
    Launch,
    NodeId,
    PageKind,
    Press,
    Standing,
    Tap,
    Terms,
    Transition,
    TransitionKind,
)
from waypost.planning import Costs, returning

__all__ = ["KINDS", "Asked", "State", "following", "least_cost", "made_up"]


@dataclass(frozen=True)
class Asked:
    """A question with everything that belongs to it."""

    graph: AppGraph
    start: NodeId
    goal: Goal
    terms: Terms
    fees: dict[tuple[NodeId, str], float]
    kind: str
    """What it tests: `plain`, `hops`, `avoid`, `several`, `ordered`, `either`, `facts`, `mixed`."""

    def fee(self, source: NodeId, key: str) -> float:
        return self.fees.get((source, key), 0.0)


@dataclass(frozen=True)
class State:
    """Where a plan may be, with all that matters for what comes next."""

    page: str
    moved: bool
    facts: frozenset[str]
    left: tuple[frozenset[NodeId], ...]
    hops: int


def least_cost(asked: Asked, *, heeds_facts: bool = True) -> float:
    """Return the cost of the cheapest plan, infinite where there is none."""
    graph, terms = asked.graph, asked.terms
    held = frozenset(n for n, f in graph.facts.items() if f.initial) if terms.held is None else terms.held
    first = State(asked.start, False, held, _left(asked.goal, asked.goal.groups, asked.start), 0)
    if asked.start not in graph.nodes and not first.left and asked.goal.groups:
        return math.inf
    queue: list[tuple[float, int, State]] = [(0.0, 0, first)]
    done: set[State] = set()
    count = 0
    while queue:
        cost, _, state = heapq.heappop(queue)
        if state in done:
            continue
        done.add(state)
        if not state.left and all(_true(f, state.facts) for f in asked.goal.facts):
            return cost
        if terms.hops is not None and state.hops == terms.hops:
            continue
        for price, onward in following(asked, state, heeds_facts):
            count += 1
            heapq.heappush(queue, (round(cost + price, 6), count, onward))
    return math.inf


def _left(goal: Goal, left: tuple[frozenset[NodeId], ...], page: str) -> tuple[frozenset[NodeId], ...]:
    if not goal.ordered:
        return tuple(g for g in left if page not in g)
    while left and page in left[0]:
        left = left[1:]
    return left


def _true(text: str, facts: frozenset[str]) -> bool:
    return text[4:] not in facts if text.startswith("not ") else text in facts


def following(asked: Asked, state: State, heeds_facts: bool) -> Iterator[tuple[float, State]]:
    """Yield what can be done next, with its price."""
    graph, terms = asked.graph, asked.terms
    pages = {n.id for n in graph.nodes.values() if n.kind is PageKind.PAGE}
    back = returning(graph.transitions.values())
    # Without a limit, hops are no part of the state: there would be no end of states.
    hops = 0 if terms.hops is None else state.hops + 1
    for t in graph.transitions.values():
        risk = t.hazard or getattr(getattr(t.action, "target", None), "hazard", "")
        if t.source != state.page or t.kind is TransitionKind.OVERLAY or risk or isinstance(t.action, Launch):
            continue
        if t.source not in pages or t.target not in pages or t.target in terms.avoid_pages:
            continue
        if (t.source, t.key) in terms.avoid_actions:
            continue
        if heeds_facts and not all(_true(p, state.facts) for p in t.preconditions):
            continue
        rivals = [
            r
            for r in graph.transitions.values()
            if (r.source, r.key, r.preconditions) == (t.source, t.key, t.preconditions)
        ]
        usual = max(rivals, key=_record) is t
        home = t.key in back and (state.moved or t.source == graph.root)
        price = Costs().price(t, expected=usual and not home) + asked.fee(t.source, t.key)
        facts = _done(state.facts, t.effects) if heeds_facts else state.facts
        moved = state.moved or t.key not in back
        if price < math.inf:
            left = _left(asked.goal, state.left, t.target)
            yield price, State(t.target, moved, facts, left, hops)
    fee = asked.fee(NodeId(state.page), "launch")
    barred = (NodeId(state.page), "launch") in terms.avoid_actions or graph.root in terms.avoid_pages
    if graph.root in pages and graph.root is not None and not barred and fee < math.inf:
        gone = {n for n, f in graph.facts.items() if f.volatile}
        facts = frozenset(f for f in state.facts if f not in gone and f.split("=")[0] not in gone)
        left = _left(asked.goal, state.left, graph.root)
        yield Costs().relaunch + fee, State(graph.root, True, facts, left, hops)


def _done(facts: frozenset[str], effects: tuple[str, ...]) -> frozenset[str]:
    held = set(facts)
    for effect in effects:
        if effect.startswith("not "):
            held = {f for f in held if f != effect[4:] and not f.startswith(effect[4:] + "=")}
        else:
            if "=" in effect:
                held = {f for f in held if not f.startswith(effect.split("=")[0] + "=")}
            held.add(effect)
    return frozenset(held)


_FACTS = ("in", "perm", "tone=a", "tone=b")
_LITERALS = (*_FACTS, *(f"not {f}" for f in _FACTS))
KINDS = ("plain", "hops", "avoid", "several", "ordered", "either", "facts", "mixed")


def made_up(rng: random.Random, kind: str) -> Asked:
    """Make a small map and a question about it."""
    names = [NodeId(c) for c in "abcdefg"[: rng.randint(2, 7)]]
    graph = AppGraph("app", root=rng.choice([*names, None]) if rng.random() < 0.5 else names[0])
    for name in names:
        odd = rng.random() < 0.1
        graph.nodes[name] = Hypernode(name, kind=PageKind.OVERLAY if odd else PageKind.PAGE)
    facts = kind in ("facts", "mixed")
    if facts:
        for fact in ("in", "perm", "tone"):
            graph.facts[fact] = Fact(fact, initial=rng.random() < 0.15, volatile=rng.random() < 0.3)
    for _ in range(rng.randint(0, 3 * len(names))):
        step = _step(rng, names, facts)
        graph.transitions[step.source, step.key, step.target] = step
    goal = _goal(rng, names, kind)
    terms = Terms(
        avoid_pages=frozenset(rng.sample(names, rng.randint(0, 1)))
        if kind in ("avoid", "mixed")
        else frozenset(),
        avoid_actions=frozenset((rng.choice(names), rng.choice("xyz")) for _ in range(2))
        if kind in ("avoid", "mixed")
        else frozenset(),
        hops=rng.randint(0, 6) if kind == "hops" or (kind == "mixed" and rng.random() < 0.5) else None,
    )
    fees: dict[tuple[NodeId, str], float] = {}
    if kind in ("avoid", "mixed"):
        for _ in range(rng.randint(0, 4)):
            fees[rng.choice(names), rng.choice(["x", "y", "z", "launch"])] = rng.choice([0.5, 3.0, math.inf])
    start = rng.choice(names) if rng.random() < 0.95 else NodeId("nowhere")
    return Asked(graph, start, goal, terms, fees, kind)


def _record(step: Transition) -> tuple[bool, float, float, str]:
    """Of several outcomes of one action, the best record is to be expected; what is stale, last of all."""
    return step.standing is not Standing.STALE, step.reliability, step.last_seen, step.target


def _step(rng: random.Random, names: list[NodeId], facts: bool) -> Transition:
    actions: list[Action] = [Tap((1, 1)), Tap((1, 1)), Tap((1, 1)), Press("back")]
    tries = rng.randint(0, 9)
    return Transition(
        rng.choice(names),
        rng.choice(actions),
        rng.choice(names),
        rng.choice("xyz"),
        TransitionKind.OVERLAY if rng.random() < 0.05 else TransitionKind.NAVIGATION,
        tries=tries,
        successes=rng.randint(0, tries),
        failures=rng.choice([0, 0, 1, 3]),
        hazard="pay" if rng.random() < 0.1 else "",
        preconditions=tuple(rng.sample(_LITERALS, rng.choice([0, 0, 1, 1, 2]))) if facts else (),
        effects=tuple(rng.sample((*_FACTS, "not in", "not tone"), rng.choice([0, 0, 1, 2]))) if facts else (),
        standing=rng.choice([*[Standing.LIVE] * 6, Standing.UNKNOWN, Standing.STALE]),
    )


def _goal(rng: random.Random, names: list[NodeId], kind: str) -> Goal:
    pick = [*names, NodeId("off")] if rng.random() < 0.1 else names

    def group(most: int) -> frozenset[NodeId]:
        return frozenset(rng.choice(pick) for _ in range(rng.randint(1, most)))

    match kind:
        case "several":
            return Goal(tuple(group(1) for _ in range(rng.randint(2, 4))))
        case "ordered":
            return Goal(tuple(group(2) for _ in range(rng.randint(2, 4))), ordered=True)
        case "either":
            return Goal((group(3),))
        case "mixed":
            groups = tuple(group(2) for _ in range(rng.randint(0, 3)))
            literals = tuple(rng.sample(_LITERALS, rng.randint(0, 1)))
            return Goal(groups or (group(1),), rng.random() < 0.3, literals)
        case _:
            return Goal((group(1),))
