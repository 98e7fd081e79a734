"""What must be seen for a task to be done: criteria and a screen in, what is missing out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from waypost.model import Role, Screen, TreeQuality
from waypost.model.wording import quoted

__all__ = ["Criteria", "Criterion", "missing", "worded"]

_TOGGLES = (Role.SWITCH, Role.CHECKBOX, Role.RADIO)


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that can be seen; a model writes it, so it is one shape for all kinds."""

    kind: Literal["page", "text", "no_text", "on", "off"]
    """`page`: its title says `what`; `on` and `off`: the state of the switch called `what`."""
    what: str


@dataclass(frozen=True, slots=True)
class Criteria:
    """One to three of them, fixed at the first step."""

    criteria: tuple[Criterion, ...]


def worded(criterion: Criterion) -> str:
    """Say a criterion in words.

    >>> worded(Criterion("on", "Wi-Fi"))
    '"Wi-Fi" is on'
    """
    what = quoted(criterion.what)
    return {
        "page": f"the page {what} is shown",
        "text": f"{what} is shown",
        "no_text": f"{what} is not shown",
        "on": f"{what} is on",
        "off": f"{what} is off",
    }[criterion.kind]


def missing(criteria: Iterable[Criterion], screen: Screen) -> list[Criterion]:
    """Return the criteria that a screen does not bear out; all of them, where it cannot be read."""
    if screen.quality is TreeQuality.NONE:
        return list(criteria)
    return [c for c in criteria if not _holds(c, screen)]


def _holds(criterion: Criterion, screen: Screen) -> bool:
    wanted = _plain(criterion.what)
    if not wanted:
        return False
    labels = [_plain(e.label) for e in screen.visible() if e.label]
    match criterion.kind:
        case "text":
            return any(_says(label, wanted) for label in labels)
        case "no_text":
            return not any(_says(label, wanted) for label in labels)
        case "page":
            return any(_says(head, wanted) for head in _heads(screen))
    states = {e.checked for e in _toggles(screen, wanted)}
    return states == {criterion.kind == "on"}


def _heads(screen: Screen) -> list[str]:
    """Return what a page may be called: its title, and the texts in its top eighth."""
    top = screen.size[1] // 8
    heads = [e.label for e in screen.visible() if e.role in (Role.HEADING, Role.TEXT) and e.bounds.top < top]
    selected = [e.label for e in screen.visible() if e.role is Role.TAB and e.selected]
    return [_plain(t) for t in (screen.title, *heads, *selected) if t]


def _toggles(screen: Screen, wanted: str) -> list["_Toggle"]:
    """Return the switches of a name: by their own label, or by the one text in their row."""
    found = []
    for row in screen.visible():
        inner = [e for e in row.walk() if e.visible and e.role in _TOGGLES]
        if len(inner) == 1 and any(_plain(e.label) == wanted for e in row.walk() if e.visible):
            found.append(_Toggle(inner[0].checked, row.bounds.area))
    least = min((t.area for t in found), default=0)
    return [t for t in found if t.area == least]


@dataclass(frozen=True, slots=True)
class _Toggle:
    checked: bool
    area: int


def _says(label: str, wanted: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", label) is not None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
