"""A destination, as the memory keeps it."""

from dataclasses import dataclass

from waypost.model.graph import NodeId

__all__ = ["Record"]


@dataclass(frozen=True, slots=True)
class Record:
    """What one page is for and how it is reached (TAG-Nav's r = (h, n, d, I, W, H)): words only."""

    node: NodeId
    member: int
    """Index of the look that was described."""
    name: str
    summary: str
    intents: tuple[str, ...]
    """What can be done directly here."""
    waypoints: tuple[str, ...]
    """Page names from the app's root to this page, loops and detours left out."""
    hints: tuple[str, ...] = ()
    """Per transition: which visible cue leads on, told apart from its look-alikes."""
    depth: int = 0
    """Steps from the root."""
    modal: bool = False
    """A dialog, menu, drawer or sheet in the foreground."""
    loading: bool = False
    hazards: tuple[str, ...] = ()
    """Labels on this page that the guard calls hazardous."""
    provenance: str = "seen"
    """Who wrote the words: `seen` (extracted), `model`, or `user`."""
    version: str = ""
    """App version that was described."""
