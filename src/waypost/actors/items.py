"""What the rows of an app's lists are called: a map in, names out; and a sentence without them.

Which item of a list is open makes no page of its own, so that its name says nothing of the page meant.
"""

import re
from collections.abc import Iterable

from waypost.actors.choosing import row_labels
from waypost.actors.wordmatch import stems
from waypost.model import AppGraph

__all__ = ["item_names", "without_items"]

_WORD = re.compile(r"[^\W_]+")
_SHORT = 3
"""Letters below which a name is no name."""


def item_names(graph: AppGraph) -> frozenset[str]:
    """Return the proper names of the rows that lead, as far as the map knows, to one page."""
    found: set[str] = set()
    for labels in row_labels(graph):
        shared = set.intersection(*(set(stems(label)) for label in labels))
        for label in labels:
            own = [w for w in _WORD.findall(label) if not set(stems(w)) <= shared]
            name = " ".join(own)
            if len(name) >= _SHORT and name[0].isupper() and name in label:
                found.add(name)
    return frozenset(found)


def without_items(sentence: str, names: Iterable[str]) -> str:
    """Return a sentence without the names in it, written as they are; all of it where nothing else is left.

    >>> without_items("Open the notes on the Food category.", ["Food", "Notes"])
    'Open the notes on the category.'
    >>> without_items("Food", ["Food"])
    'Food'
    """
    rest = sentence
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(rf"(?<=\s)(?<![.!?]\s){re.escape(name)}\b(?:['’]s)?\s?", "", rest)
    rest = re.sub(r"\s+(?=[,.;:!?])", "", rest).strip()
    return rest if len(stems(rest)) > 0 else sentence
