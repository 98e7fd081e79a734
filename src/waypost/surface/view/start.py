"""What the page shows first: a map, perhaps an earlier one, and its picture in; JSON values out."""

from typing import Any

from waypost.parts.correcting import told
from waypost.parts.face import Map
from waypost.surface.figures import figures

__all__ = ["begun"]


def begun(known: Map, old: Map | None, overview: dict[str, Any]) -> dict[str, Any]:
    """Return figures, picture, corrections and trust of a map."""
    return {
        "map": known.folder.name,
        "figures": figures(known),
        "overview": overview,
        "corrections": [told(c) for c in known.mapper.teacher.corrections.made],
        "trust": known.trust(),
        "against": {"map": old.folder.name, "version": old.graph.version} if old else None,
    }
