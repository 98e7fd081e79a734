"""Looks in the neutral form in: nested `{class, text, desc, id, bounds, flags, children}`; nodes out.

The form is what anybody can write down of a screen, so names and shapes are taken as they come.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from waypost.adapters.address import address
from waypost.adapters.roles import role_of, web_role_of
from waypost.adapters.trees.node import Box, Dialect, Node, Reading
from waypost.adapters.trees.place import box_of, numbered
from waypost.adapters.trees.views import MOST, said
from waypost.model import Role

__all__ = ["is_neutral", "read_neutral"]

_TREES = ("root", "tree", "hierarchy", "layout", "ui", "nodes", "elements")
_CLASS = ("tag", "class", "className", "class_name", "type")
_TEXT = ("text", "value")
_DESC = (
    *("desc", "description", "content_desc", "content-desc", "contentDescription", "content_description"),
    *("aria-label", "label"),
)
_ID = ("id", "resource_id", "resource-id", "resourceId")
_HINT = ("hint", "hintText", "placeholder")
_BOUNDS = ("bounds", "rect", "box", "frame")
_FLAGS = ("flags", "states", "state")
_CORNERS = (("left", "top", "right", "bottom"), ("l", "t", "r", "b"), ("x1", "y1", "x2", "y2"))
_ROLES = {role.value: role for role in Role}
_STRIP = 40
"""Most pixels of a node's height where no node says where it lies."""


def is_neutral(data: Mapping[str, Any]) -> bool:
    """Whether an object is a look in the neutral form, be it one without a tree.

    >>> is_neutral({"class": "a"}), is_neutral({"url": "/"}), is_neutral({"name": "x"})
    (True, True, False)
    """
    return _tree(data) is not None or any(k in data for k in ("activity", "url", "screenshot"))


def _tree(look: Mapping[str, Any]) -> Any:
    """Return a look's tree: under a key of its own, or the look itself; None where it has none."""
    found = next((look[k] for k in _TREES if isinstance(look.get(k), (Mapping, list)) and look[k]), None)
    if found is not None:
        return found
    return look if any(k in look for k in ("children", *_CLASS)) else None


def read_neutral(look: Mapping[str, Any]) -> Reading:
    """Read a look: package and activity, or address, beside a tree. A field that is missing says nothing.

    Flags may be a list of names, a mapping to booleans, or booleans beside the text; where some node of the
    look lists `enabled` or `visible`, a list without it means that the node is not.
    """
    app, activity = _place(look)
    web = "://" in app or activity.startswith(("/", "#", "?"))
    reading = Reading(Dialect.NEUTRAL, size=_size(look), app=app or None, activity=activity)
    top = _tree(look)
    rows = [r for r in (top if isinstance(top, list) else [top]) if isinstance(r, Mapping)]
    listed: list[tuple[Node, frozenset[str]]] = []
    order: list[Node] = []
    stack = [(row, reading.roots) for row in reversed(rows)]
    while stack:
        row, beside = stack.pop()
        if len(order) >= MOST:
            reading.partial = True
            break
        node = _node(row, web, listed)
        beside.append(node)
        order.append(node)
        held = [c for c in _children(row) if isinstance(c, Mapping)]
        stack.extend((child, node.children) for child in reversed(held))
    _unlisted(listed)
    _lie(order, reading)
    if len(reading.roots) == 1 and not web:
        # Whose window it is counts, not who started the activity.
        reading.app = reading.roots[0].package or reading.app
    return reading


def _place(look: Mapping[str, Any]) -> tuple[str, str]:
    """Return the app and the place in it: package and activity in full, or origin and path."""
    package, activity = said(look.get("package") or look.get("app")), said(look.get("activity"))
    for url in (said(look.get("url")), activity, package):
        if "://" in url or url.startswith("about:"):
            return address(url)
    if (url := said(look.get("url"))) and not activity:
        return package, url
    owner, slash, rest = activity.partition("/")
    if slash:
        package, activity = package or owner, rest
    if activity.startswith("."):
        return package, f"{owner if slash else package}{activity}"
    return package, activity if "." in activity or not package or not activity else f"{package}.{activity}"


def _size(look: Mapping[str, Any]) -> tuple[int, int] | None:
    for key in ("size", "screen", "viewport", "device"):
        row = look.get(key)
        if isinstance(row, Mapping):
            row = [row.get("width"), row.get("height")]
        if isinstance(row, Sequence) and not isinstance(row, str) and len(row) == 2:
            box = numbered([0, 0, *row])
            if box and box[2] > 0 and box[3] > 0:
                return box[2], box[3]
    box = numbered([0, 0, look.get("width"), look.get("height")])
    return (box[2], box[3]) if box and box[2] > 0 and box[3] > 0 else None


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((text for n in names if (text := said(row.get(n)))), "")


def _children(row: Mapping[str, Any]) -> Sequence[Any]:
    found = next((row[k] for k in ("children", "nodes", "child") if row.get(k)), ())
    return found if isinstance(found, list) else [found] if isinstance(found, Mapping) else ()


def _node(row: Mapping[str, Any], web: bool, listed: list[tuple[Node, frozenset[str]]]) -> Node:
    class_name = _first(row, _CLASS)
    kind = said(row.get("type"))
    if class_name == "input" and kind:
        class_name = f"input:{kind}"
    names, flags = _flags(row)
    secret = flags.get("password", False) or kind.casefold() == "password"
    role = _role(row, class_name, web)
    if flags.get("editable"):
        role = Role.FIELD
    elif flags.get("heading") and role in (Role.TEXT, Role.GROUP):
        role = Role.HEADING
    node = Node(
        role=role,
        class_name=class_name,
        text=_first(row, _TEXT),
        description=_first(row, _DESC),
        hint=_first(row, _HINT),
        resource_id=_first(row, _ID),
        package=said(row.get("package")),
        box=_box(next((row[k] for k in _BOUNDS if row.get(k) is not None), None)),
        clickable=flags.get("clickable", False),
        long_clickable=flags.get("longclickable", False),
        scrollable=flags.get("scrollable", False),
        checkable=flags.get("checkable", False),
        checked=flags.get("checked", False),
        selected=flags.get("selected", False),
        focused=flags.get("focused", False),
        enabled=flags.get("enabled", not flags.get("disabled", False)),
        password=secret,
        href=said(row.get("href")),
        shown=flags.get("visible", not flags.get("hidden", False)),
    )
    if web and not _children(row) and not said(row.get("role")):
        node.role = _leaf(role, node)
    if names is not None:
        listed.append((node, names))
    return node


_MEANT = {
    "click": "clickable",
    "longclick": "longclickable",
    "scroll": "scrollable",
    "visibletouser": "visible",
    "displayed": "visible",
    "shown": "visible",
    "invisible": "hidden",
    "offscreen": "hidden",
    "edit": "editable",
    "focus": "focused",
    "select": "selected",
    "check": "checked",
}
_KNOWN = frozenset(
    [
        "clickable",
        "longclickable",
        "scrollable",
        "checkable",
        "checked",
        "selected",
        "focused",
        "enabled",
        "disabled",
        "visible",
        "hidden",
        "password",
        "editable",
        "heading",
    ]
)


def _flag(name: str) -> str:
    """Return a flag by the name that is used here.

    >>> [_flag(n) for n in ("long-clickable", "isVisibleToUser", "is_password", "focusable")]
    ['longclickable', 'visible', 'password', 'focusable']
    """
    plain = re.sub(r"[^a-z]", "", name.lower())
    plain = plain.removeprefix("is") if plain.removeprefix("is") in _KNOWN | _MEANT.keys() else plain
    return _MEANT.get(plain, plain)


def _flags(row: Mapping[str, Any]) -> tuple[frozenset[str] | None, dict[str, bool]]:
    """Return the flags, and their names where they are a list, whose gaps may say something."""
    found = {_flag(str(k)): _true(v) for k, v in row.items() if isinstance(v, (bool, str, int))}
    found = {k: v for k, v in found.items() if k in _KNOWN}
    held = next((row[k] for k in _FLAGS if row.get(k) is not None), None)
    if isinstance(held, Mapping):
        found |= {_flag(str(k)): _true(v) for k, v in held.items()}
        return None, found
    if isinstance(held, str):
        held = re.split(r"[\s,|;]+", held)
    if not isinstance(held, list):
        return None, found
    names = frozenset(_flag(n) for n in held if isinstance(n, str))
    return names, found | dict.fromkeys(names, True)


def _true(value: Any) -> bool:
    return value.strip().lower() in ("true", "1", "yes") if isinstance(value, str) else bool(value)


def _unlisted(listed: list[tuple[Node, frozenset[str]]]) -> None:
    """Take it that a node is not enabled, or not visible, where others are listed so."""
    if any("enabled" in names for _, names in listed):
        for node, names in listed:
            node.enabled = "enabled" in names
    if any("visible" in names for _, names in listed):
        for node, names in listed:
            node.shown = "visible" in names


def _role(row: Mapping[str, Any], class_name: str, web: bool) -> Role:
    told = said(row.get("role")).lower()
    if told in _ROLES:
        return _ROLES[told]
    if (found := web_role_of(told)) is not Role.GROUP:
        return found
    if (web or "." not in class_name) and (found := web_role_of(class_name)) is not Role.GROUP:
        return found
    return role_of(class_name) if not web else Role.GROUP


def _leaf(role: Role, node: Node) -> Role:
    """Call a leaf of a page what the browser adapter calls it."""
    if role is not Role.GROUP:
        return role
    if node.clickable:
        return Role.BUTTON if node.text or node.description else role
    return Role.TEXT if node.text else role


def _box(given: Any) -> Box | None:
    """Read bounds in any of their shapes.

    >>> _box({"x": 1, "y": 2, "width": 3, "height": 4}), _box([1, 2, 4, 6]), _box("1, 2, 4, 6")
    ((1, 2, 4, 6), (1, 2, 4, 6), (1, 2, 4, 6))
    """
    if isinstance(given, Mapping):
        corners = next((c for c in _CORNERS if c[2] in given or c[3] in given), None)
        if corners:
            return numbered([given.get(c) or 0 for c in corners])
        box = numbered([given.get(k) or 0 for k in ("x", "y", "width", "height")])
        return (box[0], box[1], box[0] + box[2], box[1] + box[3]) if box else None
    if isinstance(given, str) and (four := re.findall(r"-?\d{1,9}(?:\.\d+)?", given)) and len(four) == 4:
        return numbered([float(n) for n in four])
    if isinstance(given, list) and len(given) == 4:
        return numbered(given)
    return box_of(given)


def _lie(order: list[Node], reading: Reading) -> None:
    """Give what has no place the place of what it holds; where none has one, lay all out in their order."""
    if not any(n.box for n in order):
        width, height = reading.size or (1080, 2400)
        leaves = [n for n in order if not n.children]
        strip = max(1, min(_STRIP, height // max(1, len(leaves))))
        for number, leaf in enumerate(leaves):
            leaf.box = (0, number * strip, width, (number + 1) * strip)
        if order:
            reading.notes.append("no node says where it lies: they were laid out one below the other")
    for node in reversed(order):
        boxes = list(_boxes(node.children)) if node.box is None else []
        if boxes:
            node.box = (
                min(b[0] for b in boxes),
                min(b[1] for b in boxes),
                max(b[2] for b in boxes),
                max(b[3] for b in boxes),
            )


def _boxes(nodes: list[Node]) -> Iterator[Box]:
    return (n.box for n in nodes if n.box is not None and n.shown)
