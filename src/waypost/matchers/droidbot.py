"""DroidBot's two identities: the state string with content, the structure string without."""

from collections.abc import Hashable

from waypost.matchers.grouping import KeyMatcher
from waypost.matchers.reading import short_class
from waypost.model import Element, Screen

__all__ = ["StateStringMatcher", "StructureStringMatcher"]

_LONG = 50
"""Letters from which a text is taken for content even in the state string."""


class StateStringMatcher(KeyMatcher):
    """Activity and the set of all views by class, id, short text and state (Li et al., ICSE-C 2017).

    A look is another state as soon as one short text differs. Source: FIELD.md, "How much their screen
    identities fragment one app", and the threads on DroidBot.
    """

    name = "state string"

    def key(self, screen: Screen) -> Hashable:
        return screen.app, screen.activity, frozenset(map(_with_content, screen.walk()))


def _with_content(e: Element) -> Hashable:
    text = e.text if len(e.text) <= _LONG else ""
    return e.class_name or e.role, e.resource_id, text, e.enabled, e.checked, e.selected


class StructureStringMatcher(KeyMatcher):
    """Activity and the set of all views by class and id: what is said plays no part. Source: as above."""

    name = "structure string"

    def key(self, screen: Screen) -> Hashable:
        parts = frozenset((short_class(e), e.resource_id) for e in screen.walk())
        return screen.app, screen.activity, parts
