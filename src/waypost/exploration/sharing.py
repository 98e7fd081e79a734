"""An exploration in pieces: a share of the frontier goes to a worker, and what it walked comes back.

What a worker did is a set of entries with ids of their own. Sets are joined by their union, whatever the
order and however often, and a map is what comes of doing all of them again in the order of their ids.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from waypost.exploration.config import ExploreConfig
from waypost.exploration.drive import explore
from waypost.exploration.recipe import StartRecipe
from waypost.mapping.mapper import Mapper
from waypost.model import (
    Action,
    AppGraph,
    ExploreStop,
    NodeId,
    Observation,
    Transition,
)
from waypost.protocols import Device

__all__ = ["Entry", "Job", "Left", "Log", "Walk", "copied", "replay", "settle", "shares", "walk"]

Keys = Mapping[NodeId, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a worker did or saw: a look without a step before it, a step, or what it left alone."""

    before: Observation | None
    """A look at the page that was acted on; None for a mere look."""
    action: Action | None = None
    key: str = ""
    after: Observation | None = None
    """Where it led; None where the guard forbade it."""
    latency: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """What is still untried on a page after a job."""

    look: Observation
    given: tuple[str, ...]
    """Keys of the page that were in the share."""
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """Entries by the number of the job, and their number in it."""

    entries: Mapping[tuple[int, int], Entry] = field(default_factory=dict)

    def __or__(self, other: "Log") -> "Log":
        """Join two logs; an entry that both have is the same in both."""
        return Log({**self.entries, **other.entries})

    def __iter__(self) -> Iterator[Entry]:
        return (self.entries[at] for at in sorted(self.entries))


@dataclass(frozen=True, slots=True)
class Job:
    number: int
    graph: AppGraph
    share: Keys
    """What to try, by page."""
    config: ExploreConfig


@dataclass(frozen=True, slots=True)
class Walk:
    """What a worker brings back; a device that was lost in the middle brings what it had walked."""

    job: int
    log: Log
    left: tuple[Left, ...]
    stop: ExploreStop
    actions: int = 0


class _Sharing(Mapper):
    """A worker's own map: it keeps to its share, and writes down what it does."""

    def __init__(self, job: Job) -> None:
        self.log: list[Entry] = []
        self._given, self._known = job.share, {n: frozenset(k) for n, k in job.graph.untried.items()}
        graph = copied(job.graph)
        graph.untried = {n: tuple(job.share.get(n, ())) for n in graph.untried}
        super().__init__(graph)

    def enter(self, observation: Observation) -> NodeId:
        self.log.append(Entry(None, after=observation))
        return super().enter(observation)

    def extend(
        self,
        source: NodeId,
        action: Action,
        key: str,
        after: Observation,
        *,
        before: Observation | None = None,
        latency: float = 0.0,
    ) -> Transition:
        self.log.append(Entry(self._look(source), action, key, after, latency))
        return super().extend(source, action, key, after, before=before, latency=latency)

    def skip(self, node: NodeId, action: Action, key: str, reason: str) -> None:
        node = self.resolve(node)
        if (node, key) not in self.graph.skipped:
            self.log.append(Entry(self._look(node), action, key, reason=reason))
        super().skip(node, action, key, reason)

    def set_untried(self, node: NodeId, keys: Iterable[str]) -> None:
        """Leave to others what is theirs; what nobody knew of is the finder's."""
        node = self.resolve(node)
        theirs = self._known.get(node, frozenset()) - frozenset(self._given.get(node, ()))
        super().set_untried(node, [k for k in keys if k not in theirs])

    def left(self) -> tuple[Left, ...]:
        pages = dict.fromkeys((*(self.resolve(n) for n in self._given), *self.graph.untried))
        return tuple(
            Left(self._look(n), tuple(self._given.get(n, ())), self.graph.untried.get(n, ())) for n in pages
        )

    def _look(self, node: NodeId) -> Observation:
        return self.graph.nodes[self.resolve(node)].looks[0].observation


def copied(graph: AppGraph) -> AppGraph:
    """Copy a graph so far that one may grow without the other."""
    return replace(
        graph,
        nodes=dict(graph.nodes),
        transitions=dict(graph.transitions),
        skipped=dict(graph.skipped),
        untried=dict(graph.untried),
        facts=dict(graph.facts),
    )


def walk(device: Device, job: Job, *, clock: Callable[[], float], start: StartRecipe | None = None) -> Walk:
    """Try a share on a device."""
    mapper = _Sharing(job)
    done = [0]

    def count(now: object) -> None:
        done[0] = getattr(now, "actions", 0)

    stop = explore(device, mapper, job.config, start=start, progress=count, clock=clock)
    log = Log({(job.number, n): entry for n, entry in enumerate(mapper.log)})
    return Walk(job.number, log, mapper.left(), stop, done[0])


def replay(mapper: Mapper, log: Log) -> None:
    """Do again, on another map, what a log says: pages are recognised anew, steps are counted."""
    for entry in log:
        if entry.before is None:
            assert entry.after is not None
            mapper.enter(entry.after)
            continue
        found = mapper.locate(entry.before)
        node = found.node if found is not None else mapper.enter(entry.before)
        assert entry.action is not None
        if entry.after is None:
            mapper.skip(node, entry.action, entry.key, entry.reason)
        else:
            what = (node, entry.action, entry.key, entry.after)
            mapper.extend(*what, before=entry.before, latency=entry.latency)


def settle(mapper: Mapper, left: Sequence[Left]) -> None:
    """Take down what is left to try: what was given and is not left is done with."""
    for page in left:
        found = mapper.locate(page.look)
        if found is None:
            continue
        mine = mapper.graph.untried.get(found.node, ())
        given = frozenset(page.given)
        forbidden = {k for n, k in mapper.graph.skipped if n == found.node}
        keys = dict.fromkeys((*(k for k in mine if k not in given), *page.keys))
        mapper.set_untried(found.node, [k for k in keys if k not in forbidden])


def shares(graph: AppGraph, taken: Iterable[Keys], most: int) -> dict[NodeId, tuple[str, ...]]:
    """Choose the next share: untried controls that nobody has, page by page from the start outwards."""
    busy = {(n, k) for share in taken for n, keys in share.items() for k in keys}
    depth = {n.id: n.depth if n.depth >= 0 else 10**6 for n in graph.nodes.values()}
    share: dict[NodeId, tuple[str, ...]] = {}
    room = most
    for node in sorted(graph.untried, key=lambda n: (depth.get(n, 10**6), n)):
        free = tuple(k for k in graph.untried[node] if (node, k) not in busy)[:room]
        if free and node in graph.nodes:
            share[node] = free
            room -= len(free)
        if room <= 0:
            break
    return share
