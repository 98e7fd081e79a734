"""What an app's addresses mean: looks in, which part of an address names a page, an item or a view out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urljoin, urlsplit

from waypost.mapping.layers import LayerKind
from waypost.mapping.words import route_key

if TYPE_CHECKING:
    from waypost.mapping.signature import Signature

__all__ = ["Addresses", "Kinship", "base", "lies_over", "linked", "views"]

VALUES = 3
"""Values of one segment from which it may be taken for a parameter."""
_KEPT = 6
"""Looks that are compared of one address."""
_LISTED = 0.8
_ROUTED = 6
"""Addresses from which an app is held to give each page its own."""
_AGREE = 0.5
"""Share of names and of parts that pages of one parameter have in common."""
_MANY, _TWINS = 9, 0.8
"""Addresses of one pattern that rows lead to, and the share that two of their pages have in common."""
_WORD = re.compile(r"[A-Za-z][A-Za-z_-]{1,24}")
_ARRANGES = frozenset(
    {
        "sort",
        "sortby",
        "sort_by",
        "order",
        "orderby",
        "order_by",
        "dir",
        "direction",
        "q",
        "query",
        "search",
        "s",
    }
    | {"filter", "lang", "locale", "theme", "ref"}
)
"""Query keys that arrange or search what a page shows."""


@dataclass(frozen=True, slots=True)
class _Look:
    names: frozenset[str]
    parts: frozenset[str]
    view: frozenset[tuple[str, str]]


class Kinship(StrEnum):
    """What two addresses are to each other."""

    SAME = "same"
    ITEM = "item"
    """They differ in a segment that names an item."""
    VIEW = "view"
    """They ask one page for another view."""
    OTHER = "other"


@lru_cache(maxsize=4096)
def views(activity: str) -> frozenset[tuple[str, str]]:
    """Return what the query of an address asks for in words: views rather than content.

    >>> sorted(views("/account/7?r=changes&time=2024&sort=date"))
    [('r', 'changes')]
    """
    query = activity.partition("#")[0].partition("?")[2]
    return frozenset(
        (k, v) for k, v in parse_qsl(query) if _WORD.fullmatch(v) and k.casefold() not in _ARRANGES
    )


@lru_cache(maxsize=8192)
def base(activity: str) -> str:
    """Return the pattern of an address without its query.

    >>> base("/ledger/journal/?time=2024#context-8f31ab90")
    '/ledger/journal#{}'
    """
    path, _, fragment = activity.partition("#")
    return route_key(path.partition("?")[0] + (f"#{fragment}" if fragment else ""))


@lru_cache(maxsize=8192)
def linked(href: str, activity: str, app: str) -> str:
    """Return where a link leads inside of the app, as `base` and words of the query; else nothing.

    >>> linked("../journal/?r=changes", "/ledger/income/", "http://localhost:1")
    '/ledger/journal?r=changes'
    """
    full = urlsplit(urljoin(f"{app}{activity}", href))
    if f"{full.scheme}://{full.netloc}" != app:
        return ""
    place = full.path + (f"?{full.query}" if full.query else "")
    asked = "&".join(f"{k}={v}" for k, v in sorted(views(place)))
    fragment = f"#{full.fragment}" if full.fragment else ""
    return base(full.path + fragment) + (f"?{asked}" if asked else "")


def lies_over(route: str) -> str:
    """Return the route of the page that a layer's route lies over: a fragment that is no path opens a layer.

    >>> lies_over("/ledger/journal#add"), lies_over("/#/users")
    ('/ledger/journal', '/#/users')
    """
    path, _, fragment = route.partition("#")
    return route if fragment.startswith(("/", "!")) else path


class Addresses:
    """Counts over the looks of one app; grown look by look, the same whatever the order."""

    def __init__(self) -> None:
        self.items: set[str] = set()
        """Patterns with one open segment that were found to name items."""
        self.turned: set[str] = set()
        """Those that were found since somebody last cleared this."""
        self._views: set[str] = set()
        self._ways: set[str] = set()
        self._rows: set[str] = set()
        self._links: dict[str, set[str]] = {}
        self._looks: dict[str, dict[str, list[_Look]]] = {}

    def learn(self, s: "Signature") -> None:
        """Take in one look."""
        if not s.path:
            return
        self._ways.update(map(_place, s.ways))
        self._rows.update(map(_place, s.row_links))
        self._links.setdefault(s.route, set()).update(map(_place, s.links | s.row_links | s.ways))
        for link in s.links:
            place, _, asked = link.partition("?")
            if place == s.route:
                said = frozenset(tuple(pair.split("=", 1)) for pair in asked.split("&") if pair)
                self._views.update(str(k) for k, _ in said ^ s.view)
        if s.layer is not LayerKind.PAGE:
            return
        look = _Look((s.labels | s.scrolled) - {s.title}, s.frame | s.body, s.view)
        for pattern in _patterns(s.route):
            kept = self._looks.setdefault(pattern, {}).setdefault(s.route, [])
            if look in kept or len(kept) >= _KEPT:
                continue
            kept.append(look)
            if pattern not in self.items and self._names_items(pattern):
                self.items.add(pattern)
                self.turned.add(pattern)

    def review(self) -> None:
        """Look once more for patterns that name items, now that all looks are known."""
        for pattern in sorted(self._looks.keys() - self.items):
            if self._names_items(pattern):
                self.items.add(pattern)
                self.turned.add(pattern)

    @property
    def routed(self) -> bool:
        """Whether the app's pages have addresses of their own."""
        return len(self._links) >= _ROUTED

    def compare(self, a: "Signature", b: "Signature") -> Kinship:
        """Tell what the addresses of two looks are to each other."""
        kin = self.kinship(a.route, b.route)
        if kin is Kinship.OTHER:
            return kin
        return kin if self._view(a.view) == self._view(b.view) else Kinship.VIEW

    def kinship(self, a: str, b: str) -> Kinship:
        """Tell what two routes are to each other."""
        if a == b:
            return Kinship.SAME
        return Kinship.ITEM if self.patterns(a) & self.patterns(b) else Kinship.OTHER

    def patterns(self, route: str) -> set[str]:
        """Return the patterns of items that a route, or the one that it lies over, fits."""
        over = lies_over(route)
        return {p + route.removeprefix(over) for p in _patterns(over) if p in self.items}

    def _names_items(self, pattern: str) -> bool:
        """Whether rows lead to pages of that pattern, these are built alike, and do not list one another."""
        found = self._looks[pattern]
        # What names an item in one address by its form names one in those beside it.
        formed = pattern.replace("{*}", "{}") in found
        least = 2 if formed else VALUES
        if len(found) < least:
            return False
        routes = sorted(found)
        if any(r in self._ways for r in routes):
            return False
        if not formed and sum(r in self._rows for r in routes) < VALUES:
            return False
        pairs = [(a, b) for i, a in enumerate(routes) for b in routes[i + 1 :]]
        mutual = sum(self._list_one_another(pattern, a, b) for a, b in pairs)
        if 2 * mutual >= len(pairs):
            return False
        alike = sorted(a for pair in pairs if (a := self._alike(found[pair[0]], found[pair[1]])) is not None)
        if len(alike) < (1 if formed else VALUES):
            return False
        # Where rows lead to many, two that are the same but for what they hold will do.
        many = sum(pattern in _patterns(r) for r in self._rows) >= _MANY
        return alike[len(alike) // 2] >= _AGREE or (many and alike[-1] >= _TWINS)

    def _list_one_another(self, pattern: str, a: str, b: str) -> bool:
        """Whether both pages carry one list of links that holds them both, as the pages of a manual do."""
        mine, other = ({x for x in self._links[r] if pattern in _patterns(x)} | {r} for r in (a, b))
        return b in mine and a in other and _share(mine, other) >= _LISTED

    def _alike(self, mine: list["_Look"], other: list["_Look"]) -> float | None:
        """Return how far the most alike looks of one view agree; None where no view was seen of both."""
        pairs = [(a, b) for a in mine for b in other if self._view(a.view) == self._view(b.view)]
        shares = [min(_share(a.names, b.names), _share(a.parts, b.parts)) for a, b in pairs]
        return max(shares, default=None)

    def _view(self, view: frozenset[tuple[str, str]]) -> frozenset[tuple[str, str]]:
        return frozenset(p for p in view if p[0] in self._views)


@lru_cache(maxsize=4096)
def _patterns(route: str) -> tuple[str, ...]:
    """Return a route with one segment open at a time, from the second one on.

    >>> _patterns("/ledger/account/Income#add")
    ('/ledger/{*}/Income#add', '/ledger/account/{*}#add')
    """
    path, mark, fragment = route.partition("#")
    parts = path.split("/")
    return tuple(
        "/".join([*parts[:i], "{*}", *parts[i + 1 :]]) + mark + fragment for i in range(2, len(parts))
    )


def _place(link: str) -> str:
    return link.partition("?")[0]


def _share(a: Iterable[str], b: Iterable[str]) -> float:
    mine, other = set(a), set(b)
    return len(mine & other) / len(mine | other) if mine or other else 1.0
