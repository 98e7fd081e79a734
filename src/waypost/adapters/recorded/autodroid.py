"""AutoDroid memory (pages as flat lists of tags, choices between them) in, a `Recording` out."""

import re
from typing import Any

from waypost.adapters.recorded.recording import Move, Recording, start_of
from waypost.model import Action, Bounds, Element, Evidence, Press, Role, Screen, Tap, TreeQuality, TypeText

__all__ = ["read_autodroid"]

_SIZE = (1080, 2400)
_ROLES = {"p": Role.TEXT, "button": Role.BUTTON, "checkbox": Role.CHECKBOX, "input": Role.FIELD}
_BACK = "go back"
"""The format lists the system's back key as the last button of a page."""


def read_autodroid(data: dict[str, Any]) -> Recording:
    """Read an AutoDroid memory; the format has no places, so elements are laid out in rows."""
    app = str(data.get("app", ""))
    states: dict[str, Any] = data["states"]
    screens = {name: _screen(state["elements"], app) for name, state in states.items()}
    moves: list[Move] = []
    notes: list[str] = []
    for row in data.get("transitions", ()):
        source, target, choice = row["s"], row["t"], row["choice"]
        if source not in screens or target not in screens:
            notes.append(f"a transition of an unknown state: {source} to {target}")
        elif not isinstance(choice, int) or not 0 <= choice < len(states[source]["elements"]):
            notes.append(f"choice {choice!r} of {source} names no element")
        else:
            action = _action(states[source]["elements"], choice, row.get("input"))
            moves.append(Move(source, action, target, int(row.get("n", 1))))
    return Recording(app, start_of(screens, tuple(moves)), screens, tuple(moves), notes=tuple(notes))


def _row(index: int, count: int) -> Bounds:
    height = max(1, (_SIZE[1] - 80) // max(12, count))
    return Bounds(0, 80 + index * height, _SIZE[0], 80 + (index + 1) * height)


def _text(element: dict[str, Any]) -> str:
    """Return an element's text with line breaks for the format's `<br>`."""
    return re.sub(r"<br\s*/?>", "\n", str(element.get("text") or "")).strip(" '\n")


def _screen(elements: list[dict[str, Any]], app: str) -> Screen:
    shown = [
        Element(
            role=_ROLES.get(str(e.get("tag")), Role.GROUP),
            class_name=str(e.get("tag")),
            text=_text(e),
            bounds=_row(n, len(elements)),
            clickable=e.get("tag") != "p",
            checkable=e.get("checked") is not None,
            checked=str(e.get("checked")) in ("True", "true"),
        )
        for n, e in enumerate(elements)
        if _text(e) != _BACK
    ]
    root = Element(bounds=Bounds(0, 0, *_SIZE), children=tuple(shown))
    return Screen(root, app, size=_SIZE, quality=TreeQuality.FULL if shown else TreeQuality.NONE)


def _action(elements: list[dict[str, Any]], choice: int, typed: Any) -> Action:
    element = elements[choice]
    text = _text(element)
    if text == _BACK:
        return Press("back")
    bounds = _row(choice, len(elements))
    target = Evidence(
        role=_ROLES.get(str(element.get("tag")), Role.GROUP),
        label=text,
        class_name=str(element.get("tag")),
        bounds=bounds,
        size=_SIZE,
    )
    if typed:
        return TypeText(str(typed), bounds.center, target)
    return Tap(bounds.center, target)
