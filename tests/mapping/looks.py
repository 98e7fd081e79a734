"""Small screens for tests: rows of plain words in, looks out."""

from collections.abc import Iterable
from dataclasses import replace

from waypost.model import Bounds, Element, Evidence, Observation, Role, Screen, Tap, TreeQuality

APP = "org.example.app"
WIDE, HIGH = 1080, 2400


def box(top: int, height: int = 120, left: int = 0, width: int = WIDE) -> Bounds:
    return Bounds(left, top, left + width, top + height)


def button(label: str, top: int = 80, left: int = 0, *, identifier: str = "", width: int = 120) -> Element:
    return Element(
        Role.BUTTON, text=label, bounds=box(top, 120, left, width), clickable=True, resource_id=identifier
    )


def text(label: str, top: int = 80, *, identifier: str = "", role: Role = Role.TEXT) -> Element:
    return Element(role, text=label, bounds=box(top, 100, 140, 700), resource_id=identifier)


def toolbar(title: str, *extra: Element, up: bool = False) -> Element:
    lead = button("Navigate up" if up else "Open drawer", 60, identifier="lead")
    name = (text(title, 60, identifier="title", role=Role.HEADING),) if title else ()
    return Element(Role.TOOLBAR, resource_id="toolbar", bounds=box(60, 160), children=(lead, *name, *extra))


def row(label: str, top: int, *parts: Element, identifier: str = "row") -> Element:
    name = Element(Role.TEXT, text=label, resource_id="name", bounds=box(top, 90, 40, 700))
    return Element(
        Role.ITEM, resource_id=identifier, bounds=box(top, 140), clickable=True, children=(name, *parts)
    )


def listed(labels: Iterable[str], *, top: int = 300, identifier: str = "list") -> Element:
    rows = tuple(row(label, top + 10 + 150 * i) for i, label in enumerate(labels))
    return Element(Role.LIST, resource_id=identifier, scrollable=True, bounds=box(top, 1900), children=rows)


def tabs(chosen: str, *names: str, top: int = 2250) -> Element:
    each = WIDE // len(names)
    entries = tuple(
        Element(Role.TAB, text=n, selected=n == chosen, clickable=True, bounds=box(top, 150, each * i, each))
        for i, n in enumerate(names)
    )
    return Element(Role.TABLIST, resource_id="tabs", bounds=box(top, 150), children=entries)


def dialog(*parts: Element, top: int = 800, role: Role = Role.DIALOG) -> Element:
    return Element(role, bounds=box(top, 800, 90, 900), children=parts)


def screen(*parts: Element, activity: str = ".Main", app: str = APP) -> Screen:
    """Return a page of the parts; behind a layer that comes last, what it covers is marked so."""
    covered = parts and parts[-1].role in (Role.DIALOG, Role.MENU)
    shown = (*map(_covered, parts[:-1]), parts[-1]) if covered else parts
    return Screen(Element(bounds=box(0, HIGH), children=shown), app=app, activity=activity)


def _covered(element: Element) -> Element:
    return replace(element, visible=False, children=tuple(map(_covered, element.children)))


def empty_tree(activity: str = ".Main") -> Screen:
    return Screen(Element(), app=APP, activity=activity, quality=TreeQuality.NONE)


class Clock:
    """Makes looks whose times strictly increase."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def look(self, seen: Screen, image: bytes = b"") -> Observation:
        self.now += 1.0
        return Observation(seen, image=image, seen_at=self.now)


def tap(label: str, *, role: Role = Role.BUTTON, template: str = "") -> tuple[Tap, str]:
    """Return a tap on what is called `label`, and its key."""
    evidence = Evidence(role, label, template=template)
    return Tap((1, 1), evidence), f"tap:{role}|{label}|{template}"
