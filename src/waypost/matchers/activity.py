"""One page an activity: what static analysis knows of an app."""

from collections.abc import Hashable

from waypost.matchers.grouping import KeyMatcher
from waypost.model import Screen

__all__ = ["ActivityMatcher"]


class ActivityMatcher(KeyMatcher):
    """Takes the activity's name for the page, as Agent+P does (its graphs come from ICCBot).

    On the web the path takes its place, without query and fragment. Source: papers/brief.md, 3.2.
    """

    name = "activity"

    def key(self, screen: Screen) -> Hashable:
        place = screen.activity
        if "://" in screen.app:
            place = place.partition("#")[0].partition("?")[0]
        return screen.app, place
