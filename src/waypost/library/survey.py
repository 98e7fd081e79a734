"""What the pages of one map have in common: a map in, per page its words and its ways in and out.

A label that stands on most pages (a bottom bar, a drawer) says little about any of them; text that
differs between looks of one page, or from row to row of a list, is content and says nothing either.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from waypost.library.reading import Item, Reading, read
from waypost.library.words import clean, fold
from waypost.model import (
    AppGraph,
    Evidence,
    Hypernode,
    LongPress,
    NodeId,
    Role,
    Tap,
    Transition,
    TransitionKind,
    TypeText,
)

__all__ = ["EMPTY", "Page", "label_of", "survey", "target_of"]

_EMPTY = """
ok|okay|cancel|close|back|done|yes|no|skip|dismiss|more|menu|navigate up|go back|more options|not now|got it|
later|overflow|open navigation drawer|open menu|open drawer|collapse|expand|options|
确定|取消|返回|关闭|更多|完成|是|否|跳过|知道了|菜单
"""
EMPTY = frozenset(_EMPTY.replace("\n", "").strip("|").split("|"))
"""Labels that say nothing about where they lead or what the page is."""
_DIGITS = re.compile(r"\d+")
_OFTEN = 0.4
"""Share of pages from which a label is taken for a fixture of the app."""
_FEW = 6
"""On fewer pages nothing can be told to be a fixture."""


@dataclass
class Page:
    """One page, read over all its looks."""

    node: NodeId
    member: int
    reading: Reading
    level: bool = False
    """Whether its rows are ways on to others like it, be they tried or not."""
    items: list[Item] = field(default_factory=list)
    """What can be done or read here, fixtures and content left out, in reading order."""
    lists: list[tuple[str, ...]] = field(default_factory=list)
    """First labels of each list of content."""
    links: dict[str, NodeId] = field(default_factory=dict)
    """Folded label of what leads to another page -> that page."""
    entries: list[Transition] = field(default_factory=list)
    """Ways in that say something, in a fixed order."""


def target_of(action: object) -> Evidence | None:
    match action:
        case Tap(target=target) | LongPress(target=target) | TypeText(target=target):
            return target
    return None


def label_of(transition: Transition) -> str:
    """Return what the element that was acted on is called; empty for keys and swipes."""
    target = target_of(transition.action)
    return clean(target.label.split("\n")[0], 60) if target else ""


def survey(graph: AppGraph) -> dict[NodeId, Page]:
    """Read every page that has a look."""
    readings = {n.id: _readings(n) for n in graph.pages() if n.looks}
    often = _fixtures(readings)
    pages = {}
    for node, looks in readings.items():
        member = _best(looks)
        pages[node] = Page(node, member, looks[member], graph.nodes[node].level)
    for step in sorted(graph.transitions.values(), key=lambda t: (t.source, t.key, t.target)):
        if step.source in pages and step.target in pages and _leads(step):
            label = fold(label_of(step))
            if label and label not in EMPTY:
                pages[step.source].links.setdefault(label, step.target)
            pages[step.target].entries.append(step)
    for node, page in pages.items():
        _fill(page, readings[node], often)
    return pages


def _readings(node: Hypernode) -> list[Reading]:
    # Forty looks tell as much as four hundred.
    return [read(look.observation.screen) for look in node.looks[:40]]


def _best(looks: list[Reading]) -> int:
    """Return the look that says most near the top: the first one unless it was still loading."""
    first = len(looks[0].items)
    for i, look in enumerate(looks):
        if i and first < 3 <= len(look.items):
            return i
    return 0


def _leads(step: Transition) -> bool:
    return step.kind is TransitionKind.NAVIGATION and step.source != step.target and not step.hazard


def _fixtures(readings: dict[NodeId, list[Reading]]) -> frozenset[str]:
    counted: Counter[str] = Counter()
    for looks in readings.values():
        counted.update({fold(i.label) for look in looks for i in look.items if i.active})
    if len(readings) < _FEW:
        return frozenset()
    return frozenset(label for label, n in counted.items() if n >= max(3, _OFTEN * len(readings)))


def _fill(page: Page, looks: list[Reading], often: frozenset[str]) -> None:
    seen_in: Counter[str] = Counter()
    variants: dict[str, set[str]] = defaultdict(set)
    for look in looks:
        seen_in.update({i.label.casefold() for i in look.items})
        for item in look.items:
            variants[_DIGITS.sub("#", item.label.casefold())].add(item.label.casefold())
    content = _content_lists(page, looks)
    taken: set[tuple[str, str]] = set()
    examples: dict[str, list[str]] = defaultdict(list)
    for look in [page.reading, *looks]:
        for item in look.items:
            name, exact = fold(item.label), item.label.casefold()
            if not name or (exact, item.section) in taken:
                continue
            taken.add((exact, item.section))
            if item.row and item.row in content:
                examples[item.row].append(item.label)
            elif (
                name not in EMPTY
                and name not in often
                and not _changes(item, seen_in[exact], len(looks), len(variants[_DIGITS.sub("#", exact)]))
            ):
                page.items.append(item)
    page.lists = [tuple(labels[:3]) for labels in examples.values()]


def _changes(item: Item, seen: int, looks: int, variants: int) -> bool:
    """Whether a text that is only read came and went between looks, or counts something."""
    return not item.active and (variants > 1 or (looks > 1 and seen < 2))


def _content_lists(page: Page, looks: Iterable[Reading]) -> frozenset[str]:
    """Tell content from entries: rows of the latter lead to different pages, or switch something."""
    if page.level:
        return frozenset()
    rows: dict[str, set[str]] = defaultdict(set)
    fixed: set[str] = set()
    targets: dict[str, set[NodeId]] = defaultdict(set)
    tried: Counter[str] = Counter()
    for look in looks:
        for item in look.items:
            if not item.row:
                continue
            name = fold(item.label)
            rows[item.row].add(name)
            if item.role in (Role.SWITCH, Role.CHECKBOX, Role.RADIO, Role.SLIDER, Role.PICKER, Role.FIELD):
                fixed.add(item.row)
            if name in page.links:
                tried[item.row] += 1
                targets[item.row].add(page.links[name])
    return frozenset(
        row for row, names in rows.items() if row not in fixed and len(names) >= 3 and len(targets[row]) <= 1
    )
