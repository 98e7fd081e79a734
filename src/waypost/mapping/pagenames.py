"""What to call a page: its first look in, a short name for people out, from what can be seen."""

import re

from waypost.mapping.layers import LayerKind, active_layer
from waypost.mapping.signature import Signature
from waypost.mapping.titles import heading, page_title
from waypost.mapping.words import LONG
from waypost.model import PageKind, Screen

__all__ = ["page_name", "unique"]


def page_name(screen: Screen, s: Signature, kind: PageKind, overlay: str) -> str:
    """Name a page by its title, else its chosen tab, its first caption, its address."""
    if kind is PageKind.EXTERNAL:
        return f"outside: {screen.app or 'another app'}"
    if kind is PageKind.OVERLAY:
        return f"{overlay or 'overlay'} prompt"
    layer = active_layer(screen)
    base = heading(layer.root) if layer.modal else page_title(layer.root, screen)[0]
    base = (
        base or next(iter(sorted(s.selected)), "") or _first_label(screen) or screen.title or _place(screen)
    )
    base = re.sub(r"\s+", " ", base).strip()[:LONG] or "page"
    return base if layer.kind is LayerKind.PAGE else f"{base} ({layer.kind.value})"


def unique(name: str, taken: set[str]) -> str:
    """Return the name, numbered where it is taken.

    >>> unique("Inbox", {"Inbox", "Inbox 2"})
    'Inbox 3'
    """
    if name not in taken:
        return name
    number = 2
    while f"{name} {number}" in taken:
        number += 1
    return f"{name} {number}"


def _first_label(screen: Screen) -> str:
    root = active_layer(screen).root
    return next(
        (e.label for e in root.walk() if e.visible and e.bounds.area and 0 < len(e.label) <= LONG), ""
    )


def _place(screen: Screen) -> str:
    return screen.activity.rsplit(".", 1)[-1]
