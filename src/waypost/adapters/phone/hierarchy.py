"""A Screen in, the XML that `uiautomator dump` writes out: well-formed whatever the texts hold."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from waypost.adapters.extras import CLASS, ROLE, TARGET, chrome_role, joined
from waypost.adapters.roles import role_of
from waypost.model import Bounds, Element, Role, Screen

__all__ = ["EMPTY", "Node", "hierarchy", "nodes"]

_CLASSES = {
    Role.BUTTON: "android.widget.Button",
    Role.LINK: "android.view.View",
    Role.TEXT: "android.widget.TextView",
    Role.HEADING: "android.widget.TextView",
    Role.IMAGE: "android.widget.ImageView",
    Role.FIELD: "android.widget.EditText",
    Role.CHECKBOX: "android.widget.CheckBox",
    Role.SWITCH: "android.widget.Switch",
    Role.RADIO: "android.widget.RadioButton",
    Role.SLIDER: "android.widget.SeekBar",
    Role.PICKER: "android.widget.Spinner",
    Role.TAB: "android.app.ActionBar$Tab",
    Role.TABLIST: "android.widget.TabWidget",
    Role.LIST: "android.widget.ListView",
    Role.ITEM: "android.view.ViewGroup",
    Role.MENU: "android.widget.MenuDropDownListView",
    Role.MENUITEM: "android.view.MenuItem",
    Role.DIALOG: "android.app.Dialog",
    Role.NAVIGATION: "android.widget.NavigationView",
    Role.TOOLBAR: "android.widget.Toolbar",
    Role.PROGRESS: "android.widget.ProgressBar",
    Role.WEB: "android.webkit.WebView",
    Role.GROUP: "android.view.ViewGroup",
}
"""What stands for a role where the device's own dialect is not Android's."""
_ANDROID = re.compile(r"[A-Za-z_][\w]*(\.[A-Za-z_][\w$]*)+")
_INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\n": "&#10;",
    "\r": "&#13;",
    "\t": "&#9;",
}
_SPECIAL = re.compile('[&<>"\n\r\t]')
EMPTY = "ERROR: null root node returned by UiTestAutomationBridge."
"""What the dump says where there is no tree."""


@dataclass(frozen=True, slots=True)
class Node:
    """An element as the dump shows it: with its place among its brothers, and how deep it lies."""

    element: Element
    index: int
    package: str
    class_name: str
    children: tuple["Node", ...] = ()

    @property
    def bounds(self) -> Bounds:
        return self.element.bounds

    @property
    def focusable(self) -> bool:
        e = self.element
        return e.clickable or e.focused or e.role is Role.FIELD


def nodes(screen: Screen, package: str, *, compressed: bool = False, depth: int = 0) -> tuple[Node, ...]:
    """Return what can be seen; without mere layouts where `compressed`, no deeper than `depth` unless 0."""
    return _numbered(_nodes(screen.root, _Wanted(package, compressed, depth or _DEEPEST), 1))


def hierarchy(screen: Screen, package: str, *, compressed: bool = False, depth: int = 0) -> str:
    """Write a screen as `uiautomator dump` does.

    >>> print(hierarchy(Screen(Element(text='<a> & "b"', bounds=Bounds(0, 0, 9, 9))), "p")[56:])
    <hierarchy rotation="0"><node index="0" text="&lt;a&gt; &amp; &quot;b&quot;" resource-id="" \
class="android.view.ViewGroup" package="p" content-desc="" checkable="false" checked="false" \
clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" \
long-clickable="false" password="false" selected="false" visible-to-user="true" \
bounds="[0,0][9,9]" /></hierarchy>
    """
    out = ["<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"]
    out.append(f'<hierarchy rotation="{screen.rotation}">')
    wanted = _Wanted(package, compressed, depth or _DEEPEST, pages=not compressed)
    for node in _numbered(_nodes(screen.root, wanted, 1)):
        _write(node, out)
    out.append("</hierarchy>")
    return "".join(out)


_DEEPEST = 250
"""Levels that are written at most, so that every reader can follow."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be written of a screen."""

    package: str
    compressed: bool
    depth: int
    pages: bool = False
    """Whether web pages come with what was scrolled out of them, as WebView tells it: without a place."""


def _nodes(element: Element, wanted: _Wanted, level: int, *, page: bool = False) -> list[Node]:
    """Return an element's node, or those of its children where it is left out; deep trees are cut."""
    page = page or (wanted.pages and element.role is Role.WEB)
    inner = (
        [n for c in element.children for n in _nodes(c, wanted, level + 1, page=page)]
        if level < min(wanted.depth, _DEEPEST)
        else []
    )
    seen = element.visible and element.bounds.area > 0
    if not seen and not inner and not page:
        return []
    if wanted.compressed and inner and not _counts(element):
        return inner
    return [Node(element, 0, wanted.package, _class(element), tuple(inner))]


def _numbered(made: list[Node]) -> tuple[Node, ...]:
    return tuple(
        Node(n.element, i, n.package, n.class_name, _numbered(list(n.children))) for i, n in enumerate(made)
    )


def _counts(e: Element) -> bool:
    said = e.text or e.description or e.hint or e.resource_id
    used = e.clickable or e.long_clickable or e.scrollable or e.checkable or e.focused
    return bool(said or used) or e.role is not Role.GROUP


def _class(element: Element) -> str:
    own = element.class_name
    return own if _ANDROID.fullmatch(own) else _CLASSES[element.role]


def _write(node: Node, out: list[str]) -> None:
    e, b = node.element, node.bounds
    flags = (
        ("checkable", e.checkable),
        ("checked", e.checked),
        ("clickable", e.clickable),
        ("enabled", e.enabled),
        ("focusable", node.focusable),
        ("focused", e.focused),
        ("scrollable", e.scrollable),
        ("long-clickable", e.long_clickable),
        ("password", e.password),
        ("selected", e.selected),
        ("visible-to-user", e.visible and b.area > 0),
    )
    out.append(
        f'<node index="{node.index}" text="{_plain(e.text)}" resource-id="{_plain(e.resource_id)}" '
        f'class="{_plain(node.class_name)}" package="{_plain(node.package)}" '
        f'content-desc="{_plain(e.description)}" '
        + "".join(f'{name}="{"true" if on else "false"}" ' for name, on in flags)
        + "".join(f'{name}="{_plain(said)}" ' for name, said in _more(node))
        + f'bounds="[{b.left},{b.top}][{b.right},{b.bottom}]"'
    )
    if not node.children:
        out.append(" />")
        return
    out.append(">")
    for child in node.children:
        _write(child, out)
    out.append("</node>")


def _more(node: Node) -> Iterator[tuple[str, str]]:
    """Yield what newer dumps and Appium's page source tell beside, where there is anything to tell."""
    e, role = node.element, role_of(node.class_name)
    if e.hint:
        yield "hint", e.hint
        yield "showing-hint", "false"  # The text is what was typed, were it the hint's own words.
    if e.role is Role.HEADING and role is Role.TEXT:
        yield "heading", "true"
        role = Role.HEADING
    extras = {ROLE: chrome_role(e.role)} if e.role is not role else {}
    if e.href:
        extras[TARGET] = e.href
    if e.class_name and node.class_name != e.class_name:
        extras[CLASS] = e.class_name
    if extras:
        yield "extras", joined(extras)


def _plain(text: str) -> str:
    """Make a text fit for an attribute; what XML cannot hold becomes a full stop, as on Android.

    >>> _plain(chr(0) + "b<c>")
    '.b&lt;c&gt;'
    """
    return _SPECIAL.sub(lambda m: _ESCAPES[m[0]], _INVALID.sub(".", text))
