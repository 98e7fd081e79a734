"""One more visit to a page: the page and a look at it in, the page with the looks that are kept out."""

import hashlib
from dataclasses import replace

from waypost.mapping.changes import Changes
from waypost.model import Hypernode, Look, Observation

__all__ = ["LOOKS", "visited"]

LOOKS = 12
"""Distinct looks kept of one page; the founding one is among them."""


def visited(
    page: Hypernode, observation: Observation, at: int | None, changes: Changes, *, keep: bool
) -> Hypernode:
    """Count a visit; `at` is the stored look that this one equals, None for a look that is new."""
    looks = list(page.looks)
    if at is not None:
        looks[at] = looks[at].again()
        changes.looks.add((page.id, at))
    elif len(looks) < LOOKS and (keep or not looks):
        picture = hashlib.sha256(observation.image).hexdigest() if observation.image else ""
        if picture:
            changes.pictures[picture] = observation.image
        looks.append(Look(replace(observation, image=b""), picture))
        changes.looks.add((page.id, len(looks) - 1))
    changes.nodes.add(page.id)
    return replace(page, looks=tuple(looks), visits=page.visits + 1)
