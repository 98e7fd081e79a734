"""A map that is being explored: its folder in, how far it has come, and the steps since, out."""

from pathlib import Path
from typing import Any

from waypost.model import NodeId
from waypost.parts.stores import opened_store
from waypost.surface.view.card import said
from waypost.surface.view.overview import overview

__all__ = ["Live"]

_STEPS = 30
"""Most steps that are told at once: the last ones."""


class Live:
    """Reads what another process has written since; never a writer, so that it stands in nobody's way."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read_at = -1
        self._overview: dict[str, Any] = {}

    def grown(self, steps: int) -> bool:
        """Whether the map on disk has other steps than a reading of it had."""
        store = opened_store(self._folder, readonly=True)
        try:
            return store.reached()[0] != steps
        finally:
            store.close()

    def since(self, steps: int) -> dict[str, Any]:
        """Return the picture and the last steps, where the map has grown beyond `steps`."""
        store = opened_store(self._folder, readonly=True)
        try:
            now, stop = store.reached()
            if now == steps:
                return {"steps": now, "stop_reason": stop.value, "changed": False}
            if now != self._read_at:
                graph = store.load()
                self._overview, self._read_at = overview(graph), graph.steps
            taken, aliases = store.steps(), store.aliases()
        finally:
            store.close()
        names = {n["id"]: n["name"] for n in self._overview["nodes"]}

        def known(node: NodeId) -> NodeId:
            while node in aliases:
                node = aliases[node]
            return node

        rows = [(known(s.source), known(s.target), s.key) for s in taken[max(steps, len(taken) - _STEPS) :]]
        return {
            "steps": self._read_at,
            "stop_reason": stop.value,
            "changed": True,
            "overview": self._overview,
            "taken": [
                {"from": names.get(a, a), "to": names.get(b, b), "id": b, "does": said(key)}
                for a, b, key in rows
            ],
        }
