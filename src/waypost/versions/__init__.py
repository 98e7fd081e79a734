"""Two maps of one app held against each other, and a map held against the app: what stayed, what changed."""

from waypost.versions.align import Alignment, align
from waypost.versions.diff import Broken, Changed, Diff, Moved, PageRef, Renamed, diff

__all__ = ["Alignment", "Broken", "Changed", "Diff", "Moved", "PageRef", "Renamed", "align", "diff"]
