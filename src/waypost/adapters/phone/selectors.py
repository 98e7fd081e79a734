"""uiautomator2's selectors in, the nodes that they mean out."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from waypost.adapters.phone.hierarchy import Node

__all__ = ["SelectorFault", "found", "node_info"]


class SelectorFault(Exception):
    """The selector asks for something that is not known, or not a pattern."""


def _text(n: Node) -> str:
    return n.element.text


def _said(n: Node) -> str:
    return n.element.description


def _own(n: Node) -> str:
    return n.class_name


def _package(n: Node) -> str:
    return n.package


def _id(n: Node) -> str:
    return n.element.resource_id


_TEXTS: dict[str, Callable[[Node], str]] = {
    "text": _text,
    "description": _said,
    "className": _own,
    "packageName": _package,
    "resourceId": _id,
}
_FLAGS: dict[str, Callable[[Node], bool]] = {
    "checkable": lambda n: n.element.checkable,
    "checked": lambda n: n.element.checked,
    "clickable": lambda n: n.element.clickable,
    "enabled": lambda n: n.element.enabled,
    "focusable": lambda n: n.focusable,
    "focused": lambda n: n.element.focused,
    "longClickable": lambda n: n.element.long_clickable,
    "scrollable": lambda n: n.element.scrollable,
    "selected": lambda n: n.element.selected,
}
_WAYS: dict[str, Callable[[str, str], bool]] = {
    "": lambda have, want: have == want,
    "Contains": lambda have, want: want in have,
    "StartsWith": lambda have, want: have.startswith(want),
    "Matches": lambda have, want: re.fullmatch(want, have, re.DOTALL) is not None,
}
_REST = frozenset(("mask", "childOrSibling", "childOrSiblingSelector", "index", "instance"))


def found(roots: Sequence[Node], selector: Mapping[str, Any]) -> list[Node]:
    """Return the nodes that a selector means, in the order of the tree. Raises SelectorFault."""
    steps = list(selector.get("childOrSibling") or ())
    inner = list(selector.get("childOrSiblingSelector") or ())
    parents = {id(c): n for n in _walk(roots) for c in n.children}
    meant = _here(list(_walk(roots)), selector)
    for step, narrower in zip(steps, inner, strict=False):
        if step == "child":
            pool = [n for m in meant for n in _walk(m.children)]
        else:
            pool = [n for m in meant if id(m) in parents for n in parents[id(m)].children if n is not m]
        meant = _here(list({id(n): n for n in pool}.values()), narrower)
    return meant


def _here(pool: list[Node], selector: Mapping[str, Any]) -> list[Node]:
    tests = [_test(k, v) for k, v in selector.items() if k not in _REST]
    if "index" in selector:
        tests.append(lambda n: n.index == selector["index"])
    meant = [n for n in pool if all(t(n) for t in tests)]
    instance = selector.get("instance")
    if isinstance(instance, int) and instance >= 0:
        return meant[instance : instance + 1]
    return meant


def _test(key: str, want: Any) -> Callable[[Node], bool]:
    if key in _FLAGS:
        flag = _FLAGS[key]
        return lambda n: flag(n) is bool(want)
    for name, have in _TEXTS.items():
        way = _WAYS.get(key.removeprefix(name)) if key.startswith(name) else None
        if way is not None:
            text = "" if want is None else str(want)
            if key.endswith("Matches"):
                try:
                    re.compile(text)
                except re.error as e:
                    raise SelectorFault(f"{key}={text!r} is no regular expression: {e}") from e
            return _compared(have, way, text)
    raise SelectorFault(f"selector {key!r} is not known")


def _compared(
    have: Callable[[Node], str], way: Callable[[str, str], bool], text: str
) -> Callable[[Node], bool]:
    return lambda n: way(have(n), text)


def _walk(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from _walk(node.children)


def node_info(node: Node) -> dict[str, Any]:
    """Return what `objInfo` tells of a node."""
    e, b = node.element, node.bounds
    box = {"left": b.left, "top": b.top, "right": b.right, "bottom": b.bottom}
    return {
        "bounds": box,
        "checkable": e.checkable,
        "checked": e.checked,
        "childCount": len(node.children),
        "className": node.class_name,
        "clickable": e.clickable,
        "contentDescription": e.description,
        "enabled": e.enabled,
        "focusable": node.focusable,
        "focused": e.focused,
        "longClickable": e.long_clickable,
        "packageName": node.package,
        "resourceName": e.resource_id or None,
        "scrollable": e.scrollable,
        "selected": e.selected,
        "text": e.text,
        "visibleBounds": box,
    }
