"""Make two pages of a graph one: the graph and two of its nodes in, what changed out."""

from dataclasses import replace

from waypost.mapping.changes import Changes
from waypost.model import AppGraph, Hypernode, NodeId, Skipped, Transition

__all__ = ["merge"]


def merge(graph: AppGraph, keep: NodeId, gone: NodeId, looks: int, changes: Changes) -> None:
    """Fold `gone` into `keep` with its looks (at most `looks` in all), steps, skips and frontier."""
    one, other = graph.nodes[keep], graph.nodes.pop(gone)
    graph.nodes[keep] = _joined(one, other, looks)
    graph.root = keep if graph.root == gone else graph.root
    _rewire(graph, keep, gone, changes)
    for node, key in [at for at in graph.skipped if at[0] == gone]:
        skipped = graph.skipped.pop((node, key))
        graph.skipped.setdefault((keep, key), Skipped(keep, skipped.action, skipped.reason))
        changes.skipped.add((keep, key))
    done = {t.key for t in graph.transitions.values() if t.source == keep}
    left = dict.fromkeys((*graph.untried.pop(keep, ()), *graph.untried.pop(gone, ())))
    graph.untried[keep] = tuple(k for k in left if k not in done)
    changes.untried.add(keep)
    changes.nodes.add(keep)
    changes.gone.add(gone)
    changes.aliases[gone] = keep
    changes.looks.add_all((keep, i) for i in range(len(graph.nodes[keep].looks)))
    changes.meta = True


def _joined(one: Hypernode, other: Hypernode, looks: int) -> Hypernode:
    kept = (*one.looks, *(k for k in other.looks if k.observation.screen not in _screens(one)))[:looks]
    depths = [d for d in (one.depth, other.depth) if d >= 0]
    level = one.level or other.level
    return replace(
        one, looks=kept, visits=one.visits + other.visits, depth=min(depths, default=-1), level=level
    )


def _screens(node: Hypernode) -> list[object]:
    return [k.observation.screen for k in node.looks]


def _rewire(graph: AppGraph, keep: NodeId, gone: NodeId, changes: Changes) -> None:
    """Move the steps that start or end at `gone`; those that are now the same thing are counted together."""
    touched = [t for t in graph.transitions.values() if gone in (t.source, t.target)]
    # How often each action was done on either page, before the two counts become one.
    totals: dict[str, int] = {}
    for node in (keep, gone):
        mine: dict[str, int] = {}
        for t in graph.transitions.values():
            if t.source == node:
                mine[t.key] = max(mine.get(t.key, 0), t.tries)
        totals = {k: totals.get(k, 0) + mine.get(k, 0) for k in totals.keys() | mine.keys()}
    for t in touched:
        del graph.transitions[t.source, t.key, t.target]
        changes.transitions.add((t.source, t.key, t.target))
        source, target = (keep if n == gone else n for n in (t.source, t.target))
        at = (source, t.key, target)
        moved = replace(t, source=source, target=target)
        graph.transitions[at] = _counted(graph.transitions[at], moved) if at in graph.transitions else moved
    for at, t in list(graph.transitions.items()):
        if t.source == keep and t.tries != totals.get(t.key, t.tries):
            graph.transitions[at] = replace(t, tries=totals[t.key])
            changes.transitions.add(at)
        elif keep in (t.source, t.target):
            changes.transitions.add(at)


def _counted(a: Transition, b: Transition) -> Transition:
    successes = a.successes + b.successes
    latency = (a.latency * a.successes + b.latency * b.successes) / max(1, successes)
    return replace(
        a,
        tries=max(a.tries, b.tries),
        successes=successes,
        failures=a.failures + b.failures,
        last_seen=max(a.last_seen, b.last_seen),
        latency=latency,
        hazard=a.hazard or b.hazard,
        preconditions=a.preconditions or b.preconditions,
        effects=a.effects or b.effects,
        unverified=a.unverified and b.unverified,
    )
