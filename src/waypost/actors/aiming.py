"""Find what does a step on this very look: a step of a plan and a screen in, an action on it out."""

import re
from collections.abc import Callable

from waypost.mapping import controls, regrounded
from waypost.model import Action, AppGraph, Screen, Transition, TransitionKind

__all__ = ["aim", "stand_in"]


def aim(
    step: Transition, graph: AppGraph, screen: Screen, usable: Callable[[Transition], bool]
) -> tuple[Transition, Action] | None:
    """Return a step that can be done here and its action: the one meant, else one known to do the same.

    That is another control that leads to the same page, another row of a list whose known rows all lead
    there (at least two), or one of several controls of one name that all lead there.
    """
    action = regrounded(step.action, screen)
    if action is not None:
        return step, action
    for other in sorted(graph.leaving(step.source), key=lambda t: t.key):
        same = other.target == step.target and other.key != step.key
        if same and other.kind is TransitionKind.NAVIGATION and not other.hazard and usable(other):
            action = regrounded(other.action, screen)
            if action is not None:
                return other, action
    rows = _rows(step, graph)
    if len(rows) >= 2:
        action = stand_in(step, graph, screen)
        if action is not None:
            return step, action
    twins = [t for t in graph.leaving(step.source) if _name(t.key) == _name(step.key)]
    shown = next((c for c in controls(screen) if _name(c.key) == _name(step.key)), None)
    return (step, shown.action) if shown and all(t.target == step.target for t in twins) else None


def stand_in(step: Transition, graph: AppGraph, screen: Screen) -> Action | None:
    """Return any row of the step's list, where nothing on the map says that its rows lead elsewhere."""
    template = _template(step.action)
    if not template or any(t.target != step.target for t in _rows(step, graph)):
        return None
    offers = [c for c in controls(screen) if c.template == template]
    return next((c.action for c in offers if type(c.action) is type(step.action)), None)


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
