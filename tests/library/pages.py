"""Small pages and maps that the tests of this room are made of."""

from waypost.model import (
    AppGraph,
    Bounds,
    Element,
    Evidence,
    Hypernode,
    Look,
    NodeId,
    Observation,
    PageKind,
    Role,
    Screen,
    Tap,
    Transition,
    TransitionKind,
)

__all__ = ["chart", "page", "row", "screen", "step", "text", "title"]


def row(
    label: str, top: int = 300, role: Role = Role.BUTTON, *, detail: str = "", visible: bool = True
) -> Element:
    box = Bounds(0, top, 1080, top + 120)
    kids = (
        (Element(Role.TEXT, text=label, bounds=box), Element(Role.TEXT, text=detail, bounds=box))
        if detail
        else ()
    )
    return Element(
        role, text="" if kids else label, bounds=box, clickable=True, visible=visible, children=kids
    )


def text(label: str, top: int = 300, role: Role = Role.TEXT, *, visible: bool = True) -> Element:
    return Element(role, text=label, bounds=Bounds(0, top, 1080, top + 60), visible=visible)


def title(label: str) -> Element:
    heading = Element(Role.HEADING, text=label, bounds=Bounds(200, 80, 800, 200))
    return Element(Role.TOOLBAR, bounds=Bounds(0, 80, 1080, 200), children=(heading,))


def screen(*elements: Element) -> Screen:
    return Screen(Element(bounds=Bounds(0, 0, 1080, 2400), children=elements), app="com.example")


def page(node: str, *looks: Screen, name: str = "", kind: PageKind = PageKind.PAGE) -> Hypernode:
    return Hypernode(NodeId(node), name, kind, looks=tuple(Look(Observation(s)) for s in looks), visits=9)


def step(source: str, label: str, target: str, **more: object) -> Transition:
    evidence = more.pop("evidence", Evidence(Role.BUTTON, label))
    values = {"kind": TransitionKind.NAVIGATION, "tries": 5, "successes": 5} | more
    action = Tap((540, 360), evidence)  # type: ignore[arg-type]
    return Transition(NodeId(source), action, NodeId(target), f"tap:{label}", **values)  # type: ignore[arg-type]


def chart(pages: list[Hypernode], steps: list[Transition]) -> AppGraph:
    graph = AppGraph("com.example", "1.0", root=pages[0].id)
    graph.nodes.update({p.id: p for p in pages})
    graph.transitions.update({(s.source, s.key, s.target): s for s in steps})
    return graph
