"""What a mapper has changed since it last committed: keys of the graph, and the pictures taken meanwhile."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from waypost.model import NodeId

__all__ = ["Changes", "Ordered"]

K = TypeVar("K")


class Ordered(dict[K, None]):
    """A set that keeps the order in which things came."""

    def add(self, key: K) -> None:
        self.setdefault(key)

    def add_all(self, keys: Iterable[K]) -> None:
        for key in keys:
            self.setdefault(key)


@dataclass(slots=True)
class Changes:
    nodes: Ordered[NodeId] = field(default_factory=Ordered)
    gone: Ordered[NodeId] = field(default_factory=Ordered)
    """Pages that were merged into others."""
    cut: dict[NodeId, int] = field(default_factory=dict)
    """Pages that have only so many looks left."""
    looks: Ordered[tuple[NodeId, int]] = field(default_factory=Ordered)
    transitions: Ordered[tuple[NodeId, str, NodeId]] = field(default_factory=Ordered)
    skipped: Ordered[tuple[NodeId, str]] = field(default_factory=Ordered)
    untried: Ordered[NodeId] = field(default_factory=Ordered)
    steps: list[tuple[int, NodeId, str, NodeId, float]] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    """PNG by SHA-256."""
    aliases: dict[NodeId, NodeId] = field(default_factory=dict)
    meta: bool = False

    def __bool__(self) -> bool:
        parts = (self.nodes, self.gone, self.looks, self.transitions, self.skipped, self.untried, self.steps)
        return bool(self.meta or self.aliases or any(parts))
