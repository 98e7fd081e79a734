"""DroidBot's flat views and trailblaze's nested accessibility JSON in, nodes out."""

from collections.abc import Mapping, Sequence
from typing import Any

from waypost.adapters.roles import role_of
from waypost.adapters.trees.node import Box, Dialect, Node, Reading
from waypost.adapters.trees.place import box_of, numbered
from waypost.model import Role

__all__ = ["read_accessibility", "read_views", "said"]

MOST = 20_000
"""Nodes after which reading stops: a tree that holds itself would never end."""


def said(value: Any) -> str:
    """Return a value as text; what stands for nothing is empty.

    >>> said(None), said(0), said("x")
    ('', '', 'x')
    """
    if isinstance(value, str):
        return value
    # A number of thousands of digits is no text, and Python refuses to write it.
    return str(value) if isinstance(value, (int, float)) and value and abs(value) < 1e18 else ""


def _size(width: Any, height: Any) -> tuple[int, int] | None:
    box = numbered([0, 0, width, height])
    return (box[2], box[3]) if box and box[2] > 0 and box[3] > 0 else None


def read_views(state: Mapping[str, Any]) -> Reading:
    """Read a DroidBot state: views that name their children by number; each is read once."""
    views = [v if isinstance(v, Mapping) else {} for v in _list(state.get("views"))]
    package, _, activity = said(state.get("activity") or state.get("foreground_activity")).partition("/")
    size = _size(state.get("width"), state.get("height"))
    reading = Reading(Dialect.DROIDBOT, size=size, activity=activity or package)
    children = [[n for n in _list(v.get("children")) if type(n) is int] for v in views]
    named = {n for kids in children for n in kids}
    # Views that all hang on each other have no root: the first is taken for it.
    roots = [n for n in range(len(views)) if n not in named] or [0][: len(views)]
    nodes: dict[int, Node] = {}
    stack: list[tuple[int, Node | None]] = [(n, None) for n in reversed(roots)]
    while stack:
        number, above = stack.pop()
        if number in nodes or not 0 <= number < len(views):
            continue  # A view that is its own ancestor, or a number that stands for none.
        node = nodes[number] = _view(views[number])
        (reading.roots if above is None else above.children).append(node)
        stack.extend((n, node) for n in reversed(children[number]))
    lost = len(views) - len(nodes)
    if lost or named.intersection(roots):
        reading.partial = True
        reading.notes.append(f"{lost} views hang on nothing")
    owner = said(views[roots[0]].get("package", package)) if roots else package
    reading.app = owner or package
    return reading


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else ()


def _view(view: Mapping[str, Any]) -> Node:
    class_name = said(view.get("class"))
    return Node(
        role=Role.FIELD if view.get("editable") else role_of(class_name),
        class_name=class_name,
        text=said(view.get("text")),
        description=said(view.get("content_description")),
        resource_id=said(view.get("resource_id")),
        package=said(view.get("package")),
        box=box_of(view.get("bounds")),
        clickable=bool(view.get("clickable")),
        long_clickable=bool(view.get("long_clickable")),
        scrollable=bool(view.get("scrollable")),
        checkable=bool(view.get("checkable")),
        checked=bool(view.get("checked")),
        selected=bool(view.get("selected")),
        focused=bool(view.get("focused")),
        enabled=bool(view.get("enabled", True)),
        password=bool(view.get("is_password")),
        shown=bool(view.get("visible", True)),
    )


def read_accessibility(data: Mapping[str, Any]) -> Reading:
    """Read a look of trailblaze's: the tree with every property where it has one, else the plainer."""
    size = _size(data.get("deviceWidth", 1080), data.get("deviceHeight", 2400))
    reading = Reading(Dialect.ACCESSIBILITY, size=size)
    full = data.get("trailblazeNodeTree") or (data if "driverDetail" in data else None)
    top = full or data.get("viewHierarchy") or data
    if not isinstance(top, Mapping):
        reading.partial = True
        reading.notes.append("its tree is none")
        return reading
    make = _detailed if full else _plain
    root, packages = make(top), list[str]()
    stack: list[tuple[Mapping[str, Any], Node]] = [(top, root)]
    count = 1
    while stack:
        row, node = stack.pop()
        packages.append(node.package)
        for child in _list(row.get("children")):
            if not isinstance(child, Mapping) or count >= MOST:
                reading.partial = True
                continue
            made = make(child)
            count += 1
            node.children.append(made)
            stack.append((child, made))
    reading.roots = [root]
    reading.app = _most(packages) or _most(_prefixes(root))
    return reading


def _most(names: list[str]) -> str:
    """Return the name that is there most often, the first by the alphabet of those."""
    counts: dict[str, int] = {}
    for name in names:
        if name:
            counts[name] = counts.get(name, 0) + 1
    return max(sorted(counts), key=lambda n: counts[n], default="")


def _prefixes(root: Node) -> list[str]:
    """Return the packages that resource ids begin with."""
    found, stack = list[str](), [root]
    while stack:
        node = stack.pop()
        package = node.resource_id.partition(":")[0] if ":" in node.resource_id else ""
        found.append(package if package != "android" else "")
        stack.extend(node.children)
    return found


def _corners(left: Any, top: Any, right: Any, bottom: Any) -> Box | None:
    return numbered([left or 0, top or 0, right or 0, bottom or 0])


def _detailed(node: Mapping[str, Any]) -> Node:
    detail = node.get("driverDetail")
    row: Mapping[str, Any] = detail if isinstance(detail, Mapping) else {}
    place = node.get("bounds")
    box: Mapping[str, Any] = place if isinstance(place, Mapping) else {}
    actions = _list(row.get("actions"))
    made = _accessible(row)
    made.box = _corners(box.get("left"), box.get("top"), box.get("right"), box.get("bottom"))
    made.clickable = bool(row.get("isClickable", "ACTION_CLICK" in actions))
    made.scrollable = bool(row.get("isScrollable", "ACTION_SCROLL_FORWARD" in actions))
    return made


def _plain(node: Mapping[str, Any]) -> Node:
    """Read a node of the plainer tree, where an absent coordinate is 0 and an absent flag is false."""
    made = _accessible(node)
    made.box = _corners(node.get("x1"), node.get("y1"), node.get("x2"), node.get("y2"))
    made.clickable, made.scrollable = bool(node.get("clickable")), bool(node.get("scrollable"))
    return made


def _accessible(row: Mapping[str, Any]) -> Node:
    class_name = said(row.get("className"))
    heading = Role.HEADING if row.get("isHeading") else role_of(class_name)
    return Node(
        role=Role.FIELD if row.get("isEditable") else heading,
        class_name=class_name,
        text="" if row.get("isShowingHintText") else said(row.get("text")),
        description=said(row.get("contentDescription") or row.get("accessibilityText")),
        hint=said(row.get("hintText")),
        resource_id=said(row.get("resourceId")),
        package=said(row.get("packageName")),
        checkable=bool(row.get("isCheckable")),
        checked=bool(row.get("isChecked", row.get("checked"))),
        selected=bool(row.get("isSelected", row.get("selected"))),
        focused=bool(row.get("isFocused", row.get("focused"))),
        enabled=bool(row.get("isEnabled", row.get("enabled", True))),
        password=bool(row.get("isPassword")),
        shown=bool(row.get("isVisibleToUser", True)),
    )
