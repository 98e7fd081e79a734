"""What stays of a record when its page is described again: the new one and the old one in, one out."""

import dataclasses
from typing import Any

from waypost.library.lines import WORDS
from waypost.model import Provenance, Record, Source

__all__ = ["kept"]


def kept(fresh: Record, old: Record | None) -> Record:
    """Put a record together field by field.

    The user's words always stay, and so do the user's notes. A model's words stay until a model writes
    others; those about the way only as long as the way is the same.
    """
    if old is None:
        return fresh
    fields: dict[str, Any] = {"notes": old.notes or fresh.notes}
    sources = {}
    for name in WORDS:
        was, now = getattr(old.provenance, name), getattr(fresh.provenance, name)
        stays = was is Source.USER or (was is Source.MODEL and now is Source.SEEN and _fits(name, fresh, old))
        fields[name] = getattr(old if stays else fresh, name)
        sources[name] = was if stays else now
    if Source.MODEL in sources.values() and not fresh.model:
        fields |= {"model": old.model, "prompt": old.prompt}
    return dataclasses.replace(fresh, **fields, provenance=Provenance(**sources))


def _fits(name: str, fresh: Record, old: Record) -> bool:
    """Whether a model's words still hold: what it said of the way holds for that way alone."""
    return name not in ("waypoints", "hints") or (
        fresh.depth == old.depth and set(old.waypoints) <= set(fresh.waypoints)
    )
