"""Levels of a page whose rows lead to more rows of its own: steps that stayed on it in, how to part it out.

Folders in folders, menus of menus, nested categories: one page by all other evidence, since rows are content.
Such a page is parted by what the app does: the same row leads again to the same other rows, and Back to those
before. From then on what is listed tells its levels apart, and each of them is a page that a plan can cross.
"""

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from waypost.mapping.layers import LayerKind
from waypost.mapping.places import Way
from waypost.mapping.signature import Signature
from waypost.mapping.splitting import Step
from waypost.mapping.words import plain
from waypost.model import Action, Look, NodeId, Press, Tap

if TYPE_CHECKING:
    from waypost.mapping.mapper import Mapper

__all__ = ["Levels", "Listed", "Moved", "apart", "listed", "moved_within", "part"]

_HALF = 0.5
"""Share of the shorter list from which two looks list the same; of the longer, if the shorter is whole."""
_KEPT = 40
"""Steps within one page that are remembered: where rows are data, there is no end of them."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What a look, or a page by all its looks, lists."""

    names: frozenset[str] = frozenset()
    whole: bool = True
    """Whether that is all there is: nothing is left to scroll to."""

    def __or__(self, other: "Listed") -> "Listed":
        return Listed(self.names | other.names, self.whole or other.whole)


@dataclass(frozen=True, slots=True)
class Moved:
    """A step that stayed on its page and brought other rows in place of all that were there."""

    action: Action
    key: str
    before: Listed
    after: Listed
    seen_at: float

    @property
    def down(self) -> bool:
        return isinstance(self.action, Tap)


def listed(*looks: Signature) -> Listed:
    """Return what looks at one page list: a list too short to have rows of one template counts as well."""
    return reduce(or_, (Listed(s.rows | s.scrolled, s.fits) for s in looks), Listed(whole=False))


def apart(a: Listed, b: Listed) -> bool:
    """Whether two looks list other things; a part of a list is no other thing than the list.

    >>> few, many = frozenset("abc"), frozenset("abcdefgh")
    >>> apart(Listed(few, whole=False), Listed(many)), apart(Listed(few), Listed(many))
    (False, True)
    """
    if not a.names or not b.names:
        return bool(a.names) != bool(b.names)
    short, long = sorted((a, b), key=lambda x: len(x.names))
    least = long if short.whole else short
    return len(short.names & long.names) < _HALF * len(least.names)


def moved_within(a: Signature, b: Signature, way: Way, seen_at: float) -> Moved | None:
    """Return what a row, or Back, did on its page, where it changed what is listed and nothing else."""
    action = way.action
    target = getattr(action, "target", None)
    row = isinstance(action, Tap) and target is not None and bool(target.template)
    back = isinstance(action, Press) and action.key == "back"
    if action is None or not (row or back) or not _differ_in_rows(a, b):
        return None
    return Moved(action, way.key, listed(a), listed(b), seen_at)


def _differ_in_rows(a: Signature, b: Signature) -> bool:
    """Whether two looks of a page differ in what they list and in nothing that is not told by it.

    An opened item has more than its rows to it: a text, a price. Where the address names what is listed, its
    pattern has told already that they are items of one kind.
    """
    if a.layer is not LayerKind.PAGE or b.layer is not LayerKind.PAGE or a.path != b.path:
        return False
    mine, other = listed(a), listed(b)
    if not mine.names or not other.names or not apart(mine, other) or a.selected != b.selected:
        return False
    # A path above the rows says which of them were tapped.
    told = {a.title, b.title} | mine.names | other.names
    return not ((a.labels ^ b.labels) | (a.said ^ b.said)) - told


class Levels:
    """Evidence, by page, that its rows lead to more rows of it; gone once it has proved enough."""

    def __init__(self) -> None:
        self._moved: dict[NodeId, list[Moved]] = {}
        self.parted: list[NodeId] = []
        """Pages that looks, steps and frontier were taken from or given to, by and by."""

    def saw(self, node: NodeId, moved: Moved) -> tuple[Moved, ...]:
        """Take in a step; return all that is known of its page once that proves levels, else nothing.

        >>> from waypost.model import Evidence, Role
        >>> tap, back = Tap((1, 1), Evidence(Role.ITEM, "Jazz", template="list|item")), Press("back")
        >>> up, low = Listed(frozenset(("jazz", "rock"))), Listed(frozenset(("blue", "so what")))
        >>> down, return_ = Moved(tap, "t", up, low, 1.0), Moved(back, "b", low, up, 2.0)
        >>> levels = Levels()
        >>> [len(levels.saw(NodeId("n1"), m)) for m in (down, return_, down)]
        [0, 0, 3]
        """
        known = self._moved[node] = [*self._moved.get(node, ()), moved][-_KEPT:]
        return tuple(self._moved.pop(node)) if any(_proves(m, known) for m in known) else ()

    def suspects(self, node: NodeId, key: str) -> bool:
        """Whether a row led to other rows of its page, and nothing proved yet that it always does."""
        return any(m.key == key and m.down for m in self._moved.get(node, ()))


def _proves(down: Moved, known: list[Moved]) -> bool:
    """Whether a row was seen to lead twice to the same rows, and Back to return from them."""
    again = sum(1 for m in known if m.key == down.key and _same(m, down.before, down.after))
    returned = any(not m.down and _same(m, down.after, down.before) for m in known)
    return down.down and again > 1 and returned


def _same(moved: Moved, before: Listed, after: Listed) -> bool:
    return not apart(moved.before, before) and not apart(moved.after, after)


def part(mapper: "Mapper", node: NodeId, moved: tuple[Moved, ...]) -> None:
    """Make every level of a page a page of its own, and count the steps that led between them as such."""
    mapper.mark_level(node)
    pages = [node]
    for group in _groups(mapper, node)[1:]:
        looks = mapper.graph.nodes[node].looks
        off = [i for i, k in enumerate(looks) if not apart(group, _look(mapper, k))]
        if not off or len(off) == len(looks):
            continue
        at = looks[off[0]].observation.seen_at
        led = [Step(node, m.key, node, at) for m in moved if not apart(m.after, group)]
        _, new = mapper.split(node, off, led)
        pages.append(new)
        entry = next((m for m in moved if m.down and not apart(m.after, group)), None)
        target = getattr(entry.action, "target", None) if entry else None
        if target is not None and plain(target.label):
            mapper.rename(new, target.label)
    _recount(mapper, pages, moved)
    mapper.levels.parted.extend(pages)


def _groups(mapper: "Mapper", node: NodeId) -> list[Listed]:
    """Return what each level lists, as far as its looks show; that of the founding look is the first."""
    groups: list[Listed] = []
    for look in mapper.graph.nodes[node].looks:
        mine = _look(mapper, look)
        at = next((i for i, known in enumerate(groups) if not apart(known, mine)), None)
        if at is None:
            groups.append(mine)
        else:
            groups[at] |= mine
    return groups


def _recount(mapper: "Mapper", pages: list[NodeId], moved: tuple[Moved, ...]) -> None:
    """Count the steps between levels that were taken for steps that stay."""
    steps = mapper.graph.transitions
    found = {p: reduce(or_, (_look(mapper, k) for k in mapper.graph.nodes[p].looks)) for p in pages}
    for page in pages:
        for key in dict.fromkeys(m.key for m in moved):
            if (page, key, page) in steps:
                mapper.forget(steps[page, key, page])
    split = set(steps)
    for m in moved:
        ends = [next((p for p in pages if not apart(found[p], end)), None) for end in (m.before, m.after)]
        source, target = ends
        if source and target and (source, m.key, target) not in split:
            mapper.count(source, m.action, m.key, target, m.seen_at, 0.0)


def _look(mapper: "Mapper", look: Look) -> Listed:
    return listed(mapper.read(look.observation.screen))
