"""Tell going in circles from getting on: screens and actions in, whether it is a loop out."""

import re
from collections import Counter
from typing import TypeAlias

from waypost.model import Action, LongPress, Press, Screen, Swipe, Tap, TypeText, Wait

__all__ = ["LoopGuard"]

_Key: TypeAlias = tuple[object, ...]
_CLOCK = re.compile(r"\b\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?\b")
_GRID = 40
"""A tap without evidence is the same tap again within a cell of a grid this fine."""


class LoopGuard:
    """Counts in code what prompts only ask for.

    The same action on the same screen, done `repeats` times already, is a loop; so a circle of any
    length is one after `repeats` rounds. The time of day is left out of the comparison, so that a clock
    does not hide a loop; other numbers count ("step 2 of 5"). Where more text changes (a feed), only the
    same one or two actions in a row on the same structure count, `patient` rounds of them. Waiting is a
    loop after `waits` in a row.
    """

    def __init__(self, *, repeats: int = 3, patient: int = 8, waits: int = 10) -> None:
        self._repeats = repeats
        self._patient = patient
        self._waits = waits
        self._done: Counter[_Key] = Counter()
        self._trail: list[_Key] = []
        self._last: _Key = ()
        self._waited = 0

    def looping(self, screen: Screen, action: Action) -> bool:
        """Say whether doing `action` now would go on with a loop; counts it as done otherwise."""
        if isinstance(action, Wait):
            self._waited += 1
            return self._waited > self._waits
        self._waited = 0
        doing = _doing(action, screen)
        # Back from one page is the same thing again only after the same way there.
        key: _Key = (_content(screen, places=isinstance(action, Swipe)), doing)
        key += (self._last,) if isinstance(action, Press) else ()
        self._last = doing
        self._trail.append((_structure(screen, places=isinstance(action, Swipe)), doing))
        if self._done[key] >= self._repeats or any(self._rounds(n) for n in (1, 2)):
            return True
        self._done[key] += 1
        return False

    def _rounds(self, length: int) -> bool:
        """Whether the last steps are one circle of `length` done again and again."""
        span = length * self._patient
        tail = self._trail[-span - 1 :]
        return len(tail) == span + 1 and all(a == b for a, b in zip(tail, tail[length:], strict=False))


def _doing(action: Action, screen: Screen) -> _Key:
    target = getattr(action, "target", None)
    if target is not None:
        return type(action), target.role, target.label, target.resource_id, target.ancestors, target.index
    match action:
        case Tap(at=(x, y)) | LongPress(at=(x, y)):
            return type(action), x * _GRID // max(1, screen.size[0]), y * _GRID // max(1, screen.size[1])
        case TypeText(text=text, at=at):
            return TypeText, text, at
        case _:
            return (action,)


def _content(screen: Screen, *, places: bool) -> int:
    parts = tuple(
        (e.role, e.resource_id, _CLOCK.sub("", e.label), e.checked, e.selected, e.bounds if places else None)
        for e in screen.visible()
    )
    return hash((screen.app, screen.overlay, screen.keyboard, screen.activity, parts))


def _structure(screen: Screen, *, places: bool) -> int:
    """Reduce a screen to roles and ids; for a drag, to what it moved, as lists look alike all the way."""
    if places:
        return _content(screen, places=True)
    return hash((screen.app, screen.activity, frozenset((e.role, e.resource_id) for e in screen.visible())))
