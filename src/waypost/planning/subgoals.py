"""Tasks that can be done, sampled: a map, a planner and a random source in, sequences of sub-goals out (SEE).

Each sub-goal is a page that the plan so far can go on to without doing a step twice, so that a task never
runs in circles. Pages that few ways lead to are chosen as often as the busy ones.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from waypost.model import AppGraph, NodeId, PageKind, Terms, Transition
from waypost.model.facts import changed, initial, kept
from waypost.protocols import Planner

__all__ = ["SubgoalConfig", "Subgoals", "sampled"]


@dataclass(frozen=True, slots=True)
class SubgoalConfig:
    fewest: int = 2
    most: int = 5
    """Sub-goals of one task."""
    hops: int = 6
    """Most steps between two of them."""
    tries: int = 12
    """Pages drawn for one place in a sequence before it is left as long as it is."""


@dataclass(frozen=True, slots=True)
class Subgoals:
    """Pages to visit in order, and the steps that do it."""

    pages: tuple[NodeId, ...]
    steps: tuple[Transition, ...]
    ends: tuple[int, ...]
    """How many steps have been done at each page."""


def sampled(
    graph: AppGraph,
    planner: Planner,
    rng: random.Random,
    count: int,
    *,
    config: SubgoalConfig | None = None,
) -> Iterator[Subgoals]:
    """Yield up to `count` different sequences from the root; fewer where the map is too small for more."""
    config = config or SubgoalConfig()
    pages = sorted(n.id for n in graph.nodes.values() if n.kind is PageKind.PAGE and n.id != graph.root)
    known: set[tuple[NodeId, ...]] = set()
    for _ in range(20 * count):
        if len(known) >= count or graph.root is None or not pages:
            return
        found = _sequence(graph, planner, rng, pages, config)
        if len(found.pages) >= config.fewest and found.pages not in known:
            known.add(found.pages)
            yield found


def _sequence(
    graph: AppGraph, planner: Planner, rng: random.Random, pages: list[NodeId], config: SubgoalConfig
) -> Subgoals:
    assert graph.root is not None
    length = rng.randint(config.fewest, config.most)
    at, held = graph.root, initial(graph.facts)
    goals, steps, ends = list[NodeId](), list[Transition](), list[int]()
    for _ in range(length):
        done = frozenset((s.source, s.key) for s in steps)
        for page in rng.sample(pages, min(config.tries, len(pages))):
            if page in goals or page == at:
                continue
            terms = Terms(avoid_actions=done, avoid_pages=frozenset(goals), hops=config.hops, held=held)
            plan = planner.plan(graph, at, page, terms=terms)
            if plan.found and plan.steps and _once(plan.steps):
                break
        else:
            break
        for step in plan.steps:
            held = kept(held, graph.facts) if step.key == "launch" else changed(held, step.effects)
        steps += plan.steps
        goals.append(page)
        ends.append(len(steps))
        at = page
    return Subgoals(tuple(goals), tuple(steps), tuple(ends))


def _once(steps: tuple[Transition, ...]) -> bool:
    """Whether no step is done twice, as a plan may that has to come by a gate again."""
    return len({(s.source, s.key) for s in steps}) == len(steps)
