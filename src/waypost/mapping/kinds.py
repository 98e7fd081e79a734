"""Whether two looks are items of one kind: two signatures and what is known in, yes or no out."""

from waypost.mapping.addresses import Kinship
from waypost.mapping.knowledge import Knowledge
from waypost.mapping.signature import Signature

__all__ = ["listed_together", "one_kind"]

_OWN = ("button:", "image:", "field:", "slider:", "progress:", "link:", "picker:")
"""Parts that a layout has of its own, where they carry an id."""


def one_kind(a: Signature, b: Signature, known: Knowledge, least: float = 1.0) -> bool:
    """Whether two looks may be two items shown in one way: same controls and layout, not common ones.

    `least` is how much that few other pages have they must share.
    """
    if a.path and known.addresses.compare(a, b) in (Kinship.OTHER, Kinship.VIEW):
        return False
    if not a.path and a.route and b.route and a.route != b.route:
        return False  # An app shows items of one kind in one activity.
    if a.layer is not b.layer or a.title in known.entries or b.title in known.entries:
        return False
    if (a.choices and b.choices) or a.selected != b.selected:
        return False
    if known.jaccard(a.frame, b.frame) < 0.7 or known.overlap(a.body, b.body) < 0.6:
        return False
    mine, other = (a.labels | a.scrolled) - {a.title}, (b.labels | b.scrolled) - {b.title}
    if known.overlap(mine, other) < 0.6:
        return False
    rows = len(a.rows & b.rows) / min(len(a.rows), len(b.rows)) if a.rows and b.rows else 0.0
    if rows >= 0.6:
        return True
    own = {t for t in (a.frame & b.frame) | (a.body & b.body) if t.startswith(_OWN) and "^" not in t}
    return not (a.switches or b.switches) and known.rare((mine & other) | (a.said & b.said) | own) >= least


def listed_together(a: Signature, b: Signature, known: Knowledge) -> bool:
    """Whether what two looks are headed by stands in one list of content, among its rows."""
    return a.title != b.title and bool(known.lists(a.title) & known.lists(b.title))
