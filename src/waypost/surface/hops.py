"""What an agent did on its own device in, in words; the action as the map knows it, with evidence, out."""

import re

from waypost.errors import UsageError
from waypost.mapping import Control, action_key, controls
from waypost.model import (
    Action,
    AppGraph,
    Direction,
    Evidence,
    Launch,
    LongPress,
    NodeId,
    Press,
    Screen,
    Swipe,
    Tap,
    Transition,
    TypeText,
)

__all__ = ["DEEDS", "known_hop", "seen_hop"]

DEEDS = ("tap", "long_press", "type", "swipe_up", "swipe_down", "back", "home", "enter", "launch")
_POINT = re.compile(r"\s*\(?\s*(\d{1,5})\s*[,; ]\s*(\d{1,5})\s*\)?\s*")
_KINDS: dict[str, type[Tap] | type[LongPress] | type[TypeText]] = {
    "tap": Tap,
    "long_press": LongPress,
    "type": TypeText,
}


def seen_hop(did: str, target: str, screen: Screen, app: str) -> tuple[Action, str]:
    """Return the action and its key, its element found on the screen that it was done on.

    Raises UsageError where there is no such deed, or no such element.
    """
    plain = _plain(did, app)
    if plain is not None:
        return plain, action_key(plain)
    kind = _KINDS[did]
    offered = [c for c in controls(screen) if isinstance(c.action, kind)]
    point = _POINT.fullmatch(target)
    found = _under(offered, int(point[1]), int(point[2])) if point else _called(offered, target)
    if found is None:
        names = ", ".join(repr(c.label) for c in offered if c.label)[:300]
        raise UsageError(
            f"Nothing that is called {target!r} can be acted on with {did!r} here; there is: {names}"
        )
    return _untold(found.action), found.key


def known_hop(did: str, target: str, page: NodeId, graph: AppGraph) -> tuple[Action, str]:
    """Return an action that the map knows on a page, where the screen before was not kept."""
    plain = _plain(did, graph.app)
    if plain is not None:
        return plain, action_key(plain)
    wanted = target.strip().casefold()
    fits = [t for t in graph.leaving(page) if isinstance(t.action, _KINDS[did]) and wanted in _names(t)]
    if not fits:
        name = graph.nodes[page].name
        raise UsageError(
            f"The map knows no {did!r} of {target!r} on {name!r}; give your screen as before, not the page"
        )
    best = max(fits, key=lambda t: t.successes)
    return _untold(best.action), best.key


def _plain(did: str, app: str) -> Action | None:
    """Return what is done to no element. Raises UsageError for no deed at all."""
    match did:
        case "back" | "home" | "enter":
            return Press(did)
        case "swipe_up" | "swipe_down":
            return Swipe(Direction.UP if did == "swipe_up" else Direction.DOWN)
        case "launch":
            return Launch(app)
        case _ if did in _KINDS:
            return None
    raise UsageError(f"{did!r} is nothing that can be done; say one of {', '.join(DEEDS)}")


def _called(offered: list[Control], target: str) -> Control | None:
    """Return what is called so: in full before in part, the first of several."""
    wanted = " ".join(target.split()).casefold()
    if not wanted:
        return None
    named = [(c, (c.label.casefold(), *_ids(_target(c.action)))) for c in offered]
    whole = next((c for c, names in named if wanted in names), None)
    return whole or next((c for c, names in named if any(wanted in n for n in names if n)), None)


def _under(offered: list[Control], x: int, y: int) -> Control | None:
    """Return the smallest element that a point lies on."""
    hit = [c for c in offered if (t := _target(c.action)) is not None and t.bounds.contains(x, y)]
    return min(hit, key=lambda c: _area(c), default=None)


def _area(control: Control) -> int:
    target = _target(control.action)
    return target.bounds.area if target else 0


def _target(action: Action) -> Evidence | None:
    target: Evidence | None = getattr(action, "target", None)
    return target


def _names(t: Transition) -> tuple[str, ...]:
    target = _target(t.action)
    return (target.label.casefold(), *_ids(target)) if target else ()


def _ids(target: Evidence | None) -> tuple[str, ...]:
    if target is None or not target.resource_id:
        return ()
    full = target.resource_id.casefold()
    return full, re.split(r"[/:#]", full)[-1]


def _untold(action: Action) -> Action:
    """Leave out what was typed: it may be a secret, and the step is the same without."""
    return TypeText("", action.at, action.target, action.submit) if isinstance(action, TypeText) else action
