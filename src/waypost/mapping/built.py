"""How two looks are built: two signatures and what is known in, evidence of structure out."""

from collections.abc import Iterator

from waypost.mapping.knowledge import Knowledge
from waypost.mapping.signature import Signature
from waypost.model import TreeQuality
from waypost.protocols import Reason

__all__ = ["built", "names", "part_only", "share_of"]

_OTHER = 0.2
"""Share of the scrolling parts below which it is something else that scrolls."""
_TALLER = 1.6
"""How much taller the cells of one grid are than those of another of as many columns."""
_OPENED = 3
"""Entries that a bar must gain for it to be an unfolded menu."""


def built(a: Signature, b: Signature, known: Knowledge) -> Iterator[Reason]:
    """Weigh the skeletons, what scrolls, grids of cells, and menus unfolded in their place."""
    yield from _structure(a, b, known)
    yield from _panes(a, b, known)
    yield from _grids(a, b)
    yield from _unfolded(a, b)


def _structure(a: Signature, b: Signature, known: Knowledge) -> Iterator[Reason]:
    """Weigh the skeleton: pages built from one layout share it, so that it parts more than it joins."""
    part = part_only(a, b)
    if (a.frame and b.frame) or (not part and (a.frame or b.frame)):
        share = share_of(a.frame, b.frame, known, part=part)
        both = a.frame & b.frame if part and share > 0.5 else a.frame | b.frame
        mass = min(1.0, known.mass(both) / 2.0)
        weight = (3.0 if share > 0.5 else 6.0) * (share - 0.5) * mass
        yield Reason("frame", weight, f"{share:.0%} of the fixed parts agree")
    if a.body and b.body:
        share = share_of(a.body, b.body, known, part=not (a.fits and b.fits) or bool(a.rows or b.rows))
        both = a.body & b.body if share > 0.5 else a.body | b.body
        mass = min(1.0, known.mass(both) / 2.0)
        weight = (2.0 if share > 0.5 else 4.0) * (share - 0.5) * mass
        if share < _OTHER:  # Behind another tab that the tree does not tell from this one.
            least = min(known.mass(a.body), known.mass(b.body))
            weight -= min(3.0, least) * (1.0 - share / _OTHER) * _unnamed(a, b, known)
        yield Reason("body", weight, f"{share:.0%} of the scrolling parts agree")


def _panes(a: Signature, b: Signature, known: Knowledge) -> Iterator[Reason]:
    """Scrolled as far as one likes, what scrolls is the same; behind another tab it is another."""
    if a.panes and b.panes and not a.panes & b.panes and not part_only(a, b):
        told = _unnamed(a, b, known)
        yield Reason("panes", -4.0 * told, f"what scrolls is {names(a.panes)}, and {names(b.panes)}")


def _unnamed(a: Signature, b: Signature, known: Knowledge) -> float:
    """Return what it tells that other things scroll, 0 to 1.

    Under a title of its own, a page may show a list, or say why there is none.
    """
    named = a.title == b.title and a.titled and b.titled
    return 1.0 - known.weight("t:" + a.title) if named else 1.0


def _grids(a: Signature, b: Signature) -> Iterator[Reason]:
    """Days by the week and days by the month are called the same, and are laid out in other ways."""
    if not (a.grid[0] and b.grid[0] and a.fits and b.fits) or a.rows & b.rows:
        return
    (across, down), (other, deep) = a.grid, b.grid
    if across != other or not 1 / _TALLER < down / deep < _TALLER:
        yield Reason("grid", -11.0, f"cells {across} across and {other} across, of other heights")


def _unfolded(a: Signature, b: Signature) -> Iterator[Reason]:
    """A menu that opens in its place, and pushes the page down, is a menu all the same."""
    less, more = sorted((a.offered, b.offered), key=len)
    # What was scrolled out at the top says nothing.
    opened = frozenset(more) - frozenset(less)
    if less[:1] == more[:1] != () and frozenset(less) < frozenset(more) and len(opened) >= _OPENED:
        yield Reason("unfolded", -10.0, f"only one shows the ways to {names(opened)}")


def part_only(a: Signature, b: Signature) -> bool:
    """Whether one of two looks need not show all that the page has."""
    return (
        a.keyboard is not b.keyboard
        or TreeQuality.FULL is not a.quality
        or TreeQuality.FULL is not b.quality
        or _loads(a) is not _loads(b)
    )


def _loads(s: Signature) -> bool:
    """Whether a look shows that it waits, and nothing yet of what scrolls."""
    waits = any(t.startswith("progress:") for t in s.frame | s.body)
    return waits and not (s.rows or s.scrolled)


def share_of(a: frozenset[str], b: frozenset[str], known: Knowledge, *, part: bool) -> float:
    return known.overlap(a, b) if part else known.jaccard(a, b)


def names(found: frozenset[str]) -> str:
    """Write a few names for people.

    >>> names(frozenset({"b", "a"}))
    "'a', 'b'"
    """
    listed = sorted(found)
    return (
        ", ".join(repr(n) for n in listed[:5]) + (f" and {len(listed) - 5} more" if len(listed) > 5 else "")
        or "none"
    )
