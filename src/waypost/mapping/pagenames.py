"""What to call a page: its first look in, a short name for people out, from what can be seen."""

import re

from waypost.mapping.layers import LayerKind, active_layer
from waypost.mapping.places import Way
from waypost.mapping.signature import Signature
from waypost.mapping.titles import heading, page_title, title_control
from waypost.mapping.vocabulary import universal
from waypost.mapping.words import LONG, plain
from waypost.model import Element, PageKind, Role, Screen
from waypost.model.wording import unhidden

__all__ = ["first_name", "page_name", "told_by", "unique"]

_FRAMES = frozenset({
    "alert", "ant", "app", "body", "bottom", "box", "chakra", "container", "content", "dialog", "dialogs",
    "frame", "headlessui", "holder", "inner", "js", "layer", "layout", "main", "modal", "modals", "mui",
    "outer", "overlay", "panel", "popover", "popup", "portal", "radix", "react", "root", "sheet", "view",
    "window", "wrapper",
})  # fmt: skip
"""Words of ids that name the frame of a layer, whatever it is for."""
_MOST = 6
"""Words of an id that may be a name."""


def page_name(screen: Screen, s: Signature, kind: PageKind, overlay: str, *, led: str = "") -> str:
    """Name a page by its title, else its chosen tab, its first caption, its address.

    A layer without a title is named by the control that `led` to it.
    """
    if kind is PageKind.EXTERNAL:
        return f"outside: {screen.app or 'another app'}"
    if kind is PageKind.OVERLAY:
        return f"{overlay or 'overlay'} prompt"
    layer = active_layer(screen)
    base = heading(layer.root) or led if layer.modal else _title(layer.root, screen)
    base = (
        base or next(iter(sorted(s.selected)), "") or _first_label(screen) or screen.title or _place(screen)
    )
    base = re.sub(r"\s+", " ", unhidden(base)).strip()[:LONG] or "page"
    if layer.kind is LayerKind.PAGE:
        return base
    return f"{base} ({told_by(s.holder, base) or layer.kind.value})"


def first_name(
    screen: Screen,
    s: Signature,
    side: tuple[PageKind, str],
    way: Way | None,
    taken: set[str],
    *,
    level: bool = False,
) -> str:
    """Name a page that was just founded; one more level of a page has the name of the row that led to it."""
    target = getattr(way.action, "target", None) if way else None
    label = "" if target is None or not plain(target.label) else target.label
    led = label if target is not None and not target.template else ""
    name = (level and label) or page_name(screen, s, *side, led=led)
    return unique(name, taken, s.selected)


def told_by(holder: str, title: str) -> str:
    """Return what the id of a layer says of it that its title does not; empty where it says nothing.

    >>> told_by("account_menu_modal", "Savings"), told_by("new_note_dialog", "New note")
    ('account menu', '')
    """
    words = [w for w in holder.split("_") if w.isalpha() and w.islower() and w not in _FRAMES]
    said = title.casefold()
    return " ".join(words) if any(w not in said for w in words) and len(words) <= _MOST else ""


def unique(name: str, taken: set[str], selected: frozenset[str] = frozenset()) -> str:
    """Return the name; where it is taken, with the chosen tabs, else numbered.

    >>> unique("Inbox", {"Inbox", "Inbox 2"})
    'Inbox 3'
    >>> unique("Inbox", {"Inbox"}, frozenset({"social"}))
    'Inbox: social'
    """
    if name not in taken:
        return name
    more = sorted(selected - {plain(name)})
    chosen = f"{name}: {', '.join(more)}"
    if more and len(chosen) <= LONG and chosen not in taken:
        return chosen
    number = 2
    while f"{name} {number}" in taken:
        number += 1
    return f"{name} {number}"


def _title(root: Element, screen: Screen) -> str:
    title, sure = page_title(root, screen)
    return title if sure else title_control(root) or title


def _first_label(screen: Screen) -> str:
    """Return the first text to read, else what the first control of its own is called."""
    layer = active_layer(screen).root
    shown = [e for e in layer.walk() if e is not layer and e.visible and e.bounds.area]
    told = [e for e in shown if 0 < len(e.label) <= LONG and plain(e.label) not in universal() | {""}]
    read = [e.label for e in told if e.role in (Role.TEXT, Role.HEADING)]
    return next(iter(read or [e.label for e in told]), "")


def _place(screen: Screen) -> str:
    return screen.activity.rsplit(".", 1)[-1]
