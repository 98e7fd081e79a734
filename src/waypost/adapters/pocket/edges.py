"""A spec in, every transition that it states out, by reading alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from waypost.adapters.pocket.spec import (
    Back,
    Branch,
    Crash,
    Effect,
    External,
    Go,
    Home,
    Page,
    Proceed,
    Spec,
    Widget,
)

__all__ = ["BACK", "Edge", "edges", "widgets_of"]

BACK = "(back)"
"""The target of an edge that leads to wherever the page was opened from."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One way that the app file states."""

    source: str
    """Page id within the app."""
    widget: str
    """Path of the widget in the file; `key:back`, `swipe:left` for what is not a widget."""
    action: str
    """`tap`, `long`, `more`, `enter`, `back`, `swipe`."""
    target: str
    """Page id, `side:external`, `side:crash`, `launcher/home`, or `(back)`."""
    hazard: str = ""


def edges(spec: Spec) -> tuple[Edge, ...]:
    """All edges of an app, page by page."""
    found: list[Edge] = []
    for page in spec.pages.values():
        for w in widgets_of(page):
            for action, effects in (("tap", w.tap), ("long", w.long), ("more", w.more), ("enter", w.enter)):
                hazard = w.hazard if action == "tap" else ""
                ends = list(_targets(effects, spec, page))
                if hazard and not ends:  # It changes the world and stays, or closes the layer it stands on.
                    ends = [page.id if page.kind == "page" else BACK]
                found += [Edge(page.id, w.path, action, t, hazard) for t in ends]
        found += [Edge(page.id, "nav", "tap", t) for t in _targets(page.nav_tap, spec, page)]
        leaving = list(_targets(page.back, spec, page)) if page.back else [BACK]
        found += [Edge(page.id, "key:back", "back", t) for t in leaving]
        found += [Edge(page.id, f"swipe:{way}", "swipe", to) for way, to in page.swipe.items()]
    return tuple(dict.fromkeys(found))


def widgets_of(page: Page) -> Iterator[Widget]:
    """Every widget of a page, nested ones and row templates included."""
    stack = [*page.body, *page.footer, *page.buttons, *page.actions, *page.tabs, *page.bottom]
    stack += [page.fab] if page.fab else []
    while stack:
        w = stack.pop()
        yield w
        stack += [*w.parts, *w.empty, *([w.template] if w.template else [])]


def _targets(effects: Sequence[Effect], spec: Spec, page: Page) -> Iterator[str]:
    for effect in effects:
        match effect:
            case Go(to=to):
                gate = spec.pages[to].requires
                yield to
                if gate:
                    yield gate.page
            case Back():
                yield BACK
            case Home():
                yield "launcher/home"
            case External():
                yield "side:external"
            case Crash():
                yield "side:crash"
            case Proceed():
                yield from _proceeds(spec, page)
            case Branch(then=then, other=other):
                yield from _targets((*then, *other), spec, page)
            case _:
                pass


def _proceeds(spec: Spec, page: Page) -> Iterator[str]:
    """Where a login goes on to: every page that has a gate, and the start behind the app's own."""
    yield from (p.id for p in spec.pages.values() if p.requires)
    if spec.gate:
        yield spec.start
    else:
        yield BACK
