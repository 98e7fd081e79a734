"""Windows of a reading in; which is the app's, what lies over it, and what is no part of the screen, out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from waypost.adapters.trees.node import Box, Node

__all__ = ["Windows", "sorted_out"]

_KEYS_PACKAGE = re.compile(r"(^|[._])(inputmethod|ime|keyboard)([._]|$)", re.I)
_KEYS_PARTS = ("android:id/inputArea", "android:id/input_method_nav_back")
"""Parts of the frame that the platform puts around every input method."""
_BARS = "com.android.systemui"


@dataclass(slots=True)
class Windows:
    shown: list[Node] = field(default_factory=list)
    """From the bottom up."""
    keys: list[Node] = field(default_factory=list)
    bars: int = 0
    """The system's own bars, left out."""
    app: str = ""
    overlay: str = ""


def sorted_out(roots: list[Node], size: tuple[int, int], ime: str = "") -> Windows:
    """Part keyboards and system bars from windows, and tell whose window is in front.

    `ime` is the package of the phone's input method, where that is known.
    """
    found = Windows()
    for root in roots:
        if len(roots) > 1 and (root.keys or _is_keyboard(root, ime)):
            found.keys.append(root)
        elif len(roots) > 1 and _is_bar(root, size):
            found.bars += 1
        else:
            found.shown.append(root)
    if not found.shown and found.keys:
        found.shown, found.keys = found.keys, []
    if found.shown:
        _owners(found)
    return found


def _owners(found: Windows) -> None:
    owners = [_package(root) for root in found.shown]
    named = [(n, o) for n, o in enumerate(owners) if o]
    if not named:
        return
    front = next((o for n, o in reversed(named) if found.shown[n].front), named[-1][1])
    widest = max(named, key=lambda pair: (_area(found.shown[pair[0]].box), pair[0]))[1]
    found.app = widest if len(found.shown) > 1 else front
    found.overlay = front if front != found.app else ""


def _area(box: Box | None) -> int:
    return max(0, box[2] - box[0]) * max(0, box[3] - box[1]) if box else 0


def _walk(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def _package(root: Node) -> str:
    return next((n.package for n in _walk(root) if n.package), "")


def _is_keyboard(root: Node, ime: str) -> bool:
    package = _package(root)
    if ime and package == ime:
        return True
    named = bool(package) and _KEYS_PACKAGE.search(package) is not None
    return named or any(n.resource_id in _KEYS_PARTS for n in _walk(root))


def _is_bar(root: Node, size: tuple[int, int]) -> bool:
    return _package(root) == _BARS and _area(root.box) * 6 < size[0] * size[1]
