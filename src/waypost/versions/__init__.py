"""Two maps of one app held against each other, and a map held against the app: what stayed, what changed."""

from waypost.versions.align import Alignment, align
from waypost.versions.diff import Broken, Changed, Diff, Moved, PageRef, Renamed, diff
from waypost.versions.verify import Checked, Verification, VerifyConfig, VerifyStop, to_verify, verify

__all__ = [
    "Alignment",
    "Broken",
    "Changed",
    "Checked",
    "Diff",
    "Moved",
    "PageRef",
    "Renamed",
    "Verification",
    "VerifyConfig",
    "VerifyStop",
    "align",
    "diff",
    "to_verify",
    "verify",
]
