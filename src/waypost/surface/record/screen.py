"""A look in, what the page draws of it out: a picture, and what can be done where."""

import base64
from typing import Any

from waypost.mapping import Control, controls
from waypost.model import Evidence, LongPress, Observation, Tap, TypeText
from waypost.surface.view.pictures import shrunk

__all__ = ["drawn"]

_WIDTH = 540
_KINDS = {Tap: "tap", LongPress: "long_press", TypeText: "type"}


def drawn(look: Observation) -> dict[str, Any]:
    """Return the screen's size, its picture as a data address, and its elements by what can be done."""
    picture = shrunk(look.image, _WIDTH) if look.image else b""
    found: dict[tuple[float, ...], dict[str, Any]] = {}
    for control in controls(look.screen):
        _add(found, control)
    return {
        "size": list(look.screen.size),
        "picture": f"data:image/webp;base64,{base64.b64encode(picture).decode()}" if picture else "",
        # Large ones first, so that the small ones in them are drawn above and can be hit.
        "elements": sorted(found.values(), key=lambda e: -(e["box"][2] * e["box"][3])),
    }


def _add(found: dict[tuple[float, ...], dict[str, Any]], control: Control) -> None:
    """Add what can be done to the element that it is done to."""
    kind = _KINDS.get(type(control.action))
    target: Evidence | None = getattr(control.action, "target", None)
    if kind is None or target is None or not (target.size[0] and target.size[1] and target.bounds.area):
        return
    (width, height), b = target.size, target.bounds
    box = tuple(round(v, 4) for v in (b.left / width, b.top / height, b.width / width, b.height / height))
    row = found.setdefault(
        box, {"label": control.label, "box": list(box), "does": [], "hazard": target.hazard}
    )
    row["does"].append(kind)
