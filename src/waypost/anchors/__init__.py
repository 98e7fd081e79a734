"""Memory inside one task (AndroTMem): steps in, facts with their evidence and links kept, recalled and corrected."""

from waypost.anchors.memory import AnchorConfig, AnchorMemory, Draft

__all__ = ["AnchorConfig", "AnchorMemory", "Draft"]
