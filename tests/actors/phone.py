"""A phone of a few lines: pages, what their buttons lead to, and the faults a test asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from waypost.errors import DeviceError
from waypost.mapping.controls import action_key, controls
from waypost.model import (
    Action,
    AppGraph,
    Bounds,
    Element,
    Hypernode,
    NodeId,
    Observation,
    Press,
    Role,
    Screen,
    Swipe,
    Tap,
    Transition,
    TransitionKind,
    TreeQuality,
    Wait,
)

__all__ = ["Chart", "Phone", "charted"]

_ROW = 150
_TOP = 200


@dataclass
class Phone:
    """Pages are named by their titles; a button is `label -> page`. The first page is the root."""

    pages: Mapping[str, Mapping[str, str]]
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Pages whose buttons stand in a list that scrolls, four to a screen; the rows in order."""
    dead: set[tuple[str, str]] = field(default_factory=set)
    moved: dict[tuple[str, str], str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    secret: set[str] = field(default_factory=set)
    """Pages with a password field."""
    stuck: set[str] = field(default_factory=set)
    """Pages that Back does not leave."""
    ads_before: set[int] = field(default_factory=set)
    """An ad lies over the screen from this action on, and takes it."""
    blind: set[int] = field(default_factory=set)
    """Looks without a tree."""
    lost_at: int = 10**9
    settles: bool = True
    name: str = "phone"

    def __post_init__(self) -> None:
        self.at = next(iter(self.pages))
        self.trail: list[str] = []
        self.done: list[Action] = []
        self.looks = self.starts = self.waits = 0
        self.ad = False
        self.offset = 0

    def observe(self, *, pixels: bool = False) -> Observation:
        self.looks += 1
        screen = self._screen()
        if self.looks in self.blind:
            screen = replace(screen, root=Element(), quality=TreeQuality.NONE)
        return Observation(screen, seen_at=float(self.looks))

    def perform(self, action: Action) -> None:
        if isinstance(action, Wait):
            self.waits += 1
            return
        if len(self.done) >= self.lost_at:
            raise DeviceError("the cable is out")
        if len(self.done) in self.ads_before:
            self.ad = True
        self.done.append(action)
        match action:
            case Tap(at=at):
                self._tap(at)
            case Press(key="back") if self.ad:
                self.ad = False
            case Press(key="back") if self.at not in self.stuck:
                self.at = self.trail.pop() if self.trail else self.at
                self.offset = 0
            case Swipe(direction=direction):
                last = max(0, len(self.lists.get(self.at, ())) - 4)
                self.offset = min(last, max(0, self.offset + {"up": 3, "down": -3}.get(direction.value, 0)))
            case _:
                pass

    def restart(self, app: str = "") -> None:
        self.starts += 1
        self.at, self.trail, self.offset = next(iter(self.pages)), [], 0

    def close(self) -> None:
        pass

    def _tap(self, at: tuple[int, int]) -> None:
        for element in self._screen().walk():
            if element.clickable and element.bounds.contains(*at):
                return self._press(element.label)
        return None

    def _press(self, shown: str) -> None:
        if self.ad:
            self.ad = shown != "Close"
            return
        label = next((old for old, new in self.renamed.items() if new == shown), shown)
        where = self.pages[self.at].get(label)
        if where is None or (self.at, label) in self.dead:
            return
        self.trail.append(self.at)
        self.at, self.offset = self.moved.get((self.at, label), where), 0

    def _screen(self) -> Screen:
        title = Element(Role.HEADING, text=self.at, bounds=Bounds(40, 40, 1000, 140))
        bar = Element(Role.TOOLBAR, bounds=Bounds(0, 0, 1080, 180), children=(title,))
        body = Element(Role.TEXT, text=f"All about {self.at}", bounds=Bounds(40, 1800, 1000, 1900))
        more = Element(Role.TEXT, text="And more", bounds=Bounds(40, 1900, 1000, 2000))
        parts = [bar, *self._buttons(), body, more]
        if self.at in self.secret:
            parts.append(
                Element(Role.FIELD, hint="Password", password=True, bounds=Bounds(0, 1500, 1080, 1600))
            )
        if self.ad:
            parts = [_hidden(p) for p in parts]
            close = Element(Role.BUTTON, text="Close", clickable=True, bounds=Bounds(800, 900, 1000, 1000))
            ad = Element(Role.TEXT, text="Ad", bounds=Bounds(100, 900, 300, 1000))
            parts.append(Element(Role.DIALOG, bounds=Bounds(80, 800, 1020, 1600), children=(ad, close)))
        return Screen(
            Element(bounds=Bounds(0, 0, 1080, 2400), children=tuple(parts)), app="app", activity=self.at
        )

    def _buttons(self) -> list[Element]:
        rows = self.lists.get(self.at)
        shown = list(self.pages[self.at]) if rows is None else list(rows[self.offset : self.offset + 4])
        made = [
            Element(
                Role.BUTTON if rows is None else Role.ITEM,
                text=self.renamed.get(label, label),
                clickable=True,
                bounds=Bounds(0, _TOP + n * _ROW, 1080, _TOP + (n + 1) * _ROW - 10),
            )
            for n, label in enumerate(shown)
        ]
        if rows is None:
            return made
        box = Bounds(0, _TOP, 1080, _TOP + 4 * _ROW)
        return [
            Element(Role.LIST, resource_id="app:id/rows", scrollable=True, bounds=box, children=tuple(made))
        ]


def _hidden(element: Element) -> Element:
    return replace(element, visible=False, children=tuple(_hidden(c) for c in element.children))


@dataclass(frozen=True)
class _Spot:
    node: NodeId
    confidence: float = 1.0


class Chart:
    """A map that knows pages by their titles alone."""

    def __init__(self, graph: AppGraph) -> None:
        self.graph = graph
        self.missed: list[Transition] = []
        self.aliases: dict[NodeId, NodeId] = {}

    def locate(self, observation: Observation) -> _Spot | None:
        node = self.resolve(NodeId(observation.screen.activity))
        return (
            _Spot(node)
            if node in self.graph.nodes and observation.screen.quality is not TreeQuality.NONE
            else None
        )

    def resolve(self, node: NodeId) -> NodeId:
        return self.aliases.get(node, node)

    def miss(self, transition: Transition) -> None:
        self.missed.append(transition)


def charted(
    pages: Mapping[str, Mapping[str, str]], lists: Mapping[str, Sequence[str]] | None = None
) -> Chart:
    """Walk every button of a faultless phone and draw the map of it."""
    graph = AppGraph("app", root=NodeId(next(iter(pages))))
    for page in pages:
        graph.nodes[NodeId(page)] = Hypernode(NodeId(page), page)
        phone = Phone(pages, lists or {})
        phone.at = page
        rows = len((lists or {}).get(page, ()))
        for phone.offset in range(0, max(1, rows - 3)):
            for control in controls(phone.observe().screen):
                if isinstance(control.action, Tap) and control.label in pages[page]:
                    _add(graph, page, control.action, pages[page][control.label])
    for page, buttons in pages.items():
        for target in buttons.values():
            if target in pages and target != page:
                back = Transition(
                    NodeId(target), Press("back"), NodeId(page), "press:back", TransitionKind.SYSTEM
                )
                graph.transitions.setdefault((back.source, back.key, back.target), back)
    return Chart(graph)


def _add(graph: AppGraph, page: str, action: Tap, target: str) -> None:
    hazard = action.target.hazard if action.target else ""
    step = Transition(NodeId(page), action, NodeId(target), action_key(action), hazard=hazard)
    graph.transitions[step.source, step.key, step.target] = step
