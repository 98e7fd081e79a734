"""What a user has corrected on a map: values, with the evidence by which each page is found again."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from waypost.mapping.regions import Region
from waypost.mapping.signature import Signature

__all__ = [
    "Correction",
    "Corrections",
    "Ignore",
    "Merge",
    "Pin",
    "Rename",
    "Split",
    "cited",
    "handles",
    "static",
]

LOOKS = 6
"""Looks that are cited of a page at most."""
ROWS = 12
"""Rows that are cited of a look at most: enough to tell lists apart, and no copy of what they hold."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Two pages are one."""

    page: str
    other: str


@dataclass(frozen=True, slots=True)
class Split:
    """Some looks of a page are a page of their own; the cited look that is nearest decides."""

    page: str
    off: str


@dataclass(frozen=True, slots=True)
class Rename:
    page: str
    name: str
    was: str = ""


@dataclass(frozen=True, slots=True)
class Pin:
    """The page is one, as it stands: nothing is joined to it, and it is never founded anew."""

    page: str


@dataclass(frozen=True, slots=True)
class Ignore:
    """What lies in a region of the page is no evidence."""

    page: str
    region: Region


Correction: TypeAlias = Merge | Split | Rename | Pin | Ignore


@dataclass(frozen=True, slots=True)
class Corrections:
    """All corrections of a map in the order in which they were made."""

    pages: Mapping[str, tuple[Signature, ...]] = field(default_factory=dict)
    """What the pages show that the corrections name; the names are handles, and need not be what is shown."""
    made: tuple[Correction, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of pages by id, as a hand-edited file may give them; they hold for one map only."""

    def __bool__(self) -> bool:
        return bool(self.made or self.names)

    def adding(self, correction: Correction, pages: Mapping[str, tuple[Signature, ...]]) -> "Corrections":
        """Return these corrections and one more, with the evidence of the pages that it names."""
        return replace(self, pages={**self.pages, **pages}, made=(*self.made, correction))

    def without_last(self) -> "Corrections":
        """Return these corrections without the last one, and without evidence that nothing names any more."""
        made = self.made[:-1]
        used = {h for c in made for h in handles(c)}
        return replace(self, pages={h: looks for h, looks in self.pages.items() if h in used}, made=made)

    def joined(self, other: "Corrections") -> "Corrections":
        """Return these corrections and then those of another map of the app that are not among them."""
        made, pages = [*self.made], dict(self.pages)
        for correction in other.made:
            called: dict[str, str] = {}
            for page in handles(correction):
                name, n = page, 1
                while name in pages and pages[name] != other.pages[page]:
                    n += 1
                    name = f"{page} {n}"
                called[page] = name
            moved = _called(correction, called)
            if moved not in made:
                made.append(moved)
                pages |= {called[page]: other.pages[page] for page in called}
        return Corrections(pages, tuple(made), self.names)


def _called(correction: Correction, called: Mapping[str, str]) -> Correction:
    match correction:
        case Merge(page=page, other=other):
            return Merge(called[page], called[other])
        case Split(page=page, off=off):
            return Split(called[page], called[off])
        case Rename(page=page) | Pin(page=page) | Ignore(page=page):
            return replace(correction, page=called[page])


def handles(correction: Correction) -> tuple[str, ...]:
    """Return the pages that a correction names."""
    match correction:
        case Merge(page=page, other=other) | Split(page=page, off=other):
            return page, other
        case Rename(page=page) | Pin(page=page) | Ignore(page=page):
            return (page,)


def cited(looks: list[Signature]) -> tuple[Signature, ...]:
    """Choose the looks to be cited as evidence of a page: the first ones that differ in more than texts."""
    chosen: dict[Signature, Signature] = {}
    for s in looks:
        chosen.setdefault(replace(static(s), said=frozenset()), static(s))
    return tuple(chosen.values())[:LOOKS]


def static(s: Signature) -> Signature:
    """Return a look's evidence as it is cited: without sums, links, and all but a few rows."""
    rows = frozenset(sorted(s.rows)[:ROWS])
    nothing: frozenset[str] = frozenset()
    return replace(s, rows=rows, links=nothing, row_links=nothing, content="", digest="", size=0)
