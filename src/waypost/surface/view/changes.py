"""Two builds side by side: an old map and a new one in, what changed, with the pictures of both, out."""

from typing import Any

from waypost.model import NodeId
from waypost.parts.face import Map
from waypost.parts.versions import compared, diff_json
from waypost.surface.view.overview import picture_of

__all__ = ["changes"]


def changes(old: Map, new: Map) -> dict[str, Any]:
    """Return the difference as `waypost diff --json` does, each page with its picture."""
    found = diff_json(old, new, compared(old, new))
    for row in found["gone"]:
        _shown(row, old)
    for row in found["added"]:
        _shown(row, new)
    for kind in ("moved", "renamed", "changed"):
        for row in found[kind]:
            _shown(row["old"], old)
            _shown(row["new"], new)
    for row in found["broken"]:
        _shown(row["source"], old)
        _shown(row["target"], old)
    return found


def _shown(row: dict[str, Any], known: Map) -> None:
    row["picture"] = picture_of(known.graph.nodes[NodeId(row["id"])])
