"""Find what does a step on this very look: a step of a plan and a screen in, an action on it out."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from waypost.mapping import controls, regrounded
from waypost.model import Action, AppGraph, Bounds, Screen, Transition, TransitionKind

__all__ = ["Aim", "aim", "alike", "stand_in"]


@dataclass(frozen=True, slots=True)
class Aim:
    """A step that can be done on this look, and the action that does it."""

    step: Transition
    action: Action
    literal: bool = True
    """Whether the control is the one that the map knows, not one that stands in for it."""


def aim(
    step: Transition, graph: AppGraph, screen: Screen, usable: Callable[[Transition], bool]
) -> Aim | None:
    """Aim at the control meant, or at another that the map knows to lead to the same page."""
    action = regrounded(step.action, screen)
    if action is not None:
        return Aim(step, action)
    for other in sorted(graph.leaving(step.source), key=lambda t: t.key):
        same = other.target == step.target and other.key != step.key
        if same and other.kind is TransitionKind.NAVIGATION and not other.hazard and usable(other):
            action = regrounded(other.action, screen)
            if action is not None:
                return Aim(other, action)
    return None


def alike(step: Transition, graph: AppGraph, screen: Screen) -> Aim | None:
    """Aim at what is as good as the control meant, judged by the map.

    That is another row of a list whose known rows (at least two) all lead to the same page; one of
    several controls of one name that all lead there; or a control whose name has changed in its place.
    """
    if len(_rows(step, graph)) >= 2:
        row = stand_in(step, graph, screen)
        if row is not None:
            return row
    twins = [t for t in graph.leaving(step.source) if _name(t.key) == _name(step.key)]
    shown = next((c for c in controls(screen) if _name(c.key) == _name(step.key)), None)
    if shown and all(t.target == step.target for t in twins):
        return Aim(step, shown.action, False)
    return _renamed(step, graph, screen)


def _renamed(step: Transition, graph: AppGraph, screen: Screen) -> Aim | None:
    """Find the one control in the very place, under the same parents, that the map does not know by its name.

    For labels that tell a date or an amount. Rows of lists move, so they are left out.
    """
    was = getattr(step.action, "target", None)
    if was is None or was.template or was.size != screen.size or not was.bounds.area:
        return None
    known = {t.key for t in graph.leaving(step.source)}
    found = []
    for control in controls(screen):
        now = getattr(control.action, "target", None)
        if now is None or control.key in known or type(control.action) is not type(step.action):
            continue
        kin = (now.role, now.class_name, now.ancestors, now.template) == (
            was.role,
            was.class_name,
            was.ancestors,
            "",
        )
        if kin and _in_place(now.bounds, was.bounds, screen):
            found.append(control.action)
    return Aim(step, found[0], False) if len(found) == 1 else None


def _in_place(now: Bounds, was: Bounds, screen: Screen) -> bool:
    """Whether two boxes are one place: they cover each other, or are centred alike in one line."""
    shared = now.clip(was)
    if shared.area >= 0.8 * max(now.area, was.area):
        return True
    level = shared.height >= 0.8 * max(now.height, was.height)
    return level and abs(now.center[0] - was.center[0]) <= 0.02 * screen.size[0]


def stand_in(step: Transition, graph: AppGraph, screen: Screen) -> Aim | None:
    """Aim at any row of the step's list, where nothing on the map says that its rows lead elsewhere."""
    template = _template(step.action)
    if (
        not template
        or graph.nodes[step.source].level
        or any(t.target != step.target for t in _rows(step, graph))
    ):
        return None
    offers = [c for c in controls(screen) if c.template == template]
    action = next((c.action for c in offers if type(c.action) is type(step.action)), None)
    return Aim(step, action, False) if action is not None else None


def _rows(step: Transition, graph: AppGraph) -> list[Transition]:
    template = _template(step.action)
    return [
        t
        for t in graph.leaving(step.source)
        if template and _template(t.action) == template and type(t.action) is type(step.action)
    ]


def _template(action: Action) -> str:
    target = getattr(action, "target", None)
    return target.template if target else ""


def _name(key: str) -> str:
    """Return a key without the count that tells controls of one name apart."""
    return re.sub(r"@\d+$", "", key)
