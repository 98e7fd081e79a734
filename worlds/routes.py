"""Walk a hand-made route on a device: steps of routes.yaml in, the screen at the end out."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from waypost.errors import WaypostError
from waypost.model import Element, LongPress, Observation, Press, Screen, Swipe, Tap, Wait
from waypost.protocols import Device

__all__ = ["LostWay", "Step", "find", "labels", "look_until", "walk"]

Step = str | dict[str, Any]
LOOKS = 12
"""Looks taken for what a step names before the route counts as lost."""
SWIPES = 8
"""Swipes taken at most towards what `until` names."""


class LostWay(WaypostError):
    """What a route names is not on the screen."""


def labels(screen: Screen) -> list[str]:
    """Return what can be read on a screen: texts, descriptions, hints."""
    return [label for e in screen.visible() for label in (e.text, e.description, e.hint) if label]


def look_until(device: Device, done: Callable[[Screen], bool]) -> Observation:
    """Look until `done` holds, for some ten seconds; the last look is returned either way."""
    seen = device.observe()
    for _ in range(LOOKS):
        if done(seen.screen):
            break
        device.perform(Wait(0.5))
        seen = device.observe()
    return seen


def walk(device: Device, steps: Iterable[Step]) -> list[str]:
    """Take the steps one by one, and return what the tapped things are called.

    Raises LostWay where what a step names does not come up.
    """
    return [label for number, step in enumerate(steps, 1) for label in _take(device, step, number)]


def _take(device: Device, step: Step, number: int) -> list[str]:
    row = {"tap": step} if isinstance(step, str) else step
    if row.get("press") == "back":
        device.perform(Press("back"))
        return []
    if "swipe" in row:
        _swipe(device, row)
        return []
    element = _find(device, {**row, "tap": row["hold"]} if "hold" in row else row, number)
    at = element.bounds.center
    device.perform(LongPress(at) if "hold" in row else Tap(at))
    return [element.text, element.description]


def _swipe(device: Device, row: dict[str, Any]) -> None:
    """Swipe once; or, with `until`, as long as nothing visible has that name."""
    x1, y1, x2, y2 = row["swipe"]
    for _ in range(SWIPES if "until" in row else 1):
        if "until" in row and any(_matching(device.observe().screen, {"tap": row["until"]})):
            break
        device.perform(Swipe(start=(x1, y1), end=(x2, y2)))
        device.perform(Wait(0.5))


def find(screen: Screen, row: dict[str, Any]) -> Element | None:
    """Return what a step means on a screen; None where nothing visible has its name."""
    nth = int(row.get("nth", 0))
    found = list(_matching(screen, row))
    return found[nth] if len(found) > nth else None


def _find(device: Device, row: dict[str, Any], number: int) -> Element:
    screen = look_until(device, lambda s: find(s, row) is not None).screen
    found = find(screen, row)
    if found is not None:
        return found
    said = ", ".join(dict.fromkeys(labels(screen)))
    raise LostWay(f"Step {number}: nothing visible is called {row!r}; the screen says: {said[:400]}")


def _matching(screen: Screen, row: dict[str, Any]) -> Iterator[Element]:
    """Yield what a step may mean: those that can be tapped first, then the rest, in tree order."""
    role = row.get("role")
    hits = [e for e in screen.visible() if (role is None or e.role == role) and _called(e, row.get("tap"))]
    yield from (e for e in hits if e.clickable)
    yield from (e for e in hits if not e.clickable)


def _called(element: Element, wanted: Any) -> bool:
    """Tell whether an element has the name; an empty one means what can be tapped but is nameless."""
    if wanted is None:
        return True
    if wanted == "":
        return element.clickable and not element.label
    return any(re.fullmatch(str(wanted), x) for x in (element.text, element.description, element.hint) if x)
