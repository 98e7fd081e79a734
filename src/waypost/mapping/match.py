"""Whether two looks are one page: two signatures and what is known in, a judgement with reasons out."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from waypost.mapping.addresses import Kinship
from waypost.mapping.built import built, names, part_only, share_of
from waypost.mapping.knowledge import Knowledge
from waypost.mapping.layers import LayerKind
from waypost.mapping.signature import Signature, signature
from waypost.mapping.vocabulary import universal
from waypost.mapping.words import words
from waypost.model import Screen
from waypost.protocols import Comparison, Reason

__all__ = ["EvidenceMatcher", "Leaning", "asks_other", "compare", "judge"]

APART = -12.0
"""Weight of what no other evidence outweighs."""
_SPOKEN, _NAMES = 4, 0.2
"""Words that each of two looks in two languages has at least, and the share that may be proper names."""
_RICH, _BUILT = 6, 0.8
"""Kinds of parts that two looks in two languages share at least, and how far they are built alike."""
_ENOUGH, _MOSTLY = 1.5, 2.0
"""What two looks must share for it not to count that most looks are two pages, and how much that counts."""
_JOINS = 1.5
"""What controls in common must tell for them to count in full."""
_PART = 0.5
"""The same where one of them need not show all."""
_SEVERAL = 1.5
"""Rows that few pages have, from which rows in common count in full."""


@dataclass(frozen=True, slots=True)
class Leaning:
    """What is known of two looks from elsewhere: how they were reached, what varied on the page."""

    weight: float = 0.0
    """Added to the evidence: positive joins."""
    one_kind: bool = False
    """Both are items of one kind, so that the title is content."""
    reason: str = ""
    by_address: bool = False
    """The addresses say so, and differ in what names the item."""


class EvidenceMatcher:
    """Weighs titles, selections, controls, structure, rows; what every page has counts little."""

    def __init__(self, known: Knowledge | None = None) -> None:
        self.known = known or Knowledge()

    def compare(self, a: Screen, b: Screen) -> Comparison:
        if a == b:
            return Comparison(1.0, (Reason("equal", 12.0, "the two looks are equal"),))
        return compare(signature(a), signature(b), self.known)


def compare(a: Signature, b: Signature, known: Knowledge, leaning: Leaning | None = None) -> Comparison:
    """Judge two looks, with the reasons that counted."""
    reasons = tuple(r for r in judge(a, b, known, leaning or Leaning()) if abs(r.weight) >= 0.05)
    total = math.fsum(r.weight for r in sorted(reasons, key=lambda r: (r.name, r.weight)))
    return Comparison(1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total)))), reasons)


def judge(a: Signature, b: Signature, known: Knowledge, leaning: Leaning) -> Iterator[Reason]:
    """Yield each piece of evidence; positive weights join, negative ones part."""
    if a.app != b.app:
        yield Reason("app", APART, f"another app: {a.app!r} and {b.app!r}")
        return
    if a.layer is not b.layer:
        yield Reason("layer", -8.0, f"a {a.layer.value} is not a {b.layer.value}")
        return
    kin = known.addresses.compare(a, b) if a.path or b.path else None
    if kin is Kinship.ITEM or (kin is Kinship.SAME and _other_item(a, b)):
        leaning = replace(leaning, one_kind=True, by_address=True)
    yield from _route(a, b, kin, known)
    if leaning.weight:
        yield Reason("way", leaning.weight, leaning.reason)
    if _translated(a, b, kin, known):
        yield Reason("language", 3.0, "all words differ, and nothing else does: another language")
        return
    if a.layer is not LayerKind.PAGE:
        yield from _of_layers(a, b, known)
        return
    yield from _selection(a, b)
    if a.fits is not b.fits and not (b if a.fits else a).labels:
        a, b = _as_one(a), _as_one(b)
    alike = _alikeness(a, b, known)
    parts = kin is Kinship.SAME and not (a.titled and b.titled) and not (a.fits or b.fits)
    if parts and a.title != b.title and a.title and b.title:
        yield Reason("title", -1.0, f"headings {a.title!r} and {b.title!r} of what scrolls")
    else:
        yield from _title(a, b, known, alike, leaning)
    yield from built(a, b, known)
    yield from _called(a, b, known)
    yield from _rows(a, b, known)
    yield from _little(a, b, known)


def _as_one(s: Signature) -> Signature:
    """Take what is fixed with what scrolls: where all of a page scrolls, it lies fixed when it is short."""
    rows = frozenset(t for t in s.body if t.startswith("row "))
    return replace(
        s, frame=s.frame | (s.body - rows), body=rows, labels=frozenset(), scrolled=s.labels | s.scrolled
    )


def _other_item(a: Signature, b: Signature) -> bool:
    """Whether two addresses of one pattern differ in a part that was made up, such as the id of an item."""
    one, other = (s.path.split("?")[0] for s in (a, b))
    return "{}" in a.route and a.route == b.route and one != other


def _translated(a: Signature, b: Signature, kin: Kinship | None, known: Knowledge) -> bool:
    """Whether two looks are built alike, at one place, and have no word in common.

    Pages of one app in one language share the words of its bars, if no others.
    """
    said, other = _words_of(a), _words_of(b)
    least = min(len(said), len(other))
    if least < _SPOKEN or len(said & other) > _NAMES * least:
        return False
    if kin is not Kinship.SAME and (kin is not None or a.route != b.route):
        return False
    if said & other & universal() or {a.title} & (b.rows | other) or {b.title} & (a.rows | said):
        return False  # Back is called alike on both, or one names the other in its own words.
    parts = (a.frame | a.body) & (b.frame | b.body)
    if len(parts) < _RICH:  # Every menu is built like every other.
        return False
    if kin is None and (len(_own(a) & _own(b)) < _RICH or _jaccard(_own(a), _own(b)) < _BUILT):
        return False  # Without an address, pages of one template are alike but for their words as well.
    return known.jaccard(a.frame, b.frame) >= _BUILT and known.overlap(a.body, b.body) >= _BUILT


def _own(s: Signature) -> frozenset[str]:
    return frozenset(t for t in s.frame | s.body if "^" not in t and not t.startswith(("group:", "row ")))


def _words_of(s: Signature) -> frozenset[str]:
    return s.labels | s.scrolled | s.said | s.entries | s.asks


def _route(a: Signature, b: Signature, kin: Kinship | None, known: Knowledge) -> Iterator[Reason]:
    """Weigh addresses and activities; a layer of a web app is one with the page that it lies over."""
    if not a.route or not b.route:
        return
    if kin is Kinship.OTHER:
        yield Reason("route", APART, f"another address: {a.route!r}, {b.route!r}")
    elif kin is Kinship.VIEW:
        yield Reason("route", APART, f"another view: {sorted(a.view)}, {sorted(b.view)}")
    elif kin is Kinship.ITEM:
        yield Reason("route", 0.5, f"the address names another item: {a.route!r}, {b.route!r}")
    elif a.route != b.route:
        yield Reason("route", -10.0, f"another activity: {_short(a.route)!r}, {_short(b.route)!r}")
    elif kin is Kinship.SAME:
        # Where pages have addresses of their own, an address is much.
        told = 2.5 if known.addresses.routed and a.layer is LayerKind.PAGE else 1.0
        told += 3.0 * (a.anchored or b.anchored)  # Another part of it is in view.
        yield Reason("route", told if len(a.route) > 1 else 0.2, f"same address pattern {a.route!r}")
    else:
        yield Reason("route", 0.4, f"same activity {_short(a.route)!r}")


def _short(route: str) -> str:
    return route.rsplit(".", 1)[-1] if "/" not in route[:1] else route


def _of_layers(a: Signature, b: Signature, known: Knowledge) -> Iterator[Reason]:
    """A dialog, menu, drawer or sheet is known by what it says."""
    if a.holder and b.holder and a.holder != b.holder:
        yield Reason("holder", -5.0, f"held by {a.holder!r} and {b.holder!r}")
    mine, other = ((s.labels | s.scrolled | s.said | s.rows) - {s.title} for s in (a, b))
    share = _jaccard(mine, other)
    if a.title and b.title and a.layer is not LayerKind.MENU:
        said = f"headings {a.title!r} and {b.title!r}"
        if a.title == b.title:
            yield Reason("title", 2.5, f"same heading {a.title!r}")
        elif _choices(a) == _choices(b) and known.mass(_choices(a)) >= 2.0:
            yield Reason("title", -0.5, said + " over the same choices: items of one kind")
        else:
            near = _overlap_of_words(a.title, b.title)
            yield Reason("title", 4.0 * near - 4.0, said)
            if _verbs(a) - _choices(b) and _verbs(b) - _choices(a):
                yield Reason(
                    "verbs", -1.5, f"another answer under another heading: {names(_verbs(a) ^ _verbs(b))}"
                )
    if mine or other:
        weight = 7.0 * (share - 0.5)
        if weight > 0:  # OK and Cancel alone join nothing.
            weight *= min(1.0, known.mass(mine & other) / 1.5)
        if a.rows and b.rows and a.title and a.title == b.title:
            weight = max(weight, 0.0)  # The same chooser, scrolled or with other choices.
        yield Reason("entries", weight, _difference(mine, other))
    yield from _answers(a, b)
    yield from _asked(a, b)
    alike = _jaccard(a.frame | a.body, b.frame | b.body)
    yield Reason(
        "structure", (2.0 if alike > 0.7 else 4.0) * (alike - 0.7), f"{alike:.0%} of the parts agree"
    )


def _answers(a: Signature, b: Signature) -> Iterator[Reason]:
    """Two dialogs that are seen whole, without rows, and each offer what the other does not."""
    mine, other = ((s.labels | s.scrolled) - {s.title} for s in (a, b))
    whole = a.fits and b.fits and not (a.rows or b.rows or part_only(a, b))
    if whole and mine - other and other - mine and (share := _jaccard(mine, other)) < 0.5:
        yield Reason("answers", -4.0 * (1.0 - share), f"other answers: {_difference(mine, other)}")


def _asked(a: Signature, b: Signature) -> Iterator[Reason]:
    """Two forms that each ask for something the other does not."""
    if asks_other(a, b):
        yield Reason("fields", -12.0 * (1.0 - _jaccard(a.asks, b.asks)), _difference(a.asks, b.asks))


def asks_other(a: Signature, b: Signature) -> bool:
    """Whether two layers are forms for different things."""
    if a.layer is not b.layer or a.layer is LayerKind.PAGE:
        return False
    # A field that is filled goes by its id, where the dialect has no hint beside the text.
    mine, other = a.asks - _fields(b), b.asks - _fields(a)
    return bool(mine - b.asks and other - a.asks) and _jaccard(a.asks, b.asks) < 0.6


def _fields(s: Signature) -> frozenset[str]:
    return frozenset(t.partition("field:")[2] for t in s.frame | s.body if "field:" in t)


def _verbs(s: Signature) -> frozenset[str]:
    """Return what a layer offers to do, beside its rows; a heading may be tapped too."""
    return (s.offers & s.labels) - {s.title}


def _choices(s: Signature) -> frozenset[str]:
    return (s.labels | s.scrolled | s.rows) - {s.title}


def _selection(a: Signature, b: Signature) -> Iterator[Reason]:
    # A tab that is chosen can be read, and no longer tapped.
    here, there = ((x.labels | x.scrolled | x.said) - x.offers for x in (a, b))
    if (now := here & b.offers) and (then := there & a.offers):
        yield Reason("selected", -10.0, f"only read here, tapped there: {names(now)}; and {names(then)}")
    common = a.entries & b.entries
    if len(common) < 2 or not a.selected or not b.selected:
        return
    differ = (a.selected ^ b.selected) & common
    if differ:
        chosen = f"{names(a.selected & common)} and {names(b.selected & common)}"
        yield Reason("selected", -14.0, f"selected tab differs: {chosen}")
    elif a.selected & b.selected:
        yield Reason("selected", 1.0, f"same selected tab {names(a.selected & b.selected)}")


def _alikeness(a: Signature, b: Signature, known: Knowledge) -> float:
    """Return how far two looks share the static names that few other pages of the app have, 0 to 1."""
    mine, other = (a.labels | a.scrolled) - {a.title}, (b.labels | b.scrolled) - {b.title}
    shared = known.rare((mine & other) | (a.said & b.said))
    return min(1.0, shared / 2.5) * known.overlap(mine, other)


def _title(a: Signature, b: Signature, known: Knowledge, alike: float, leaning: Leaning) -> Iterator[Reason]:
    if not a.title or not b.title:
        if (a.title and a.titled) or (b.title and b.titled):
            yield Reason("title", -1.5, f"only one is titled: {a.title or b.title!r}")
        return
    sure = 1.0 if a.titled and b.titled else 0.5
    if a.title == b.title:
        yield Reason("title", sure * (0.5 + 1.8 * known.weight("t:" + a.title)), f"same title {a.title!r}")
        return
    said = f"titles {a.title!r} and {b.title!r}"
    around = [t for t in (a.title, b.title) if t in known.entries and not leaning.by_address]
    if len(around) == 2:
        yield Reason("title", -8.0 * sure, said + " are both ways around the app")
    elif around:
        yield Reason("title", -6.0 * sure, said + ", one of them a way around the app")
    elif leaning.one_kind:
        yield Reason("title", 0.0, said + ": the title of this page varies")
    elif a.up and b.up and alike > 0.5:
        yield Reason("title", -4.5 * (1.0 - alike), said + " over the same controls: items of one kind")
    elif _overlap_of_words(a.title, b.title) >= 0.75:
        yield Reason("title", -0.5, said + " say almost the same")
    elif not a.up and not b.up:
        yield Reason("title", -7.0 * sure, said + " of pages that nothing leads up from")
    else:
        yield Reason("title", -5.0 * sure, said)


def _called(a: Signature, b: Signature, known: Knowledge) -> Iterator[Reason]:
    # What is fixed on one look may lie in what scrolls on another.
    mine, other = a.labels - b.scrolled - {a.title}, b.labels - a.scrolled - {b.title}
    part = part_only(a, b)
    if (mine and other) or (not part and (mine or other)):
        share = share_of(mine, other, known, part=part)
        mass = known.mass(mine | other)
        weight = 2.0 * (share - 0.45) * min(3.0, 0.5 + mass / 2.0)
        if weight > 0:  # OK and Cancel alone join nothing.
            weight *= min(1.0, known.mass(mine & other) / _JOINS)
        yield Reason("controls", weight, _difference(mine, other))
    mine, other = a.scrolled - {a.title}, b.scrolled - {b.title}
    whole = a.fits and b.fits and not part
    if (mine and other) or (whole and (mine or other)):
        share = share_of(mine, other, known, part=not whole)
        mass = known.mass(mine | other) if whole else min(known.mass(mine), known.mass(other))
        yield Reason("further", 3.5 * (share - 0.4) * min(2.0, mass / 1.5), _difference(mine, other))
    mine, other = a.said - {a.title}, b.said - {b.title}
    if mine and other:
        share = known.overlap(mine, other)
        mass = min(known.mass(mine), known.mass(other))
        yield Reason("texts", 2.0 * (share - 0.35) * min(1.5, mass / 1.5), _difference(mine, other))


def _little(a: Signature, b: Signature, known: Knowledge) -> Iterator[Reason]:
    """Two looks of an app are mostly two pages: with little to go by, nothing joins them."""
    names = (a.labels | a.scrolled | a.said) & (b.labels | b.scrolled | b.said) - {a.title}
    parts = (t for t in (a.frame & b.frame) | (a.body & b.body) if "^" not in t)
    told = known.mass(names | frozenset(parts)) + known.mass(frozenset({a.title} & {b.title} - {""}))
    enough = _PART if part_only(a, b) else _ENOUGH
    if told < enough:
        yield Reason("little", -_MOSTLY * (1.0 - told / enough), "little that both have, and others have not")


def _rows(a: Signature, b: Signature, known: Knowledge) -> Iterator[Reason]:
    if not a.rows or not b.rows:
        return
    least = min(len(a.rows), len(b.rows))
    share = len(a.rows & b.rows) / least
    if share > 0:
        weight = 0.8 if a.title != b.title else 2.0  # Choosers under several titles offer the same.
        # What every page shows, such as a bar at the bottom or what plays now, joins nothing.
        told = min(1.0, known.rare({"w:" + r for r in a.rows & b.rows}) / _SEVERAL)
        yield Reason("rows", weight * share * told, f"rows in common: {names(a.rows & b.rows)}")
    elif a.title and a.title == b.title:
        if a.fits and b.fits and (a.switches or b.switches):
            yield Reason(
                "rows", -5.0, f"nothing to scroll, yet no setting in common: {names(a.rows | b.rows)}"
            )
    elif least < 3:
        return
    elif a.switches or b.switches:
        yield Reason("rows", -3.0, f"no setting in common: {names(a.rows)}; {names(b.rows)}")
    else:
        # Where nothing else is called anything, the rows are all there is to go by.
        told = min(
            1.0, known.mass((a.labels & b.labels) | (a.scrolled & b.scrolled) | (a.said & b.said)) / 2.0
        )
        yield Reason("rows", -2.0 + 1.5 * told, "no row in common")


def _overlap_of_words(a: str, b: str) -> float:
    mine, other = words(a), words(b)
    return len(mine & other) / len(mine | other) if mine and other else 0.0


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 1.0


def _difference(mine: frozenset[str], other: frozenset[str]) -> str:
    if mine == other:
        return f"same: {names(mine)}"
    return f"in common {names(mine & other)}; only one has {names(mine ^ other)}"
