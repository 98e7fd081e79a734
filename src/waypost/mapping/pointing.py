"""What a bare point was meant for: an action and its screen in, the action with evidence out."""

from dataclasses import replace

from waypost.mapping.controls import controls
from waypost.model import Action, LongPress, Screen, Tap, TypeText

__all__ = ["pointed"]


def pointed(action: Action, screen: Screen) -> Action:
    """Say which control a tap at a point was for, as an actor that sees only pixels makes it.

    The smallest control of that kind under the point is meant; where there is none, the action stays bare.
    """
    if not isinstance(action, (Tap, LongPress, TypeText)) or action.target is not None or action.at is None:
        return action
    x, y = action.at
    under = [
        target
        for c in controls(screen)
        if isinstance(c.action, (Tap, LongPress, TypeText))
        and _alike(c.action, action)
        and (target := c.action.target) is not None
        and target.bounds.contains(x, y)
    ]
    if not under:
        return action
    return replace(action, target=min(under, key=lambda t: t.bounds.area))


def _alike(offered: Action, done: Action) -> bool:
    return isinstance(offered, Tap) or type(offered) is type(done)
