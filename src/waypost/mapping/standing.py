"""How far steps are to be trusted on the app as it is: a graph and a version in, steps as they stand out."""

import re
from collections.abc import Iterator
from dataclasses import replace

from waypost.model import AppGraph, PageKind, Press, Standing, Transition, TransitionKind

__all__ = ["forward", "meet", "same_version", "stood"]

_CODE = re.compile(r" \(.*\)$")


def same_version(a: str, b: str) -> bool:
    """Whether two versions are one; a device that tells no build number after the name is taken at its word.

    >>> same_version("4.2", "4.2 (2611)"), same_version("4.2 (1)", "4.2 (2)"), same_version("4.2", "4.3")
    (True, False, False)
    """
    coded = bool(_CODE.search(a)) and bool(_CODE.search(b))
    return a == b if coded else _CODE.sub("", a) == _CODE.sub("", b)


def meet(graph: AppGraph, version: str) -> Iterator[Transition]:
    """Note the version at hand in the graph, and yield the steps that stand otherwise for it."""
    if not version or not graph.version or same_version(version, graph.met):
        return
    if same_version(version, graph.version):
        if graph.met:
            # Back on the version that the map was made on: what was not looked for since still holds.
            graph.met = ""
            again = {Standing.UNKNOWN: Standing.LIVE, Standing.STALE: Standing.UNKNOWN}
            for t in list(graph.transitions.values()):
                if t.standing in again:
                    yield replace(t, standing=again[t.standing])
        return
    graph.met = version
    for t in list(graph.transitions.values()):
        if t.standing is not Standing.UNKNOWN:
            yield replace(t, standing=Standing.UNKNOWN)


def stood(step: Transition, standing: Standing, at: float) -> Transition:
    """Return a step with what came of looking for it."""
    taken = at > 0.0
    return replace(
        step,
        standing=standing,
        tries=step.tries + taken,
        successes=step.successes + (taken and standing is Standing.LIVE),
        last_seen=max(at, step.last_seen),
    )


def forward(graph: AppGraph) -> Iterator[Transition]:
    """Yield the steps that a verification looks for: from page to page, by a control, and harmless."""
    for t in graph.transitions.values():
        ends = [graph.nodes[n].kind for n in (t.source, t.target) if n in graph.nodes]
        pages = len(ends) == 2 and all(kind is PageKind.PAGE for kind in ends)
        target = getattr(t.action, "target", None)
        if not pages or t.source == t.target or t.kind is not TransitionKind.NAVIGATION or target is None:
            continue
        if not t.hazard and not target.hazard and not isinstance(t.action, Press):
            yield t
