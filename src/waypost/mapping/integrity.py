"""Whether a map agrees with itself: a mapper and its store in, what is wrong, in words, out."""

from collections import defaultdict

from waypost.errors import MapError
from waypost.mapping.mapper import Mapper
from waypost.mapping.store import MapStore
from waypost.model import AppGraph, NodeId

__all__ = ["disagreements"]


def disagreements(mapper: Mapper, store: MapStore) -> list[str]:
    """List what contradicts itself: ends of steps, counts, the frontier, aliases, pictures, what is on disk.

    Every look is recognised anew as well: it has to be taken for the page that it lies on. An empty list
    says that all agrees. It reads the whole map, and changes nothing.
    """
    graph = mapper.graph
    return [
        *_ends(graph),
        *_counts(graph),
        *_aliases(mapper, store),
        *_pictures(graph, store),
        *_written(graph, store),
        *_looks(mapper),
    ]


def _ends(graph: AppGraph) -> list[str]:
    found = [
        f"the step {t.key!r} from {t.source} to {t.target} has an end that is no page"
        for t in graph.transitions.values()
        if t.source not in graph.nodes or t.target not in graph.nodes
    ]
    found += [f"{n} is on the frontier, and no page" for n in graph.untried if n not in graph.nodes]
    found += [f"{n} has a skipped control, and is no page" for n, _ in graph.skipped if n not in graph.nodes]
    if graph.root is not None and graph.root not in graph.nodes:
        found.append(f"the start page {graph.root} is no page")
    return found


def _counts(graph: AppGraph) -> list[str]:
    """Hold the outcomes of each control against how often it was tried."""
    came: dict[tuple[NodeId, str], int] = defaultdict(int)
    for t in graph.transitions.values():
        came[t.source, t.key] += t.successes
    found = [
        f"{t.key!r} on {t.source} was tried {t.tries} times, and came out {came[t.source, t.key]} times"
        for t in graph.transitions.values()
        if t.successes and t.tries != came[t.source, t.key]
    ]
    done = {(t.source, t.key) for t in graph.transitions.values() if t.successes}
    found += [
        f"{key!r} on {node} is on the frontier, and was done"
        for node, keys in graph.untried.items()
        for key in keys
        if (node, key) in done
    ]
    return found


def _aliases(mapper: Mapper, store: MapStore) -> list[str]:
    return [
        f"{old} stands for {new}, which is no page"
        for old, new in store.aliases().items()
        if mapper.resolve(new) not in mapper.graph.nodes
    ]


def _pictures(graph: AppGraph, store: MapStore) -> list[str]:
    named = {k.image_hash for n in graph.nodes.values() for k in n.looks} - {""}
    return [f"the picture {name} is missing or damaged" for name in sorted(named) if not store.picture(name)]


def _written(graph: AppGraph, store: MapStore) -> list[str]:
    """Read the map anew, and hold it against the one in memory."""
    try:
        again = store.load()
    except MapError as e:
        return [str(e)]
    written = len(store.steps())
    found = [] if written == graph.steps else [f"{graph.steps} steps were counted, {written} are written"]
    if again != graph:
        found.append("what is written is not what is in memory")
    return found


def _looks(mapper: Mapper) -> list[str]:
    found = []
    for node in list(mapper.graph.nodes.values()):
        for number, look in enumerate(node.looks, 1):
            at = mapper.locate(look.observation)
            if at is None or mapper.resolve(at.node) != node.id:
                found.append(f"look {number} of {node.id} is taken for {at.node if at else 'a new page'}")
    return found
