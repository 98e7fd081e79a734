"""A destination, as the memory keeps it, and a page as MapAgent remembers it."""

from dataclasses import dataclass
from enum import StrEnum

from waypost.model.graph import NodeId

__all__ = ["PageChunk", "Provenance", "Record", "Source"]


class Source(StrEnum):
    """Who wrote a field's words."""

    SEEN = "seen"
    """Extracted from what the app showed."""
    MODEL = "model"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who wrote each of a record's fields that hold words."""

    name: Source = Source.SEEN
    summary: Source = Source.SEEN
    intents: Source = Source.SEEN
    waypoints: Source = Source.SEEN
    hints: Source = Source.SEEN


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
    notes: tuple[str, ...] = ()
    """What the user has to say of the page; never generated, never overwritten."""
    depth: int = 0
    """Steps from the root."""
    modal: bool = False
    """A dialog, menu, drawer or sheet in the foreground."""
    loading: bool = False
    hazards: tuple[str, ...] = ()
    """Labels on this page that the guard calls hazardous."""
    provenance: Provenance = Provenance()
    confidence: float = 1.0
    """How sure the way is, 0 to 1: the product of its steps' reliabilities, in hundredths."""
    model: str = ""
    """Model that wrote the fields that are a model's; empty where none are."""
    prompt: str = ""
    """Prompt that it was asked with, with its version: `describe-1`."""
    version: str = ""
    """App version that was described."""

    @property
    def edited(self) -> bool:
        """Whether any of it is the user's."""
        by = self.provenance
        return bool(self.notes) or Source.USER in (by.name, by.summary, by.intents, by.waypoints, by.hints)

    @property
    def wishes(self) -> tuple[str, ...]:
        """What somebody may want here: the intents, then the user's notes."""
        return (*self.intents, *self.notes)


@dataclass(frozen=True, slots=True)
class PageChunk:
    """A page as one visit showed it (MapAgent, 3.1): what it is, what stands on it, how it was come to."""

    label: str
    description: str
    elements: tuple[str, ...]
    """Key elements, each with what it is: `Save (button)`."""
    path: tuple[str, ...]
    """Actions from the start, in words; empty for the first page."""
    app: str = ""
    node: NodeId | None = None
    """The page on the map; None where it is on none."""
    task: str = ""
    """What was being tried; empty for an explored page."""
    source: Source = Source.SEEN
    model: str = ""
    prompt: str = ""
