"""Folders of looks in, their pages out; and how matchers do on labelled ones."""

from dataclasses import dataclass
from pathlib import Path

from waypost.adapters.looks import read_looks
from waypost.mapping import cluster

__all__ = ["Clustered", "clustered"]


@dataclass(frozen=True, slots=True)
class Clustered:
    app: str
    pages: dict[str, str | None]
    """The page of each look; None for what is no page of the app."""
    faults: dict[str, str]
    """Files that could not be read, and why."""


def clustered(folder: Path, app: str = "") -> Clustered:
    """Sort the looks of a folder into the pages of `app`, by default the one that most looks are of."""
    looks = read_looks(folder)
    main = app or looks.app
    found = cluster(tuple(looks.screens.values()), main)
    pages = {
        name: None if page is None else f"p{page + 1}"
        for name, page in zip(looks.screens, found, strict=True)
    }
    return Clustered(main, pages, looks.faults)
