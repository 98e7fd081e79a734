"""uiautomator2's calls about one object: a selector in, what it is or what was done to it out."""

import threading
import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from waypost.adapters.phone.handset import Handset
from waypost.adapters.phone.hierarchy import Node, nodes
from waypost.adapters.phone.selectors import found, node_info
from waypost.errors import WaypostError
from waypost.model import Bounds, LongPress, Tap, TypeText

__all__ = ["Objects", "RpcFault", "whole"]

_PAUSE = 0.1
"""Seconds between looks while something is waited for."""
_LONGEST = 120_000
"""Milliseconds that anything is waited for at most."""
_SWIPES = 50
"""Drags at most on the way to an end."""


class RpcFault(WaypostError):
    """A call that cannot be answered, with JSON-RPC's code for why."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Objects:
    """The methods that take a selector first, for one request."""

    def __init__(
        self, handset: Handset, gone: threading.Event, named: dict[str, tuple[Any, Any, str, str]]
    ) -> None:
        self._hand = handset
        self._gone = gone
        self._named = named

    @property
    def methods(self) -> Mapping[str, Callable[..., Any]]:
        """The methods by name."""
        return {
            "childByDescription": lambda s, c, said, *_: self._name(s, c, "description", said),
            "childByInstance": lambda s, c, nth: self._name(s, c, "instance", nth),
            "childByText": lambda s, c, said, *_: self._name(s, c, "text", said),
            "clearTextField": lambda s: self._type(s, ""),
            "click": lambda s, *_: self._tap(s),
            "clickAndWaitForNewWindow": lambda s, *_: self._tap(s),
            "count": lambda s: len(self._all(s)),
            "dragTo": self._drag,
            "exist": lambda s: bool(self._all(s)),
            "flingBackward": lambda s, down=True: self._scroll(s, down, -1),
            "flingForward": lambda s, down=True: self._scroll(s, down, 1),
            "flingToBeginning": lambda s, down=True, most=_SWIPES, *_: self._end(s, down, -1, most),
            "flingToEnd": lambda s, down=True, most=_SWIPES, *_: self._end(s, down, 1, most),
            "getText": lambda s: self._one(s).element.text,
            "longClick": lambda s, *_: self._hold(s),
            "objInfo": lambda s: node_info(self._one(s)),
            "objInfoOfAllInstances": lambda s: [node_info(n) for n in self._all(s)],
            "scrollBackward": lambda s, down=True, *_: self._scroll(s, down, -1),
            "scrollForward": lambda s, down=True, *_: self._scroll(s, down, 1),
            "scrollTo": self._scroll_to,
            "scrollToBeginning": lambda s, down=True, most=_SWIPES, *_: self._end(s, down, -1, most),
            "scrollToEnd": lambda s, down=True, most=_SWIPES, *_: self._end(s, down, 1, most),
            "setText": self._type,
            "swipe": self._swipe,
            "waitForExists": lambda s, ms=0: self._wait(s, ms, True),
            "waitUntilGone": lambda s, ms=0: self._wait(s, ms, False),
        }

    # Finding.

    def _tree(self) -> tuple[Node, ...]:
        screen = self._hand.look(self._gone).screen
        return nodes(screen, self._hand.windowed(screen).package)

    def _all(self, selector: Any) -> list[Node]:
        tree = self._tree()
        if isinstance(selector, str):
            return self._called(tree, selector)
        return found(tree, selector)

    def _called(self, tree: tuple[Node, ...], name: str) -> list[Node]:
        """Find again what `childByText` and its kin gave a name."""
        if name not in self._named:
            raise RpcFault(-32002, f"androidx.test.uiautomator.UiObjectNotFoundException: {name}")
        parent, child, kind, said = self._named[name]
        roots = self._called(tree, parent) if isinstance(parent, str) else found(tree, parent)
        inside = [n for root in roots for n in found(root.children, child)]
        if kind == "instance":
            return inside[int(said) : int(said) + 1]
        return [n for n in inside if found((n,), {kind: said})]

    def _one(self, selector: Any) -> Node:
        meant = self._all(selector)
        if not meant:
            raise RpcFault(-32002, f"androidx.test.uiautomator.UiObjectNotFoundException: {selector}")
        return meant[0]

    def _name(self, selector: Any, child: Any, kind: str, said: Any) -> str:
        name = str(uuid.uuid4())
        self._named[name] = (selector, child, kind, str(said))
        if len(self._named) > 1000:
            del self._named[next(iter(self._named))]
        self._one(name)
        return name

    def _wait(self, selector: Any, ms: int, wanted: bool) -> bool:
        left = min(_LONGEST, max(0, int(ms))) / 1000
        while True:
            if bool(self._all(selector)) is wanted:
                return True
            if left <= 0 or self._gone.wait(min(_PAUSE, left)):
                return False
            left -= _PAUSE

    # Doing.

    def _tap(self, selector: Any) -> bool:
        self._hand.act(Tap(self._one(selector).bounds.center), self._gone)
        return True

    def _hold(self, selector: Any) -> bool:
        self._hand.act(LongPress(self._one(selector).bounds.center), self._gone)
        return True

    def _type(self, selector: Any, text: str | None) -> bool:
        node = self._one(selector)
        at = None if node.element.focused else node.bounds.center
        self._hand.act(TypeText(whole(text), at=at), self._gone)
        return True

    def _drag(self, selector: Any, *to: Any) -> bool:
        start = self._one(selector).bounds.center
        end: tuple[int, int]
        if to and isinstance(to[0], dict | str):
            end = self._one(to[0]).bounds.center
        else:
            end = (round(to[0]), round(to[1]))
        self._hand.drag(start, end, 300, self._gone)
        return True

    def _swipe(self, selector: Any, way: str, *_: Any) -> bool:
        box = self._one(selector).bounds
        x, y = box.center
        ends = {
            "up": (x, box.top + 1),
            "down": (x, box.bottom - 1),
            "left": (box.left + 1, y),
            "right": (box.right - 1, y),
        }
        self._hand.drag((x, y), ends[way], 300, self._gone)
        return True

    def _scroll(self, selector: Any, down: bool, way: int) -> bool:
        """Drag inside of what scrolls; True where that showed something else."""
        node = self._one(selector)
        start, end = _stroke(node.bounds, vertical=bool(down), way=way)
        self._hand.drag(start, end, 300, self._gone)
        after = next(iter(self._all(selector)), None)
        return after is None or not _at_rest(node, after)

    def _end(self, selector: Any, down: bool, way: int, most: int) -> bool:
        return any(not self._scroll(selector, down, way) for _ in range(min(_SWIPES, int(most))))

    def _scroll_to(self, selector: Any, child: Any, down: bool = True, *more: Any) -> bool:
        self._end(selector, down, -1, _SWIPES)
        for _ in range(_SWIPES):
            if self._all(child):
                return True
            if not self._scroll(selector, down, 1):
                return bool(self._all(child))
        return False


def _at_rest(before: Node, after: Node) -> bool:
    """Tell whether most of what a node holds is where it was; a clock in it may go on."""
    held, holds = (
        Counter((e.label, e.bounds) for e in n.element.walk() if e.visible) for n in (before, after)
    )
    return (held & holds).total() * 2 > max(held.total(), holds.total())


def whole(text: str | None) -> str:
    """Return a text that can be written anywhere: halves of a sign, which JSON can carry, become `?`.

    >>> whole("a" + chr(0xD83D) + "b"), whole(None)
    ('a?b', '')
    """
    return (text or "").encode("utf-8", "replace").decode()


def _stroke(box: Bounds, *, vertical: bool, way: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where a drag begins and ends that moves content along by half of the box."""
    x, y = box.center
    if vertical:
        far = box.height // 4 * way
        return (x, y + far), (x, y - far)
    far = box.width // 4 * way
    return (x + far, y), (x - far, y)
