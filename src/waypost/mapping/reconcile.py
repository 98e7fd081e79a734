"""An explored map and one that a package claims, as one: two graphs in, one and the claims' fate out."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from waypost.model import AppGraph, Evidence, NodeId, PageKind, Transition

__all__ = ["Claim", "Reconciled", "full_activity", "reconciled", "worth_trying"]


_ALIKE = 0.5
"""Share of the words of the shorter page from which on two pages of one activity are one."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed step, and what exploration says of it."""

    step: Transition
    """On the merged map."""
    verdict: str
    """`verified`: a step between the two was seen; `struck`: its control led elsewhere; else `open`."""


@dataclass(frozen=True, slots=True)
class Reconciled:
    graph: AppGraph
    """What was explored, and what is still claimed; verified and struck claims are not drawn twice."""
    claims: tuple[Claim, ...]
    seen: tuple[str, ...]
    """Activities that exploration came to and the package names."""
    missed: tuple[str, ...]
    """Activities that the package names and exploration did not come to."""
    unknown: tuple[str, ...]
    """Activities that exploration came to and the package does not name."""
    counts: Mapping[str, int] = field(default_factory=dict)


def full_activity(name: str, app: str, aliases: Mapping[str, str] | None = None) -> str:
    """Return the class behind an activity's name, however it is written: short, full, with its app, an alias.

    >>> full_activity(".Main", "org.mail"), full_activity("org.mail/.Main", "org.mail")
    ('org.mail.Main', 'org.mail.Main')
    >>> full_activity("org.mail.Start", "org.mail", {"org.mail.Start": "org.mail.Main"})
    'org.mail.Main'
    """
    package, slash, rest = name.partition("/")
    package, rest = (package, rest) if slash else (app, name)
    full = f"{package}{rest}" if rest.startswith(".") else rest
    if full and "." not in full:
        full = f"{package}.{full}"
    return (aliases or {}).get(full, full)


def reconciled(explored: AppGraph, claimed: AppGraph, aliases: Mapping[str, str] | None = None) -> Reconciled:
    """Merge two maps of one app: pages of one activity that show the same words are one.

    Where none does, the page of an activity that is nearest the root stands for it.
    """
    stands = _pages(explored, aliases or {})
    names = {n.id: _activity(claimed, n.id) for n in claimed.nodes.values()}
    into = _matched(explored, claimed, stands, names)
    kin = _kin(stands, names, into)
    named = {name for node, name in names.items() if str(node) == name}
    seen = named & stands.keys()
    merged = replace(
        explored,
        nodes=dict(explored.nodes),
        transitions=dict(explored.transitions),
        root=explored.root if explored.root is not None else claimed.root,
        untried=dict(explored.untried),
    )
    for node in claimed.nodes.values():
        if node.id not in into:
            merged.nodes[node.id] = replace(node, depth=-1)
    claims = [_claim(t, explored, kin, into) for t in claimed.transitions.values()]
    for claim in claims:
        if claim.verdict == "open":
            step = claim.step
            merged.transitions[step.source, step.key, step.target] = step
    return Reconciled(
        merged,
        tuple(claims),
        tuple(sorted(seen)),
        tuple(sorted(named - seen)),
        tuple(sorted(stands.keys() - named)),
        dict(Counter(c.verdict for c in claims)),
    )


def _activity(graph: AppGraph, node: NodeId) -> str:
    looks = graph.nodes[node].looks
    return looks[0].observation.screen.activity if looks else ""


def _pages(explored: AppGraph, aliases: Mapping[str, str]) -> dict[str, list[NodeId]]:
    """Return the explored pages of every activity, the nearest to the root first."""
    found: dict[str, list[NodeId]] = {}
    nodes = [n for n in explored.nodes.values() if n.kind is PageKind.PAGE]
    for node in sorted(nodes, key=lambda n: (n.depth < 0, n.depth)):
        name = full_activity(_activity(explored, node.id), explored.app, aliases)
        if name:
            found.setdefault(name, []).append(node.id)
    return found


def _words(graph: AppGraph, node: NodeId) -> frozenset[str]:
    looks = graph.nodes[node].looks
    return frozenset(e.label.casefold() for k in looks for e in k.observation.screen.visible() if e.label)


def _matched(
    explored: AppGraph, claimed: AppGraph, stands: Mapping[str, list[NodeId]], names: Mapping[NodeId, str]
) -> dict[NodeId, NodeId]:
    """Pair claimed pages with explored ones of the same activity, the most alike first."""
    words = {n: _words(claimed, n) for n in names}
    shown = {n: _words(explored, n) for pages in stands.values() for n in pages}
    pairs = [
        (len(words[one] & shown[other]) / max(1, min(len(words[one]), len(shown[other]))), one, other)
        for one, name in names.items()
        for other in stands.get(name, ())
    ]
    into: dict[NodeId, NodeId] = {}
    for share, one, other in sorted(pairs, key=lambda p: (-p[0], p[1], p[2])):
        if share >= _ALIKE and one not in into and other not in into.values():
            into[one] = other
    for one, name in names.items():
        free = [p for p in stands.get(name, ()) if p not in into.values()]
        if one not in into and str(one) == name and free:
            into[one] = free[0]
    return into


def _kin(
    stands: Mapping[str, list[NodeId]], names: Mapping[NodeId, str], into: Mapping[NodeId, NodeId]
) -> dict[NodeId, set[NodeId]]:
    """Name the explored pages that a claimed page may be: all of its activity's where it has but one."""
    count = Counter(names.values())
    return {page: set(stands[names[one]]) if count[names[one]] == 1 else {page} for one, page in into.items()}


def _claim(
    step: Transition,
    explored: AppGraph,
    kin: Mapping[NodeId, set[NodeId]],
    into: Mapping[NodeId, NodeId],
) -> Claim:
    moved = replace(
        step, source=into.get(step.source, step.source), target=into.get(step.target, step.target)
    )
    sources, targets = kin.get(moved.source, set()), kin.get(moved.target, set())
    led = [t for t in explored.transitions.values() if t.source in sources]
    if any(t.target in targets for t in led):
        return Claim(moved, "verified")
    told = getattr(step.action, "target", None)
    tried = [t for t in led if told is not None and _same_control(told, t)]
    return Claim(moved, "struck" if tried else "open")


def _same_control(claimed: Evidence, seen: Transition) -> bool:
    """Whether the control of a step that was seen is the one that a package names."""
    target = getattr(seen.action, "target", None)
    if target is None:
        return False
    if claimed.resource_id and target.resource_id:
        return bool(target.resource_id.rpartition("/")[2] == claimed.resource_id.rpartition("/")[2])
    return bool(claimed.label and target.label.casefold() == claimed.label.casefold())


def worth_trying(claims: Iterable[Claim], explored: AppGraph) -> list[Transition]:
    """List the open claims that start on a page which was explored and name a control: what to try next."""
    return [
        c.step
        for c in claims
        if c.verdict == "open"
        and c.step.source in explored.nodes
        and (target := getattr(c.step.action, "target", None)) is not None
        and (target.label or target.resource_id)
    ]
