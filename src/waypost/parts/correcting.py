"""What a user says of a map's pages in; the correction made, written to `pages.yaml` and undone, out."""

from dataclasses import dataclass

from waypost.errors import UsageError
from waypost.mapping import page_called
from waypost.mapping.corrections import (
    Correction,
    Corrections,
    Ignore,
    Merge,
    Pin,
    Rename,
    Split,
    cited,
    handles,
    static,
)
from waypost.mapping.pagesfile import FILE, write_corrections
from waypost.mapping.regions import Region, pruned
from waypost.mapping.signature import Signature, signature
from waypost.model import Hypernode, PageKind
from waypost.parts.face import Map

__all__ = ["Corrected", "ignore", "merge", "pin", "rename", "split", "told", "undo"]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction that was made or taken back."""

    said: str
    pages: tuple[Hypernode, ...]
    """What the pages that it names are now."""
    file: str
    count: int
    """Corrections that the map has now."""


def merge(known: Map, one: str, other: str) -> Corrected:
    """Say that two pages are one. Raises UsageError."""
    a, b = _page(known, one), _page(known, other)
    if a.id == b.id:
        raise UsageError(f"{one!r} and {other!r} are one page already, {a.name!r} ({a.id})")
    first, second = _handle(known, a), _handle(known, b)
    return _made(known, Merge(first, second), {first: _looks(known, a), second: _looks(known, b)})


def split(known: Map, page: str, looks: str) -> Corrected:
    """Say that some looks of a page, by number (`2,4-6`), are a page of their own. Raises UsageError."""
    node = _page(known, page)
    off = _numbers(looks, len(node.looks))
    seen = _looks(known, node)
    going = [s for i, s in enumerate(seen) if i in off]
    staying = [s for i, s in enumerate(seen) if i not in off]
    if not staying:
        raise UsageError(f"All {len(seen)} looks of {node.name!r} would go; leave one, or rename the page")
    if {static(s) for s in going} & {static(s) for s in staying}:
        raise UsageError(
            f"Some of these looks show the same as looks of {node.name!r} that stay; name those too "
            f"(`waypost pages MAP --looks {node.id}` lists them)"
        )
    stay = _fresh(known, node.name, {})
    gone = _fresh(known, f"{node.name}, other", {stay: ()})
    evidence = {stay: tuple(map(static, staying)), gone: tuple(map(static, going))}
    return _made(known, Split(stay, gone), evidence)


def rename(known: Map, page: str, name: str) -> Corrected:
    """Call a page by another name, whatever it shows. Raises UsageError."""
    node, name = _page(known, page), " ".join(name.split())
    if not name:
        raise UsageError("A page's name is a text")
    taken = next((n for n in known.graph.nodes.values() if n.name == name and n.id != node.id), None)
    if taken is not None:
        raise UsageError(f"{taken.id} is called {name!r} already; rename that one first, or merge the two")
    handle = _handle(known, node)
    return _made(known, Rename(handle, name, node.name), {handle: _looks(known, node)})


def pin(known: Map, page: str) -> Corrected:
    """Say that a page is one as it stands: nothing is joined to it, and it is never founded anew."""
    node = _page(known, page)
    if known.mapper.teacher.is_pinned(node.id):
        raise UsageError(f"{node.name!r} is pinned already")
    handle = _handle(known, node)
    return _made(known, Pin(handle), {handle: _looks(known, node)})


def ignore(known: Map, page: str, region: str) -> Corrected:
    """Say that what lies in a region of a page is no evidence. Raises UsageError."""
    node = _page(known, page)
    screens = [k.observation.screen for k in node.looks]
    try:
        where = Region.parse(region, screens[0].size)
    except ValueError as e:
        raise UsageError(str(e)) from e
    if not any(where.covers(e, s.size) for s in screens for e in s.visible()):
        raise UsageError(
            f"Nothing on {node.name!r} lies in {region!r}; `waypost explain MAP {node.id}` lists ids"
        )
    handle = _handle(known, node)
    before = known.mapper.teacher.corrections
    # The evidence is what is left of the page, so that the page is known by it.
    regions = [c.region for c in before.made if isinstance(c, Ignore) and c.page == handle]
    left = [signature(pruned(s, (*regions, where))) for s in screens]
    if any(
        not _tells(a) or a.layer is not b.layer for a, b in zip(left, map(signature, screens), strict=True)
    ):
        raise UsageError(f"{region!r} holds all that {node.name!r} is recognised by; choose less of it")
    return _made(known, Ignore(handle, where), {handle: cited(left)}, again=True)


def undo(known: Map) -> Corrected:
    """Take the last correction back, as far as the map can tell. Raises UsageError where there is none."""
    teacher, mapper = known.mapper.teacher, known.mapper
    if not teacher.corrections.made:
        raise UsageError(f"There is no correction to undo; {FILE} names none")
    last = teacher.corrections.made[-1]
    ends = [node for h in handles(last) if (node := teacher.bound(h)) is not None]
    match last:
        case Merge(page=page, other=other) if len(ends) == 2 and ends[0] == ends[1]:
            sides = Split(page, other)
            looks = [mapper.read(k.observation.screen) for k in known.graph.nodes[ends[0]].looks]
            off = [i for i, s in enumerate(looks) if mapper.nearer(s, sides) == other]
            if off and len(off) < len(looks):
                for node, name in zip(mapper.split(ends[0], off), (page, other), strict=True):
                    mapper.call(node, name)
        case Split() if len(ends) == 2 and ends[0] != ends[1]:
            mapper.merge(*ends)
        case Rename(was=was) if ends and was:
            mapper.call(ends[0], was)
    mapper.commit()
    return _written(known, teacher.corrections.without_last(), f"undone: {told(last)}", tuple(handles(last)))


def told(correction: Correction) -> str:
    """Say what a correction says.

    >>> told(Merge("Inbox", "Inbox 2"))
    "merged 'Inbox' and 'Inbox 2'"
    """
    match correction:
        case Merge(page=page, other=other):
            return f"merged {page!r} and {other!r}"
        case Split(page=page, off=off):
            return f"split {off!r} off {page!r}"
        case Rename(page=page, name=name):
            return f"called {page!r} {name!r}"
        case Pin(page=page):
            return f"pinned {page!r}"
        case Ignore(page=page, region=region):
            return f"ignores {str(region)!r} on {page!r}"


def _made(
    known: Map, correction: Correction, evidence: dict[str, tuple[Signature, ...]], *, again: bool = False
) -> Corrected:
    before = known.mapper.teacher.corrections
    # What a page showed when it was first corrected stays its evidence, unless it is read otherwise now.
    fresh = {h: looks for h, looks in evidence.items() if again or h not in before.pages}
    return _written(known, before.adding(correction, fresh), told(correction), handles(correction))


def _written(known: Map, corrections: Corrections, said: str, pages: tuple[str, ...]) -> Corrected:
    # The file first: a map that was not brought into line is, the next time that it is opened.
    write_corrections(known.folder, corrections)
    known.taught(corrections)
    bound = [node for h in pages if (node := known.mapper.teacher.bound(h)) is not None]
    nodes = tuple(known.graph.nodes[n] for n in dict.fromkeys(bound) if n in known.graph.nodes)
    return Corrected(said, nodes, str(known.folder / FILE), len(corrections.made))


def _page(known: Map, name: str) -> Hypernode:
    node = page_called(known.mapper, name)
    if node.kind is not PageKind.PAGE:
        raise UsageError(f"{node.name!r} is no page of the app, so that it cannot be corrected")
    if not node.looks:
        raise UsageError(f"Nothing was seen of {node.name!r}; explore the app first")
    return node


def _looks(known: Map, node: Hypernode) -> tuple[Signature, ...]:
    return cited([known.mapper.read(k.observation.screen) for k in node.looks])


def _tells(s: Signature) -> bool:
    """Whether a look says anything by which its page is known."""
    return bool(s.title or s.labels or s.scrolled or s.rows or s.said or s.entries)


def _handle(known: Map, node: Hypernode) -> str:
    """Return what a page goes by in the file: what it goes by there already, else its name."""
    teacher = known.mapper.teacher
    mine = [h for h in teacher.corrections.pages if teacher.bound(h) == node.id]
    split_ends = {h for c in teacher.corrections.made if isinstance(c, Split) for h in handles(c)}
    return next((h for h in mine if h not in split_ends), "") or _fresh(known, node.name, {})


def _fresh(known: Map, name: str, also: dict[str, tuple[Signature, ...]]) -> str:
    taken = {*known.mapper.teacher.corrections.pages, *also}
    name, n = name or "page", 1
    while (handle := name if n == 1 else f"{name} {n}") in taken:
        n += 1
    return handle


def _numbers(text: str, count: int) -> set[int]:
    """Read `2,4-6` as numbers of looks, the first of which is 1."""
    found: set[int] = set()
    for part in text.replace(" ", "").split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise UsageError(f"{text!r} names no looks; write their numbers, such as 2 or 2,4-6")
        found.update(range(int(first), int(last or first) + 1))
    wrong = sorted(n for n in found if not 1 <= n <= count)
    if wrong or not found:
        raise UsageError(f"There is no look {wrong[0] if wrong else text!r}; the page has {count}, from 1 on")
    return {n - 1 for n in found}
