"""A map in, one HTML file out that is opened from disk and asks nothing of anybody."""

import base64
from collections.abc import Callable
from typing import Any

from waypost.parts.face import Map
from waypost.surface.view.asking import routed
from waypost.surface.view.card import card
from waypost.surface.view.changes import changes
from waypost.surface.view.overview import overview, picture_of
from waypost.surface.view.page import rendered
from waypost.surface.view.pictures import shrunk
from waypost.surface.view.start import begun

__all__ = ["exported"]

_FEW = 300
"""Pages up to which pictures are large enough to read."""


def exported(
    known: Map, old: Map | None = None, *, progress: Callable[[int, int], None] | None = None
) -> str:
    """Return the file's text: every page's card, picture and way from the start; searched by words only.

    `old` is the map of an earlier build, to be held against this one.
    """
    shown = overview(known.graph)
    ids = [row["id"] for row in shown["nodes"]]
    cards, routes = {}, {}
    if known.graph.root is not None:
        known.records()
    for at, node in enumerate(ids, 1):
        cards[node] = card(known, node)
        if known.graph.root is not None:
            routes[node] = routed(known, node)
        if progress is not None:
            progress(at, len(ids))
    difference = changes(old, known) if old is not None else None
    data: dict[str, Any] = {
        "start": begun(known, old, shown),
        "cards": cards,
        "routes": routes,
        "changes": difference,
        "pictures": _pictures([known, *([old] if old else [])], len(ids)),
    }
    page, _ = rendered(data)
    return page


def _pictures(maps: list[Map], pages: int) -> dict[str, str]:
    """Return one picture of each page as a data address, by its hash."""
    width = 360 if pages <= _FEW else 180
    found: dict[str, str] = {}
    for known in maps:
        for node in known.graph.nodes.values():
            image = picture_of(node)
            if image and image not in found:
                shown = shrunk(known.picture(image), width, 60)
                found[image] = f"data:image/webp;base64,{base64.b64encode(shown).decode()}"
    return found
