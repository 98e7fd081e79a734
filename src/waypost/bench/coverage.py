"""How good a map is: a graph, the steps that made it and their true labels in, figures out."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from waypost.model import AppGraph, NodeId, PageKind

__all__ = ["Coverage", "StepLog", "Truth", "coverage", "joined"]


@dataclass
class StepLog:
    """Every step that a mapper counted, with the true page of both looks."""

    label: Callable[[float], str]
    """True page of the look that was taken at that time."""
    steps: list[tuple[NodeId, str, NodeId, str, str]] = field(default_factory=list)
    """Source, action key, target; then the true pages of the two looks."""

    def add(self, source: NodeId, key: str, target: NodeId, before_at: float, after_at: float) -> None:
        self.steps.append((source, key, target, self.label(before_at), self.label(after_at)))


@dataclass(frozen=True, slots=True)
class Coverage:
    """A map held against the truth."""

    pages_true: int
    """Pages that can be reached without a hazardous action."""
    pages_found: int
    """How many of them the map has."""
    nodes: int
    """Pages on the map."""
    found_in_all: int
    """True pages, reachable or not, that some page of the map stands for."""
    false_edges: int
    """Distinct edges whose ends are not the pages that were truly seen there."""
    edges: int
    actions: int
    missing: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    """True pages that the map has more than once."""
    merged: tuple[str, ...] = ()
    """Pages of the map that stand for more than one true page."""
    stands: Mapping[NodeId, str] = field(default_factory=dict)
    """Which true page each page of the map stands for; empty where apps were added up."""

    @property
    def coverage(self) -> float:
        return self.pages_found / self.pages_true if self.pages_true else 1.0

    @property
    def pages_per_true_page(self) -> float:
        """1.00 where every true page is one page of the map; merged pages count against it too."""
        if not self.found_in_all:
            return 1.0
        extra = sum(1 for _ in self.merged)
        return (self.nodes + extra) / self.found_in_all

    def as_json(self) -> dict[str, object]:
        return {
            "pages_true": self.pages_true,
            "pages_found": self.pages_found,
            "coverage": round(self.coverage, 4),
            "false_edges": self.false_edges,
            "pages_per_true_page": round(self.pages_per_true_page, 4),
            "actions": self.actions,
            "edges": self.edges,
            "splits": len(self.split),
            "merges": len(self.merged),
        }


@dataclass(frozen=True, slots=True)
class Truth:
    """The true pages of one app."""

    pages: frozenset[str]
    """All of them. Side states and other apps are not pages of the app."""
    reachable: frozenset[str]
    """Those that can be reached without a hazardous action."""


def coverage(graph: AppGraph, log: StepLog, truth: Truth, resolve: Callable[[NodeId], NodeId]) -> Coverage:
    """Hold a graph against the truth.

    A page of the map stands for the true page that most looks recognised as it showed. An edge is
    false when the true page of either look is not the one its end stands for: a merge or a
    misattributed step shows as false edges, never as a better score.
    """
    votes: dict[NodeId, Counter[str]] = defaultdict(Counter)
    for source, _, target, before, after in log.steps:
        votes[resolve(source)][before] += 1
        votes[resolve(target)][after] += 1
    pages = {n.id for n in graph.nodes.values() if n.kind is PageKind.PAGE}
    stands = {node: count.most_common(1)[0][0] for node, count in votes.items() if node in pages}
    false_edges = {
        (resolve(s), k, resolve(t))
        for s, k, t, before, after in log.steps
        if _wrong(stands, truth, resolve(s), before) or _wrong(stands, truth, resolve(t), after)
    }
    times = Counter(stands.values())
    real = truth.pages & times.keys()
    return Coverage(
        pages_true=len(truth.reachable),
        pages_found=len(real & truth.reachable),
        nodes=len(stands),
        found_in_all=len(real),
        false_edges=len(false_edges),
        edges=len({(resolve(s), k, resolve(t)) for s, k, t, _, _ in log.steps}),
        actions=graph.steps,
        missing=tuple(sorted(truth.reachable - real)),
        split=tuple(sorted(page for page, n in times.items() if n > 1)),
        merged=tuple(sorted(str(n) for n in stands if len(votes[n]) > 1)),
        stands=stands,
    )


def _wrong(stands: dict[NodeId, str], truth: Truth, node: NodeId, seen: str) -> bool:
    if node in stands:
        return stands[node] != seen
    # Not a page of the map, so not a page of the app: one filed away as an overlay is wrong too.
    return seen in truth.pages


def joined(parts: Iterable[Coverage]) -> Coverage:
    """Add up the coverage of several apps."""
    rows = list(parts)
    return Coverage(
        pages_true=sum(r.pages_true for r in rows),
        pages_found=sum(r.pages_found for r in rows),
        nodes=sum(r.nodes for r in rows),
        found_in_all=sum(r.found_in_all for r in rows),
        false_edges=sum(r.false_edges for r in rows),
        edges=sum(r.edges for r in rows),
        actions=sum(r.actions for r in rows),
        missing=tuple(m for r in rows for m in r.missing),
        split=tuple(m for r in rows for m in r.split),
        merged=tuple(m for r in rows for m in r.merged),
    )
