"""Hold what the map says against what a device does, and mend the map: doubtful steps in, repairs out (SEE).

What is doubtful is told by the counts: a step that failed, or that one look alone vouches for. It is done
once more; what was seen is added, and a step that did not lead where the map said, and has missed more
often than not by now, is struck.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from waypost.exploration.hypotheses import Experiment
from waypost.mapping.mapper import Mapper
from waypost.model import AppGraph, NodeId, Transition, TransitionKind
from waypost.planning import hazard

__all__ = ["Reflected", "Reflection", "doubtful", "reflect"]


class Reflected(StrEnum):
    CONFIRMED = "confirmed"
    REPAIRED = "repaired"
    """It leads elsewhere, which is on the map now; the old step stays, as one that fails at times."""
    STRUCK = "struck"
    """It leads elsewhere, and the old step is off the map."""
    UNTESTED = "untested"
    """Its page was not reached."""


@dataclass(frozen=True, slots=True)
class Reflection:
    step: Transition
    observed: NodeId | None
    verdict: Reflected


def doubtful(graph: AppGraph, *, once: bool = True) -> list[Transition]:
    """List the steps to look at again, the most doubtful first; with `once`, those seen a single time too."""
    steps = [
        t
        for t in graph.transitions.values()
        if t.kind is TransitionKind.NAVIGATION
        and t.source != t.target
        and not hazard(t)
        and not t.preconditions
        and (t.failures or t.successes < t.tries or (once and t.tries <= 1))
    ]
    return sorted(steps, key=lambda t: (t.reliability, t.source, t.key, t.target))


def reflect(mapper: Mapper, steps: Iterable[Transition], walk: Experiment) -> list[Reflection]:
    """Do each step once more, from wherever the walk is, and mend the map by what came of it.

    The walk adds what it sees to the map of `mapper`.
    """
    found: list[Reflection] = []
    for step in steps:
        at = (mapper.resolve(step.source), step.key, mapper.resolve(step.target))
        if at not in mapper.graph.transitions or not walk.go(at[0]):
            found.append(Reflection(step, None, Reflected.UNTESTED))
            continue
        came = walk.do(mapper.graph.transitions[at])
        if came is None:
            found.append(Reflection(step, None, Reflected.UNTESTED))
            continue
        if mapper.resolve(came) == mapper.resolve(step.target):
            found.append(Reflection(step, came, Reflected.CONFIRMED))
            continue
        known = mapper.graph.transitions.get(at)
        if known is not None:
            mapper.miss(known)
            known = mapper.graph.transitions[at]
        struck = known is not None and known.successes <= known.tries - known.successes + known.failures
        if struck and known is not None:
            mapper.forget(known)
        found.append(Reflection(step, came, Reflected.STRUCK if struck else Reflected.REPAIRED))
    mapper.commit()
    return found
