"""Part one page of a graph into two: the graph, a page and some of its looks in, what changed out."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from waypost.mapping.changes import Changes
from waypost.mapping.controls import controls
from waypost.model import (
    AppGraph,
    Hypernode,
    Launch,
    Look,
    NodeId,
    Press,
    Skipped,
    Standing,
    Transition,
    Wait,
)

__all__ = ["Step", "split"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step as the store counted it."""

    source: NodeId
    key: str
    target: NodeId
    seen_at: float


def split(
    graph: AppGraph,
    node: NodeId,
    new: Hypernode,
    off: Collection[int],
    steps: Iterable[Step],
    changes: Changes,
) -> None:
    """Move the looks `off` of a page, not all of them, to `new`, with what was done there.

    What was done on either is told by what its looks offer; what led to either, by the steps that its looks
    were stored on. What cannot be told is kept for both, and has to be verified on the new page.
    """
    whole = graph.nodes[node]
    stay = tuple(k for i, k in enumerate(whole.looks) if i not in off)
    gone = tuple(k for i, k in enumerate(whole.looks) if i in off)
    if not stay or not gone:
        raise ValueError("a split leaves looks on both sides")
    visits = sum(k.visits for k in gone)
    graph.nodes[node] = replace(whole, looks=stay, visits=max(1, whole.visits - visits))
    graph.nodes[new.id] = replace(new, looks=gone, visits=visits)
    sides = _Sides(node, new.id, _keys(stay), _keys(gone), _arrivals(steps, node, gone))
    _rewire(graph, sides, changes)
    for key in [k for at, k in graph.skipped if at == node]:
        skipped = graph.skipped[node, key]
        for side in sides.of(key, skipped.action):
            graph.skipped[side, key] = Skipped(side, skipped.action, skipped.reason)
            changes.skipped.add((side, key))
        if node not in sides.of(key, skipped.action):
            del graph.skipped[node, key]
            changes.skipped.add((node, key))
    left = graph.untried.get(node, ())
    graph.untried[node] = tuple(k for k in left if k not in sides.off or k in sides.stay)
    graph.untried[new.id] = tuple(k for k in left if k in sides.off)
    for side in (node, new.id):
        changes.nodes.add(side)
        changes.untried.add(side)
        changes.looks.add_all((side, i) for i in range(len(graph.nodes[side].looks)))
    changes.cut[node] = len(stay)
    changes.meta = True


@dataclass(frozen=True, slots=True)
class _Sides:
    node: NodeId
    new: NodeId
    stay: frozenset[str]
    """Keys of what the looks offer that stay."""
    off: frozenset[str]
    led: Counter[tuple[NodeId, str]]
    """Steps that are known to have led to looks of the new page."""

    def of(self, key: str, action: object) -> tuple[NodeId, ...]:
        """Say on which of the two pages something was done."""
        if key in self.off and key not in self.stay:
            return (self.new,)
        both = key in self.off and not isinstance(action, (Press, Launch, Wait))
        return (self.node, self.new) if both else (self.node,)

    def variants(self, t: Transition) -> Iterator[Transition]:
        """Yield what a step is after the split."""
        for source in self.of(t.key, t.action) if t.source == self.node else (t.source,):
            copied = t.source == self.node and source == self.new and t.key in self.stay
            standing = Standing.UNKNOWN if copied else t.standing
            to_new = min(t.successes, self.led[t.source, t.key])
            if t.target != self.node:
                yield replace(t, source=source, standing=standing)
            elif t.source == self.node and not to_new:
                yield replace(t, source=source, target=source, standing=standing)  # It stayed where it was.
            else:
                if to_new:
                    yield replace(t, source=source, target=self.new, successes=to_new, standing=standing)
                if t.successes > to_new:
                    rest = t.successes - to_new
                    yield replace(t, source=source, target=self.node, successes=rest, standing=standing)


def _rewire(graph: AppGraph, sides: _Sides, changes: Changes) -> None:
    for at, t in list(graph.transitions.items()):
        if sides.node not in (t.source, t.target):
            continue
        del graph.transitions[at]
        changes.transitions.add(at)
        for made in sides.variants(t):
            _put(graph, made, changes)
    if not any(t.source != sides.new for t in graph.entering(sides.new)):
        # Nothing says what led to these looks: any of the ways to the page may have.
        for t in [t for t in graph.entering(sides.node) if t.source not in (sides.node, sides.new)]:
            _put(graph, replace(t, target=sides.new, standing=Standing.UNKNOWN), changes)


def _put(graph: AppGraph, t: Transition, changes: Changes) -> None:
    at = (t.source, t.key, t.target)
    graph.transitions[at] = t
    changes.transitions.add(at)


def _keys(looks: Iterable[Look]) -> frozenset[str]:
    return frozenset(c.key for k in looks for c in controls(k.observation.screen))


def _arrivals(steps: Iterable[Step], node: NodeId, gone: Iterable[Look]) -> Counter[tuple[NodeId, str]]:
    times = {k.observation.seen_at for k in gone}
    return Counter((s.source, s.key) for s in steps if s.target == node and s.seen_at in times)
