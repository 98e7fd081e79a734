"""Tags of a uiautomator dump or an Appium page source in, nodes out."""

import re
from collections.abc import Mapping

from waypost.adapters.extras import CLASS, ROLE, TARGET, role_named, split
from waypost.adapters.roles import role_of
from waypost.adapters.trees.markup import Tag
from waypost.adapters.trees.node import Dialect, Node, Reading
from waypost.adapters.trees.place import box_of
from waypost.model import Role

__all__ = ["read_android"]

_FRAMES = ("hierarchy", "displays", "display", "window")
"""Tags that stand for no element."""
_SIMPLE = {"p": Role.TEXT, "button": Role.BUTTON, "checker": Role.CHECKBOX, "input": Role.FIELD}
"""Tags of pages that were simplified for a language model; their class says more where there is one."""
_KEYS_TYPE = re.compile(r"INPUT_METHOD", re.I)
_QUARTERS = {"0": 0, "1": 1, "2": 2, "3": 3, "90": 1, "180": 2, "270": 3}


def read_android(tags: list[Tag]) -> Reading:
    """Read windows and nodes; of several displays, the one that has the focus."""
    dialect = Dialect.UIAUTOMATOR if _has_nodes(tags) else Dialect.APPIUM
    reading = Reading(dialect)
    windows: list[tuple[int, Node]] = []
    stack: list[tuple[Tag, Tag | None]] = [(t, None) for t in reversed(_one_display(tags, reading))]
    while stack:
        tag, window = stack.pop()
        if tag.name not in _FRAMES:
            root = _tree(tag)
            said: Mapping[str, str] = window.attributes if window is not None else {}
            root.keys = bool(_KEYS_TYPE.search(said.get("type", "")))
            root.front = "true" in (said.get("active"), said.get("focused"))
            windows.append((_whole(said.get("layer", "")) or 0, root))
            continue
        if tag.name == "hierarchy":
            _frame(tag, reading)
        inner = tag if tag.name == "window" else window
        stack.extend((child, inner) for child in reversed(tag.children))
    # Windows are drawn by layer; where none is given they stand as they were written.
    reading.roots = [root for _, root in sorted(windows, key=lambda w: w[0])]
    return reading


def _has_nodes(tags: list[Tag]) -> bool:
    stack = list(tags)
    while stack:
        tag = stack.pop()
        if tag.name == "node":
            return True
        if tag.name in _FRAMES:
            stack.extend(tag.children)
    return False


def _one_display(tags: list[Tag], reading: Reading) -> list[Tag]:
    """Keep the display that has the focus, where there are several."""
    displays = [d for t in tags if t.name == "displays" for d in t.children if d.name == "display"]
    if len(displays) < 2:
        return tags
    reading.notes.append(f"{len(displays)} displays; the one with the focus was read")
    chosen = next((d for d in displays if any(_focused(w) for w in d.children)), displays[0])
    return [chosen]


def _focused(window: Tag) -> bool:
    return "true" in (window.attributes.get("active"), window.attributes.get("focused"))


def _frame(tag: Tag, reading: Reading) -> None:
    reading.rotation = _QUARTERS.get(tag.attributes.get("rotation", ""), reading.rotation)
    width, height = (_whole(tag.attributes.get(k, "")) for k in ("width", "height"))
    if width and height and width > 0 and height > 0:
        reading.size = (width, height)


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"-?\d{1,6}", text) else None


def _tree(root: Tag) -> Node:
    top = _node(root)
    stack = [(root, top)]
    while stack:
        tag, node = stack.pop()
        for child in tag.children:
            made = _node(child)
            node.children.append(made)
            stack.append((child, made))
    return top


def _node(tag: Tag) -> Node:
    said = tag.attributes
    simple = tag.name if "." not in tag.name and tag.name != "node" else ""
    class_name = said.get("class", "") or ("" if tag.name == "node" else tag.name)
    role = role_of(class_name)
    if simple and role is Role.GROUP:
        role = _SIMPLE.get(simple, role)
    if said.get("heading") == "true" and role is Role.TEXT:
        role = Role.HEADING
    extras = split(said["extras"]) if "extras" in said else {}
    role = role_named(extras.get(ROLE, "")) or role
    text = said.get("text", "") or (tag.text.strip() if simple else "")
    hint = said.get("hint", "")
    guessed = "showing-hint" not in said and role is Role.FIELD and hint != "" and text == hint
    if said.get("showing-hint") == "true" or guessed:
        # An empty field answers with its hint when it is asked for its text.
        text, hint = "", hint or text
    return Node(
        role=role,
        class_name=extras.get(CLASS, class_name),
        text=text,
        description=said.get("content-desc", said.get("description", "")),
        hint=hint,
        resource_id=said.get("resource-id", said.get("id", "")),
        package=said.get("package", ""),
        box=box_of(said.get("bounds", "")),
        clickable=_says(said, "clickable") or ("clickable" not in said and simple in ("button", "input")),
        long_clickable=_says(said, "long-clickable"),
        scrollable=_says(said, "scrollable"),
        checkable=_says(said, "checkable"),
        checked=_says(said, "checked"),
        selected=_says(said, "selected"),
        focused=_says(said, "focused"),
        enabled=said.get("enabled") != "false",
        password=_says(said, "password"),
        href=extras.get(TARGET, ""),
        shown="false" not in (said.get("displayed"), said.get("visible-to-user"), said.get("visible")),
    )


def _says(said: dict[str, str], name: str) -> bool:
    return said.get(name) == "true"
