"""Memory inside one task (AndroTMem): steps in, facts kept with their evidence, recalled and corrected."""

from waypost.anchors.asking import LinkNoted, Noted, Notes, note_with
from waypost.anchors.looking import Reread, crop_look, tree_look
from waypost.anchors.memories import (
    Anchored,
    Capped,
    FullReplay,
    LastActions,
    LookBack,
    RunningSummary,
    TaskMemory,
)
from waypost.anchors.memory import AnchorConfig, AnchorMemory, Draft
from waypost.anchors.noting import Happened, drafts
from waypost.anchors.reading import Fact, facts

__all__ = [
    "AnchorConfig",
    "AnchorMemory",
    "Anchored",
    "Capped",
    "Draft",
    "Fact",
    "FullReplay",
    "Happened",
    "LastActions",
    "LinkNoted",
    "LookBack",
    "Noted",
    "Notes",
    "Reread",
    "RunningSummary",
    "TaskMemory",
    "crop_look",
    "drafts",
    "facts",
    "note_with",
    "tree_look",
]
