"""What a step adds to what is known: a graph and a step in, the transitions with their new counts out."""

from dataclasses import replace

from waypost.model import (
    Action,
    AppGraph,
    Launch,
    NodeId,
    PageKind,
    Press,
    Standing,
    Transition,
    TransitionKind,
    Wait,
)

__all__ = ["counted"]


def counted(graph: AppGraph, step: Transition, at: float, latency: float) -> list[Transition]:
    """Count one more time that `step` led where it says; its other outcomes come first, it comes last."""
    outcomes = graph.outcomes(step.source, step.key)
    tries = max((t.tries for t in outcomes), default=0) + 1
    known = graph.transitions.get((step.source, step.key, step.target))
    others = [replace(t, tries=tries) for t in outcomes if t is not known]
    if known is None:
        evidence = getattr(step.action, "target", None)
        hazard = evidence.hazard if evidence else ""
        known = replace(
            step, kind=_kind(graph, step.source, step.action, step.target), successes=0, hazard=hazard
        )
    successes = known.successes + 1
    mean = known.latency + (latency - known.latency) / successes
    done = replace(
        known, tries=tries, successes=successes, last_seen=at, latency=mean, standing=Standing.LIVE
    )
    return [*others, done]


def _kind(graph: AppGraph, source: NodeId, action: Action, target: NodeId) -> TransitionKind:
    ends = (graph.nodes[source].kind, graph.nodes[target].kind)
    if any(k is not PageKind.PAGE for k in ends):
        return TransitionKind.OVERLAY
    return TransitionKind.SYSTEM if isinstance(action, (Press, Launch, Wait)) else TransitionKind.NAVIGATION
