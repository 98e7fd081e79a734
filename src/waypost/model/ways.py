"""Steps by source, key and target, found again by their source at once: a dict that keeps an index."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waypost.model.graph import NodeId, Transition

__all__ = ["Transitions"]

_Key = tuple["NodeId", str, "NodeId"]


class Transitions(dict[_Key, "Transition"]):
    """The transitions of a graph. What leaves a page is asked at every step, on maps of any size.

    >>> ways = Transitions()
    >>> ways["a", "k", "b"] = "there"
    >>> ways["a", "k", "c"] = "elsewhere"
    >>> del ways["a", "k", "b"]
    >>> ways.leaving("a"), ways.leaving("b")
    (('elsewhere',), ())
    """

    def __init__(self, other: Mapping[_Key, "Transition"] | Iterable[tuple[_Key, "Transition"]] = ()) -> None:
        super().__init__(other)
        self._by_source: dict[NodeId, dict[_Key, Transition]] = {}
        for key, step in self.items():
            self._by_source.setdefault(key[0], {})[key] = step

    def leaving(self, source: "NodeId") -> tuple["Transition", ...]:
        """Return the steps from a page, in the order in which they were put in."""
        return tuple(self._by_source.get(source, {}).values())

    def __setitem__(self, key: _Key, step: "Transition") -> None:
        super().__setitem__(key, step)
        self._by_source.setdefault(key[0], {})[key] = step

    def __delitem__(self, key: _Key) -> None:
        super().__delitem__(key)
        del self._by_source[key[0]][key]

    def pop(self, key: _Key, *default: Any) -> Any:
        if key in self:
            step = self[key]
            del self[key]
            return step
        return super().pop(key, *default)

    def popitem(self) -> tuple[_Key, "Transition"]:
        key, step = super().popitem()
        del self._by_source[key[0]][key]
        return key, step

    def setdefault(self, key: _Key, step: "Transition") -> "Transition":
        if key not in self:
            self[key] = step
        return self[key]

    def update(self, other: Any = (), /, **more: Any) -> None:
        for key, step in dict(other, **more).items():
            self[key] = step

    def __ior__(self, other: Any) -> "Transitions":  # type: ignore[override, misc]
        self.update(other)
        return self

    def clear(self) -> None:
        super().clear()
        self._by_source.clear()

    def copy(self) -> "Transitions":
        return Transitions(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Transitions, (dict(self),)
