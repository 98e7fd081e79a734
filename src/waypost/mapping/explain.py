"""Why looks are one page or two, and which page a look shows: a map and looks in, reasons out."""

from dataclasses import dataclass

from waypost.errors import UsageError
from waypost.mapping.mapper import Mapper
from waypost.mapping.signature import Signature
from waypost.model import Hypernode, NodeId, Observation, PageKind
from waypost.protocols import Comparison, Reason

__all__ = ["Explanation", "explain_look", "explain_pages", "look_called", "page_called"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A judgement with its reasons, ready to print or to encode."""

    subject: str
    verdict: str
    score: float
    same: bool
    """One page, as far as the evidence goes."""
    reasons: tuple[Reason, ...] = ()

    @property
    def text(self) -> str:
        """Write it for people: the verdict, then what counted, the weightiest first."""
        lines = [f"{self.subject}: {self.verdict} (confidence {self.score:.2f})"]
        for r in sorted(self.reasons, key=lambda r: -abs(r.weight)):
            lines.append(f"  {r.weight:+5.1f}  {r.name}: {r.detail}")
        return "\n".join(lines)


def page_called(mapper: Mapper, name: str) -> Hypernode:
    """Find a page by its id or its name, also in part. Raises UsageError where none, or several, fit."""
    nodes = mapper.graph.nodes
    by_id = mapper.resolve(NodeId(name))
    if by_id in nodes:
        return nodes[by_id]
    asked = name.casefold()
    exact = [n for n in nodes.values() if n.name.casefold() == asked]
    partly = exact or [n for n in nodes.values() if asked in n.name.casefold()]
    if len(partly) == 1:
        return partly[0]
    if not partly:
        raise UsageError(f"No page is called {name!r}; `waypost pages` lists them")
    named = ", ".join(f"{n.name!r} ({n.id})" for n in partly[:6])
    raise UsageError(f"{name!r} may be {named}; give the id")


def look_called(mapper: Mapper, name: str) -> tuple[Hypernode, int | None]:
    """Find a page, or one look of it: `n3#2`, `Inbox#1`, the first of which is 1. Raises UsageError."""
    page, hash_, number = name.rpartition("#")
    if not hash_ or not number.isdecimal() or NodeId(name) in mapper.graph.nodes:
        return page_called(mapper, name), None
    node = page_called(mapper, page)
    if not 1 <= int(number) <= len(node.looks):
        raise UsageError(f"{node.name!r} has {len(node.looks)} looks, from 1 on; there is no {number}")
    return node, int(number) - 1


def explain_pages(mapper: Mapper, a: str, b: str) -> Explanation:
    """Say why two pages of the map, or two looks, are kept apart, or would be taken for one."""
    (one, look), (other, against) = look_called(mapper, a), look_called(mapper, b)
    if a != b and (look is not None or against is not None):
        return _of_looks(mapper, (one, look or 0), (other, against or 0))
    subject = f"{one.name!r} and {other.name!r}"
    if one.id == other.id:
        return Explanation(subject, f"one page, {one.id}", 1.0, True, _within(mapper, one))
    for node in (one, other):
        if node.kind is not PageKind.PAGE:
            what = node.overlay or "another app"
            why = (Reason("kind", -1.0, f"{node.name!r} is {what}"),)
            return Explanation(subject, "never one page", 1.0, False, why)
    judged = mapper.judge_pages(one.id, other.id)
    verdict = "would be taken for one page" if judged.same else "two pages"
    score = judged.score if judged.same else 1.0 - judged.score
    return Explanation(subject, verdict, score, judged.same, judged.reasons)


def _of_looks(mapper: Mapper, a: tuple[Hypernode, int], b: tuple[Hypernode, int]) -> Explanation:
    """Hold two looks against each other; where the user said which is which, that is what counts."""
    (one, i), (other, j) = a, b
    looks = [mapper.read(n.looks[k].observation.screen) for n, k in (a, b)]
    judged = mapper.judge(*looks)
    said = tuple(mapper.teacher.reasons(one.id, other.id))
    same = one.id == other.id if said else judged.same
    verdict = "one page" if same else "two pages"
    score = 1.0 if said else judged.score if same else 1.0 - judged.score
    subject = f"look {i + 1} of {one.name!r} and look {j + 1} of {other.name!r}"
    return Explanation(subject, verdict, score, same, (*said, *judged.reasons))


def _within(mapper: Mapper, node: Hypernode) -> tuple[Reason, ...]:
    """Return what joined the looks of one page: the founding one with the one least like it."""
    looks = [mapper.read(k.observation.screen) for k in node.looks]
    judged = [mapper.judge(looks[0], s) for s in looks[1:]]
    least: Comparison | None = min(judged, key=lambda c: c.score, default=None)
    once = (Reason("looks", 1.0, "it was seen in one way only"),)
    return (*mapper.teacher.reasons(node.id, node.id), *(least.reasons if least else once))


def explain_look(mapper: Mapper, observation: Observation) -> Explanation:
    """Say which page of the map a look shows, or why it shows none."""
    s = mapper.read(observation.screen)
    subject = _described(s)
    found = mapper.locate(observation)
    if found is not None:
        return Explanation(
            subject,
            f"{mapper.graph.nodes[found.node].name!r} ({found.node})",
            found.confidence,
            True,
            found.reasons,
        )
    nearest = mapper.nearest(observation)
    if nearest is None:
        return Explanation(subject, "a page that is not on this map, and like none of it", 1.0, False)
    name = mapper.graph.nodes[nearest.node].name
    return Explanation(
        subject,
        f"a page that is not on this map; nearest is {name!r}",
        1.0 - nearest.confidence,
        False,
        nearest.reasons,
    )


def _described(s: Signature) -> str:
    said = (
        s.title
        or next(iter(sorted(s.selected or s.labels)), "")
        or s.route
        or "nothing that is called anything"
    )
    return f"a {s.layer.value} with {said!r}"
