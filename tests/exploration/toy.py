"""A phone of a few lines for exploring: pages of buttons in, a device with the truth beside it out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from waypost.errors import DeviceError
from waypost.mapping.mapper import Mapper, StepSeen
from waypost.model import (
    Action,
    AppGraph,
    Bounds,
    Element,
    Launch,
    Observation,
    Press,
    Role,
    Screen,
    Swipe,
    Tap,
    TypeText,
)

APP = "org.example.toy"
_TOP, _ROW, _SHOWN = 300, 160, 6


@dataclass
class Toy:
    """`pages` maps a page to its buttons and where they lead; the first page is the root.

    A button that leads to "!ad PAGE" shows an ad first; "!out" leaves the app; "!crash" crashes it.
    """

    pages: Mapping[str, Mapping[str, str]]
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Rows of a page in one scrolling list, six to a screen; they lead where the page's table says."""
    forms: Mapping[str, str] = field(default_factory=dict)
    """Pages with a field: their buttons are disabled until the field of this hint is filled."""
    gate: str = ""
    """A page that a launch shows until its password field was filled and "Log in" was tapped."""
    no_back: set[str] = field(default_factory=set)
    """Pages from which Back leads to the root."""
    lost_at: set[int] = field(default_factory=set)
    dead_for_good: bool = False
    name: str = "toy"

    def __post_init__(self) -> None:
        self.done: list[Action] = []
        self.times: dict[float, str] = {}
        self.restarts = self.looks = 0
        self.over = ""
        self.typed: dict[str, str] = {}
        self._fresh()

    def _fresh(self) -> None:
        self.at = self.gate or next(iter(self.pages))
        self.trail: list[str] = []
        self.offset = 0
        self.over = ""

    @property
    def where(self) -> str:
        return f"!{self.over}" if self.over else self.at

    def observe(self, *, pixels: bool = False) -> Observation:
        self.looks += 1
        self.times[float(self.looks)] = self.where
        return Observation(self.screen(), seen_at=float(self.looks))

    def restart(self, app: str = "") -> None:
        if self.dead_for_good:
            raise DeviceError("the cable is out")
        self.restarts += 1
        self._fresh()

    def close(self) -> None:
        pass

    def perform(self, action: Action) -> None:
        if self.dead_for_good or len(self.done) in self.lost_at:
            self.lost_at.discard(len(self.done))
            raise DeviceError("the cable is out")
        self.done.append(action)
        match action:
            case Tap(at=at):
                self._tap(at)
            case Press(key="back"):
                self._back()
            case Launch():
                self.over = ""
            case TypeText(text=text):
                self.typed[self.at] = text
            case Swipe(direction=direction):
                last = max(0, len(self.lists.get(self.at, ())) - _SHOWN)
                self.offset = min(last, max(0, self.offset + {"up": 4, "down": -4}.get(direction.value, 0)))
            case _:
                pass

    def _back(self) -> None:
        if self.over:
            self.over = ""
        elif self.at in self.no_back:
            self._fresh()
        elif self.trail:
            self.at, self.offset = self.trail.pop(), 0
        else:
            self.over = "out"

    def _tap(self, at: tuple[int, int]) -> None:
        hit = [e for e in self.screen().walk() if e.visible and e.clickable and e.bounds.contains(*at)]
        if not hit:
            return
        label = hit[-1].label
        if self.over:
            self.over = ""
            return
        if self.at == self.gate:
            if label == "Log in" and self.typed.get(self.gate):
                self.at = next(iter(self.pages))
            return
        where = self.pages[self.at].get(label, "")
        if not hit[-1].enabled or not where:
            return
        if where in ("!out", "!crash"):
            self.over = where[1:]
            return
        if where.startswith("!ad "):
            where, self.over = where[4:], "ad"
        self.trail.append(self.at)
        self.at, self.offset = where, 0

    def screen(self) -> Screen:
        whole = Bounds(0, 0, 1080, 2400)
        if self.over == "out":
            text = Element(Role.TEXT, text="Elsewhere", bounds=Bounds(0, 0, 900, 90))
            return Screen(Element(bounds=whole, children=(text,)), app="org.other", activity="x")
        parts = self._page()
        if self.over:
            said = "Toy keeps stopping" if self.over == "crash" else "Advertisement"
            text = Element(Role.TEXT, text=said, bounds=Bounds(120, 820, 900, 900))
            close = Element(Role.BUTTON, text="Close", clickable=True, bounds=Bounds(120, 1000, 500, 1100))
            layer = Element(Role.DIALOG, bounds=Bounds(80, 800, 1000, 1200), children=(text, close))
            parts = [*map(_covered, parts), layer]
        return Screen(Element(bounds=whole, children=tuple(parts)), app=APP, activity=f".{self.at}")

    def _page(self) -> list[Element]:
        title = Element(Role.HEADING, text=self.at, resource_id="title", bounds=Bounds(40, 60, 900, 160))
        bar = Element(Role.TOOLBAR, resource_id="bar", bounds=Bounds(0, 40, 1080, 200), children=(title,))
        if self.at == self.gate:
            field_ = Element(Role.FIELD, hint="Password", password=True, bounds=Bounds(40, 300, 1000, 400))
            button = Element(Role.BUTTON, text="Log in", clickable=True, bounds=Bounds(40, 500, 1000, 600))
            return [bar, field_, button]
        rows = self.lists.get(self.at, ())
        labels = [k for k in self.pages[self.at] if k not in rows]
        open_ = self.at not in self.forms or bool(self.typed.get(self.at))
        parts = [bar]
        for n, label in enumerate(labels):
            box = Bounds(20, 1500 + n * 110, 1060, 1600 + n * 110)
            parts.append(Element(Role.BUTTON, text=label, clickable=True, enabled=open_, bounds=box))
        if self.at in self.forms:
            filled = self.typed.get(self.at, "")
            box = Bounds(40, 300, 1000, 400)
            parts.append(Element(Role.FIELD, text=filled, hint=self.forms[self.at], bounds=box))
        if rows:
            parts.append(self._list(rows))
        return parts

    def _list(self, rows: Sequence[str]) -> Element:
        made = []
        for n, label in enumerate(rows[self.offset : self.offset + _SHOWN]):
            box = Bounds(0, _TOP + n * _ROW, 1080, _TOP + (n + 1) * _ROW)
            text = Element(Role.TEXT, text=label, bounds=Bounds(40, box.top + 10, 900, box.bottom - 10))
            made.append(
                Element(
                    Role.ITEM, text=label, resource_id="row", clickable=True, bounds=box, children=(text,)
                )
            )
        box = Bounds(0, _TOP, 1080, _TOP + _SHOWN * _ROW)
        return Element(Role.LIST, resource_id="rows", scrollable=True, bounds=box, children=tuple(made))


def _covered(element: Element) -> Element:
    return replace(element, visible=False, children=tuple(map(_covered, element.children)))


class Truth:
    """Holds every step that a mapper counts against what the toy really showed."""

    def __init__(self, toy: Toy, graph: AppGraph | None = None) -> None:
        self.toy = toy
        self.steps: list[tuple[str, str, str, str, str]] = []
        self.mapper = Mapper(graph or AppGraph(app=APP), listener=self._seen)

    def _seen(self, step: StepSeen) -> None:
        times = self.toy.times
        self.steps.append((step.source, times[step.before_at], step.key, step.target, times[step.after_at]))

    def pages(self) -> set[str]:
        """The toy's pages that the map has."""
        return {true for _, _, _, node, true in self.steps if true[0] != "!"} | {
            true for _, true, _, _, _ in self.steps if true[0] != "!"
        }

    def false_edges(self) -> list[tuple[str, str, str]]:
        """Steps whose ends stand for another page than was seen there."""
        stands: dict[str, str] = {}
        wrong = []
        for source, before, key, target, after in self.steps:
            for node, true in ((source, before), (target, after)):
                if stands.setdefault(self.mapper.resolve(node), true) != true:  # type: ignore[arg-type]
                    wrong.append((before, key, after))
        return wrong
