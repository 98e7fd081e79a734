"""Turn what the page walk reports into a Screen: JSON rows in, Elements out."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from waypost.model import Bounds, Element, Role, Screen, TreeQuality

__all__ = ["Page", "address", "graft", "parse", "screen"]

ROLES: dict[str, Role] = {
    "button": Role.BUTTON,
    "link": Role.LINK,
    "text": Role.TEXT,
    "heading": Role.HEADING,
    "img": Role.IMAGE,
    "image": Role.IMAGE,
    "textbox": Role.FIELD,
    "searchbox": Role.FIELD,
    "spinbutton": Role.FIELD,
    "checkbox": Role.CHECKBOX,
    "menuitemcheckbox": Role.CHECKBOX,
    "switch": Role.SWITCH,
    "radio": Role.RADIO,
    "menuitemradio": Role.RADIO,
    "slider": Role.SLIDER,
    "combobox": Role.PICKER,
    "tab": Role.TAB,
    "tablist": Role.TABLIST,
    "list": Role.LIST,
    "grid": Role.LIST,
    "treegrid": Role.LIST,
    "table": Role.LIST,
    "tree": Role.LIST,
    "feed": Role.LIST,
    "listitem": Role.ITEM,
    "row": Role.ITEM,
    "treeitem": Role.ITEM,
    "article": Role.ITEM,
    "listbox": Role.LIST,
    "option": Role.ITEM,
    "menu": Role.MENU,
    "menubar": Role.TOOLBAR,
    "menuitem": Role.MENUITEM,
    "dialog": Role.DIALOG,
    "alertdialog": Role.DIALOG,
    "popover": Role.MENU,
    "navigation": Role.NAVIGATION,
    "toolbar": Role.TOOLBAR,
    "banner": Role.TOOLBAR,
    "progressbar": Role.PROGRESS,
    "iframe": Role.WEB,
}
CLICK, LONG, SCROLL, CHECKABLE, CHECKED, SELECTED, FOCUSED, DISABLED, PASSWORD, HIDDEN = (1 << n for n in range(10))
NOTHING = Bounds(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Page:
    """One walk, read: the elements, and what the document says of itself."""

    elements: tuple[Element, ...]
    url: str
    title: str
    size: tuple[int, int]
    keyboard: bool
    scrollable: bool
    opaque: float
    """Share of the view taken by frames that could not be read, 0 to 1."""
    canvas: float
    """Share of the view that is drawn by script, 0 to 1."""
    foreign: tuple[tuple[Bounds, str], ...] = ()
    """Boxes and addresses of frames of another origin."""


def parse(text: str) -> Page:
    """Read the walk's JSON text."""
    row = json.loads(text)
    size = (int(row["size"][0]), int(row["size"][1]))
    view = Bounds(0, 0, *size)
    foreign: list[tuple[Bounds, str]] = []
    elements = tuple(_element(r, view, foreign) for r in row["tree"])
    return Page(
        elements=elements,
        url=row["url"],
        title=row["title"],
        size=size,
        keyboard=bool(row["keyboard"]),
        scrollable=bool(row["scroll"]),
        opaque=float(row["opaque"]),
        canvas=float(row["canvas"]),
        foreign=tuple(foreign),
    )


def _element(row: dict[str, Any], view: Bounds, foreign: list[tuple[Bounds, str]]) -> Element:
    flags = row.get("f", 0)
    role = row["r"]
    tag = row["g"]
    bounds = Bounds(*row["b"]).clip(view)
    visible = not flags & HIDDEN and bounds.area > 0
    if "x" in row:
        foreign.append((bounds, row["x"]))
    kind = ROLES.get(role, Role.GROUP)
    text = row.get("t", "")
    if role == "combobox" and tag.startswith("input"):
        kind = Role.FIELD
    if kind is Role.GROUP and flags & CLICK and not role:
        kind = Role.BUTTON if (text or row.get("d")) and "c" not in row else Role.GROUP
    elif kind is Role.GROUP and text and "c" not in row:
        kind = Role.TEXT
    return Element(
        role=kind,
        class_name=tag,
        text=text,
        description=row.get("d", ""),
        hint=row.get("h", ""),
        resource_id=row.get("i", ""),
        bounds=bounds if visible else NOTHING,
        clickable=bool(flags & CLICK),
        long_clickable=bool(flags & LONG),
        scrollable=bool(flags & SCROLL),
        checkable=bool(flags & CHECKABLE),
        checked=bool(flags & CHECKED),
        selected=bool(flags & SELECTED),
        focused=bool(flags & FOCUSED),
        enabled=not flags & DISABLED,
        password=bool(flags & PASSWORD),
        visible=visible,
        href=row.get("u", ""),
        children=tuple(_element(c, view, foreign) for c in row.get("c", ())),
    )


def graft(elements: tuple[Element, ...], at: Bounds, inner: tuple[Element, ...]) -> tuple[Element, ...]:
    """Put what a foreign frame holds into the empty frame that lies at `at`."""
    return tuple(_grafted(e, at, inner) for e in elements)


def _grafted(element: Element, at: Bounds, inner: tuple[Element, ...]) -> Element:
    from dataclasses import replace

    if element.role is Role.WEB and element.bounds == at and not element.children:
        return replace(element, children=inner)
    if not element.children:
        return element
    return replace(element, children=graft(element.children, at, inner))


def address(url: str) -> tuple[str, str]:
    """Split an address into the app (origin) and the place in it (path, query, fragment).

    >>> address("http://127.0.0.1:5006/accounts/1?q=a#top")
    ('http://127.0.0.1:5006', '/accounts/1?q=a#top')
    >>> address("about:blank")
    ('about:blank', '')
    """
    parts = urlsplit(url)
    if not parts.netloc:
        return url, ""
    place = parts.path + (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    return f"{parts.scheme}://{parts.netloc}", place


def screen(page: Page) -> Screen:
    """Make the Screen of one page."""
    app, activity = address(page.url)
    quality = TreeQuality.FULL
    labelled = sum(1 for e in _visible(page.elements) if e.label)
    if page.opaque > 0.25 or (page.canvas > 0.5 and labelled < 4):
        quality = TreeQuality.PARTIAL
    root = Element(
        role=Role.WEB,
        class_name="html",
        bounds=Bounds(0, 0, *page.size),
        scrollable=page.scrollable,
        children=page.elements,
    )
    return Screen(
        root=root,
        app=app,
        activity=activity,
        title=page.title,
        size=page.size,
        keyboard=page.keyboard,
        quality=quality,
    )


def _visible(elements: tuple[Element, ...]) -> list[Element]:
    return [e for top in elements for e in top.walk() if e.visible]
