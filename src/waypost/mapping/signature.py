"""What identifies a page in one look: a screen in, its signature out."""

import hashlib
from dataclasses import dataclass, field, replace

from waypost.mapping.addresses import base, lies_over, linked, views
from waypost.mapping.layers import LayerKind, active_layer
from waypost.mapping.memo import per_screen
from waypost.mapping.rows import grid, panes, repeated, scrolls
from waypost.mapping.strips import CHOICES, called, chosen, chosen_among, entries
from waypost.mapping.titles import heading, is_bar, page_title
from waypost.mapping.vocabulary import up_words
from waypost.mapping.words import LONG, name_key, plain
from waypost.model import Element, Role, Screen, TreeQuality

__all__ = ["Signature", "layer_mark", "signature"]

_SYSTEM_UI = "com.android.systemui"
_VALUES, _DAYS = 3, 14
"""Choices from which a layer is a chooser of values; more of them are a calendar or a wheel."""
_PANE = 0.25
"""Share of the screen from which a part that scrolls is where the page's own things are."""
_BACK = 0.5
"""Share of the screen from which what takes touches, and holds controls, is what they lie on."""
_BESIDE = 2
"""Labels that may stand beside a layer in its holder: what closes it."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Signature:
    """The evidence of one look, with what is content kept apart from what is static."""

    app: str = ""
    route: str = ""
    """Activity, or the pattern of the page's address without its query."""
    path: str = ""
    """The address as it was, query values and all."""
    anchored: bool = False
    """Whether the address names a part of the page to scroll to."""
    view: frozenset[tuple[str, str]] = frozenset()
    """What the address asks for in words."""
    links: frozenset[str] = frozenset()
    """Where links outside of rows, seen or to be scrolled to, lead inside of the app."""
    row_links: frozenset[str] = frozenset()
    """Where links of rows lead."""
    ways: frozenset[str] = frozenset()
    """Where bars, drawers and menus lead."""
    asks: frozenset[str] = frozenset()
    """What its fields ask for."""
    layer: LayerKind = LayerKind.PAGE
    holder: str = ""
    """Id of a layer, or of what holds nothing but the layer; empty where it has none."""
    title: str = ""
    titled: bool = True
    """Whether the title surely is one, by where it stands or what holds it."""
    window: str = ""
    """Title of the window or document."""
    selected: frozenset[str] = frozenset()
    """The chosen ones among the tabs and the entries of bars."""
    entries: frozenset[str] = frozenset()
    """What tabs and bars offer."""
    frame: frozenset[str] = frozenset()
    """Structure outside of what scrolls: role and id of each part."""
    body: frozenset[str] = frozenset()
    """Structure inside of what scrolls, rows collapsed to their template."""
    labels: frozenset[str] = frozenset()
    """What controls and headings outside of what scrolls are called."""
    scrolled: frozenset[str] = frozenset()
    """What controls and headings inside of what scrolls, but in no row, are called."""
    rows: frozenset[str] = frozenset()
    """What rows are called."""
    switches: int = 0
    """Rows that hold a switch or a box to tick: settings rather than content."""
    choices: int = 0
    """Rows of which one can be chosen."""
    said: frozenset[str] = frozenset()
    """Texts to read, outside of rows."""
    offers: frozenset[str] = frozenset()
    """What controls outside of rows are called: what can be tapped, and not only read."""
    panes: frozenset[str] = frozenset()
    """Ids of what fills much of the screen and scrolls up and down, and holds nothing else that does."""
    grid: tuple[int, int] = (0, 0)
    """How many cells of its largest grid go across the screen, and how many down; zeros without a grid."""
    offered: tuple[str, ...] = ()
    """What the bars that lead around the app are seen to offer, from top to bottom."""
    fits: bool = True
    """Whether nothing on it can be scrolled up and down: all there is was seen."""
    keyboard: bool = False
    up: bool = False
    """Whether it offers a way up, as pages below another do."""
    quality: TreeQuality = TreeQuality.FULL
    size: int = 0
    """Parts that can be seen."""
    content: str = ""
    """Equal where all that is static is equal, whatever the address."""
    digest: str = ""
    """Equal digests: equal in everything above that is static."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to recognise it by."""
        told = self.labels or self.scrolled or self.rows or self.said
        return not told and all(t.startswith("group:") for t in self.frame | self.body)


@dataclass(slots=True)
class _Sets:
    frame: set[str] = field(default_factory=set)
    body: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    scrolled: set[str] = field(default_factory=set)
    rows: set[str] = field(default_factory=set)
    selected: set[str] = field(default_factory=set)
    entries: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    offers: set[str] = field(default_factory=set)
    asks: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)
    row_links: set[str] = field(default_factory=set)
    ways: set[str] = field(default_factory=set)
    offered: dict[str, None] = field(default_factory=dict)
    switches: int = 0
    choices: int = 0
    up: bool = False
    fits: bool = True
    size: int = 0


@dataclass(frozen=True, slots=True)
class _Zone:
    """Where in the layer an element lies."""

    anchor: str = ""
    scrolls: bool = False
    row: bool = False
    bar: bool = False
    ways: bool = False
    """Whether the bar leads around the app."""
    named: bool = False
    """Whether the control around it has taken its label."""


@per_screen
def signature(screen: Screen) -> Signature:
    """Read a look's active layer into the evidence that tells pages apart."""
    layer = active_layer(screen)
    found = _Sets()
    _read(layer.root, _Zone(), screen, found)
    web = "://" in screen.app or screen.activity.startswith(("/", "#", "?"))
    place = _unanchored(screen, layer.modal)
    route = base(place) if web else screen.activity
    if layer.kind in (LayerKind.DRAWER, LayerKind.MENU):
        found.ways |= found.links | found.row_links
    title, sure = page_title(layer.root, screen) if not layer.modal else (heading(layer.root), True)
    if layer.modal and not title:
        found.labels |= _values(layer.root)
    parts = Signature(
        app=screen.app,
        route=route,
        path=screen.activity if web else "",
        anchored=web and place != screen.activity,
        view=views(screen.activity) if web else frozenset(),
        links=frozenset(found.links),
        row_links=frozenset(found.row_links),
        ways=frozenset(found.ways),
        asks=frozenset(found.asks),
        layer=layer.kind,
        holder=_holder(screen.root, layer.root) if layer.modal else "",
        title=plain(title),
        titled=sure,
        window=plain(screen.title),
        selected=frozenset(found.selected),
        entries=frozenset(found.entries),
        frame=frozenset(found.frame),
        body=frozenset(found.body),
        labels=frozenset(found.labels),
        scrolled=frozenset(found.scrolled),
        rows=frozenset(found.rows),
        switches=found.switches,
        choices=found.choices,
        said=frozenset(found.said),
        offers=frozenset(found.offers),
        panes=panes(layer.root, _PANE * screen.size[0] * screen.size[1])[0],
        grid=grid(layer.root, screen.size),
        offered=tuple(found.offered),
        fits=found.fits,
        keyboard=screen.keyboard,
        up=found.up,
        quality=screen.quality,
        size=found.size,
    )
    return _sealed(parts)


def _unanchored(screen: Screen, modal: bool) -> str:
    """Return the address without a fragment that names a part of the page."""
    place, _, fragment = screen.activity.partition("#")
    anchor = fragment and not modal and any(e.resource_id == fragment for e in screen.walk())
    return place if anchor else screen.activity


def layer_mark(s: Signature) -> str:
    """Return what a layer is known by wherever it opens: its title where the address names it."""
    added = s.route.removeprefix(lies_over(s.route))
    return f"{s.layer.value}:{added}:{s.title}" if added else f"{s.layer.value}:{s.content}"


def _sealed(s: Signature) -> Signature:
    sets = (s.selected, s.frame, s.body, s.labels, s.scrolled, s.said, s.rows)
    facts = (s.layer.value, s.holder, s.title, s.grid, *map(sorted, sets))
    return replace(s, content=_hashed(facts), digest=_hashed((s.app, s.route, sorted(s.view), facts)))


def _hashed(facts: tuple[object, ...]) -> str:
    return hashlib.blake2b(repr(facts).encode(), digest_size=12).hexdigest()


def _values(layer: Element) -> frozenset[str]:
    """Return the choices of a layer as they are written, where all but a few are mere numbers or dates."""
    offered = [e.label for e in layer.walk() if e.clickable and e.visible and e.bounds.area and e.label]
    values = {label.casefold().strip() for label in offered if not plain(label)}
    return (
        frozenset(values)
        if _VALUES <= len(values) <= _DAYS and 2 * len(values) > len(offered)
        else frozenset()
    )


def _holder(root: Element, layer: Element) -> str:
    """Return the nearest id at or around a layer, as far out as there is next to nothing beside it."""
    said = sum(1 for e in layer.walk() if e.label)
    for element in reversed(_path(root, layer)):
        if sum(1 for e in element.walk() if e.label) > said + _BESIDE:
            return ""
        name = name_key(element.resource_id)
        if name:
            return name
    return ""


def _path(root: Element, wanted: Element) -> list[Element]:
    """Return what leads from the root to an element, both included; nothing where it is not there."""
    if root is wanted:
        return [root]
    for child in root.children:
        found = _path(child, wanted)
        if found:
            return [root, *found]
    return []


def _read(element: Element, zone: _Zone, screen: Screen, found: _Sets) -> None:
    if not element.visible and not element.children:
        return
    seen = element.visible and element.bounds.area > 0
    if seen and element.resource_id.startswith(_SYSTEM_UI):
        return
    if element.href and (link := linked(element.href, screen.activity, screen.app)):
        (found.ways if zone.ways else found.row_links if zone.row else found.links).add(link)
    inner = zone
    if seen:
        _note(element, zone, screen, found)
        inner = _inside(element, zone, screen)
    rows = repeated(element) if not zone.row and not inner.bar else frozenset()
    among = chosen_among(element, screen) if not zone.row else frozenset()
    for i, name in entries(element, among):
        found.entries.add(name)
        if chosen(element.children[i]):
            found.selected.add(name)
    for i, child in enumerate(element.children):
        if i in rows:
            _note_row(child, found)
            _read(child, _Zone(inner.anchor, True, True, False, inner.ways, inner.named), screen, found)
        else:
            _read(child, inner, screen, found)


def _backs(element: Element, screen: Screen) -> bool:
    """Whether what takes touches is the page or a sheet itself, so that none goes through: no control."""
    if element.bounds.area < _BACK * screen.size[0] * screen.size[1]:
        return False
    inside = [e for c in element.children for e in c.walk()]
    return any(e.clickable for e in inside) or sum(1 for e in inside if e.label and e.visible) > 1


def _inside(element: Element, zone: _Zone, screen: Screen) -> _Zone:
    """Return the zone of what the element holds."""
    anchor = name_key(element.resource_id) or (
        zone.anchor if element.role is Role.GROUP else element.role.value
    )
    tall = element.bounds.height >= 0.1 * screen.size[1]
    inside = zone.scrolls or (tall and scrolls(element))
    bar = zone.bar or element.role in CHOICES or is_bar(element)
    ways = zone.ways or element.role in CHOICES
    named = element.clickable and not _backs(element, screen) and bool(called(element))
    return _Zone(anchor, inside, zone.row, bar, ways, zone.named or named)


def _note(element: Element, zone: _Zone, screen: Screen, found: _Sets) -> None:
    """Take down the structure and the label of one element."""
    found.size += 1
    if element.scrollable and scrolls(element):
        found.fits = False
    key = name_key(element.resource_id)
    acts = (
        (element.clickable and not _backs(element, screen))
        or element.checkable
        or element.role in (Role.BUTTON, Role.LINK, Role.TAB, Role.FIELD)
    )
    if key or acts or element.role not in (Role.GROUP, Role.TEXT):
        token = f"{element.role.value}:{key or '^' + zone.anchor}"
        (found.body if zone.scrolls or zone.row else found.frame).add(("row " if zone.row else "") + token)
    if element.role in (Role.SWITCH, Role.CHECKBOX, Role.RADIO) and zone.row:
        found.switches += 1
        found.choices += element.role is Role.RADIO
    if zone.row or element.role is Role.FIELD:
        _note_field(element, zone, found)
        return
    name = called(element) if acts or element.role is Role.HEADING else element.label
    if not name or zone.named or len(name) > LONG:
        return
    label = plain(name)
    if label and acts:
        found.offers.add(label)
        if zone.ways:
            found.offered[label] = None
    if label:
        reads = element.role in (Role.TEXT, Role.GROUP) and not acts and not zone.bar
        (found.said if reads else found.scrolled if zone.scrolls else found.labels).add(label)
    if acts and not zone.scrolls and _leads_up(element, label):
        found.up = True


def _note_field(element: Element, zone: _Zone, found: _Sets) -> None:
    """Take down what a field asks for, never what was typed into it."""
    if element.role is Role.FIELD:
        label = plain(element.hint or element.description)
        asked = label or name_key(element.resource_id)
        if asked:
            found.asks.add(asked)
        if label and not zone.row:
            (found.scrolled if zone.scrolls else found.labels).add(label)


def _note_row(row: Element, found: _Sets) -> None:
    name = next((p for e in row.walk() if e.visible and (p := plain(e.label))), "")
    if name:
        found.rows.add(name)


def _leads_up(element: Element, label: str) -> bool:
    key = name_key(element.resource_id)
    return label in up_words() or key in ("back", "up", "btn_back", "back_button", "home_as_up")
