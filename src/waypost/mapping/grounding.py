"""Find an element again: evidence and a fresh screen in, the element meant (or nothing) out."""

import dataclasses
from dataclasses import dataclass

from waypost.mapping.bars import peeks, pull
from waypost.mapping.hazards import hazard
from waypost.mapping.naming import Named, actionable, identifier, named, plain, spoken
from waypost.model import (
    Action,
    Bounds,
    Direction,
    Element,
    Evidence,
    LongPress,
    Point,
    Role,
    Screen,
    Swipe,
    Tap,
    TypeText,
)

__all__ = ["Grounded", "evidence", "ground", "proof", "regrounded", "tap_point"]

_ALIKE = (
    frozenset(
        {Role.BUTTON, Role.LINK, Role.GROUP, Role.ITEM, Role.IMAGE, Role.TEXT, Role.HEADING, Role.MENUITEM}
    ),
    frozenset({Role.SWITCH, Role.CHECKBOX, Role.RADIO, Role.GROUP, Role.ITEM}),
    frozenset({Role.TAB, Role.BUTTON, Role.LINK, Role.RADIO}),
    frozenset({Role.PICKER, Role.BUTTON, Role.FIELD}),
    frozenset({Role.LIST, Role.GROUP, Role.WEB}),
)


@dataclass(frozen=True, slots=True)
class Grounded:
    """An element that answers to the evidence."""

    element: Element
    certainty: float
    """0 to 1: 1 where everything agrees."""
    rivals: int
    """How many others fitted equally well before their order told them apart."""


def proof(thing: Named, screen: Screen) -> Evidence:
    """Write down how to find a named element again."""
    e = thing.element
    return Evidence(
        role=e.role,
        label=thing.label[:120],
        resource_id=e.resource_id,
        class_name=e.class_name,
        ancestors=thing.names,
        index=thing.index,
        of=thing.of,
        href=e.href,
        bounds=e.bounds,
        size=screen.size,
        template=thing.template,
        hazard=_hazard(thing),
    )


def _hazard(thing: Named) -> str:
    return (
        hazard(thing.element, thing.ancestors, content=bool(thing.template))
        if actionable(thing.element)
        else ""
    )


def evidence(element: Element, path_of_ancestors: tuple[Element, ...], screen: Screen) -> Evidence:
    """Write down how to find `element`, an element of `screen`, again.

    Ancestors are given nearest first. An element that cannot be seen is described by itself alone.
    """
    for thing in named(screen):
        if thing.element is element:
            return proof(thing, screen)
    return Evidence(
        role=element.role,
        label=spoken(element)[:120],
        resource_id=element.resource_id,
        class_name=element.class_name,
        href=element.href,
        bounds=element.bounds,
        size=screen.size,
        hazard=hazard(element, path_of_ancestors),
    )


def ground(target: Evidence, screen: Screen) -> Grounded | None:
    """Find what `target` means on this look; None where it is gone or cannot be told from a rival.

    A renamed id is healed by the label, a renamed label by an id that only one element bears; twins
    are told apart by their order while there are as many as there were. Never guesses, never by place.
    """
    things = named(screen)
    scored = [(score, t) for t in things if (score := _score(target, t, things)) > 0]
    if not scored:
        return None
    best = max(s for s, _ in scored)
    rivals = [t for s, t in scored if s == best]
    rivals = _innermost(rivals)
    certainty = min(1.0, best / _ceiling(target))
    if len(rivals) == 1:
        return Grounded(rivals[0].element, certainty, 0)
    chosen = _by_order(target, rivals)
    return Grounded(chosen.element, certainty * 0.8, len(rivals) - 1) if chosen else None


def regrounded(action: Action, screen: Screen) -> Action | None:
    """Aim an action at where its target is now; an action without a target comes back as it is."""
    target = getattr(action, "target", None)
    if target is None:
        return action
    found = ground(target, screen)
    if found is None:
        return None
    match action:
        case Tap() | LongPress() | TypeText():
            return dataclasses.replace(action, at=tap_point(found.element))
        case Swipe(direction=direction):
            if direction is Direction.UP and peeks(found.element, screen):
                start, end = pull(found.element.bounds, screen.size)
            else:
                start, end = drag(found.element.bounds, direction.value)
            return dataclasses.replace(action, start=start, end=end)
        case _:
            return action


def tap_point(element: Element) -> Point:
    """Choose a point of the element that none of the acting things it holds would take."""
    box = element.bounds
    inner = [
        e.bounds for e in element.walk() if e is not element and e.visible and actionable(e) and e.bounds.area
    ]
    # What fills its holder is the same thing twice; then the middle is as good for both.
    inner = [b for b in inner if b.area < 0.9 * box.area]
    x, y = box.center
    w, h = box.width, box.height
    tries = ((x, y), (box.left + w // 4, y), (x, box.top + h // 4), (box.left + 3 * w // 4, y),
             (box.left + w // 8, y), (x, box.top + 3 * h // 4), (box.left + 2, box.top + 2))  # fmt: skip
    for point in tries:
        if not any(b.contains(*point) for b in inner):
            return point
    return x, y


def drag(box: Bounds, direction: str) -> tuple[Point, Point]:
    """Return start and end of a drag inside `box` that moves its content in `direction`."""
    x, y = box.center
    low, high = box.top + box.height // 5, box.bottom - box.height // 5
    left, right = box.left + box.width // 6, box.right - box.width // 6
    ways = {
        "up": ((x, high), (x, low)),
        "down": ((x, low), (x, high)),
        "left": ((right, y), (left, y)),
        "right": ((left, y), (right, y)),
    }
    return ways[direction]


def _ceiling(target: Evidence) -> float:
    return (
        2.0
        + 4.0 * bool(target.label)
        + 3.0 * bool(identifier(target.resource_id))
        + 2.0 * bool(target.href)
        + 1.5
    )


def _score(target: Evidence, thing: Named, things: tuple[Named, ...]) -> float:
    e = thing.element
    role = 2.0 if e.role is target.role else 1.0 if _alike(e.role, target.role) else 0.0
    if not role:
        return 0.0
    name, own = identifier(target.resource_id), identifier(e.resource_id)
    same_id = bool(name) and name == own
    label = _label_score(target.label, thing.label)
    if target.label and not label and not _heals(target, thing, things, same_id):
        return 0.0
    if not target.label and not _nameless(target, thing, same_id):
        return 0.0
    if hazard_changed(target, thing):
        return 0.0
    href = 2.0 if target.href and e.href == target.href else 0.0
    other = -1.0 if own and not same_id else 0.0
    return (
        role
        + label
        + 3.0 * same_id
        + href
        + other
        + _kin(target.ancestors, thing.names)
        + 0.5 * actionable(e)
    )


def hazard_changed(target: Evidence, thing: Named) -> bool:
    """A thing that was harmless when it was written down and now is not is not the same thing."""
    return not target.hazard and bool(_hazard(thing))


def _label_score(a: str, b: str) -> float:
    if not a or not b:
        return 0.0
    if a == b[:120]:
        return 4.0
    left, right = plain(a), plain(b)
    if left == right:
        return 3.5 if left else 0.0
    return 3.0 if left and left.casefold() == right.casefold() else 0.0


def _heals(target: Evidence, thing: Named, things: tuple[Named, ...], same_id: bool) -> bool:
    """Whether the id alone may stand for a label that changed: outside of lists, borne by one element."""
    if not same_id or target.template or thing.template or target.of > 1:
        return False
    own = identifier(thing.element.resource_id)
    return sum(1 for t in things if identifier(t.element.resource_id) == own) == 1


def _nameless(target: Evidence, thing: Named, same_id: bool) -> bool:
    if identifier(target.resource_id):
        return same_id
    if target.href:
        return thing.element.href == target.href
    return not thing.label and not identifier(thing.element.resource_id) and thing.names == target.ancestors


def _kin(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    if not a and not b:
        return 1.5
    shared = len(set(a) & set(b))
    return 1.5 * shared / max(len(set(a) | set(b)), 1)


def _alike(a: Role, b: Role) -> bool:
    return any(a in group and b in group for group in _ALIKE)


def _innermost(rivals: list[Named]) -> list[Named]:
    """Drop a rival that merely holds another over the same place."""
    held = {id(a) for t in rivals for a in t.ancestors}
    kept = [
        t
        for t in rivals
        if id(t.element) not in held
        or not any(
            t.element in o.ancestors and o.element.bounds.area >= 0.8 * t.element.bounds.area
            for o in rivals
            if o is not t
        )
    ]
    return kept or rivals


def _by_order(target: Evidence, rivals: list[Named]) -> Named | None:
    """Tell twins apart by their order, while there are as many of them as there were.

    Where one was added or is gone, neither order nor place says which: a row that slid into the place of
    another looks just like it.
    """
    if target.of == len(rivals) and target.index < len(rivals):
        return rivals[target.index]
    return None
