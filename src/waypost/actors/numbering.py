"""What can be done on a screen, numbered for a model: a screen in, elements and lines of text out."""

from dataclasses import dataclass
from typing import Any

from waypost.mapping.controls import controls
from waypost.model import Element, Evidence, LongPress, Point, Role, Screen, Swipe, Tap, TypeText
from waypost.model.wording import cue, quoted

__all__ = ["Numbered", "listing", "numbered"]

_MOST = 99
"""Elements: a number of three digits hides what it stands on."""
_MOST_TEXTS = 60


@dataclass(frozen=True, slots=True)
class Numbered:
    number: int
    """From 1, in reading order."""
    target: Evidence
    at: Point
    state: str = ""
    """`on`, `off`, `selected`, or the text that a field holds; empty elsewhere."""
    touched: bool = False
    writes: bool = False
    scrolls: bool = False

    @property
    def line(self) -> str:
        """Return the element as a line of a list: `3: switch "Wi-Fi" (on)`."""
        also = [
            w
            for w, told in (("scrolls", self.scrolls and not self.touched), (self.state, self.state))
            if told
        ]
        return f"{self.number}: {cue(self.target)}" + (f" ({', '.join(also)})" if also else "")


def numbered(screen: Screen) -> tuple[Numbered, ...]:
    """Number what can be touched, written into or scrolled, from the top left on."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for control in controls(screen):
        action = control.action
        target = getattr(action, "target", None)
        if target is None or not target.bounds.area:
            continue
        row = found.setdefault(
            (target.bounds, target.role, target.label), {"target": target, "at": target.bounds.center}
        )
        match action:
            case Tap(at=at):
                row |= {"at": at, "touched": True}
            case LongPress():
                row |= {"touched": True}
            case TypeText(at=at):
                row |= {"writes": True, "touched": True, "at": at or row["at"]}
            case Swipe():
                row |= {"scrolls": True}
    states = {(e.bounds, e.role): _state(e) for e in screen.visible()}
    rows = sorted(found.values(), key=lambda r: (r["target"].bounds.top, r["target"].bounds.left))
    return tuple(
        Numbered(n, state=states.get((row["target"].bounds, row["target"].role), ""), **row)
        for n, row in enumerate(rows[:_MOST], 1)
    )


def listing(screen: Screen, things: tuple[Numbered, ...], *, texts: bool) -> str:
    """Write the elements as lines in reading order; with `texts`, also what only stands there to be read."""
    rows = [(t.target.bounds.top, t.target.bounds.left, t.line) for t in things]
    if texts:
        named = {t.target.label for t in things}
        plain = [
            (
                e.bounds.top,
                e.bounds.left,
                f"   {'heading' if e.role is Role.HEADING else 'text'} {quoted(e.label, 120)}",
            )
            for e in screen.visible()
            if e.label.strip() and not e.children and e.role in _READ and e.label not in named
        ]
        rows += plain[:_MOST_TEXTS]
    return "\n".join(line for _, _, line in sorted(rows)) or "(nothing that could be read)"


_READ = frozenset({Role.TEXT, Role.HEADING, Role.IMAGE, Role.GROUP, Role.ITEM, Role.WEB, Role.PROGRESS})


def _state(element: Element) -> str:
    if element.role is Role.FIELD:
        return f"holds {quoted(element.text)}" if element.text and not element.password else ""
    if element.checkable or element.role in (Role.SWITCH, Role.CHECKBOX):
        return "on" if element.checked else "off"
    return "selected" if element.selected else ("chosen" if element.checked else "")
