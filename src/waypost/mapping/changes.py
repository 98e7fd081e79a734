"""What a mapper has changed since it last committed: keys of the graph, and the pictures taken meanwhile."""

from dataclasses import dataclass, field

from waypost.model import NodeId

__all__ = ["Changes"]


@dataclass(slots=True)
class Changes:
    nodes: set[NodeId] = field(default_factory=set)
    gone: set[NodeId] = field(default_factory=set)
    """Pages that were merged into others."""
    looks: set[tuple[NodeId, int]] = field(default_factory=set)
    transitions: set[tuple[NodeId, str, NodeId]] = field(default_factory=set)
    skipped: set[tuple[NodeId, str]] = field(default_factory=set)
    untried: set[NodeId] = field(default_factory=set)
    steps: list[tuple[int, NodeId, str, NodeId, float]] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    """PNG by SHA-256."""
    aliases: dict[NodeId, NodeId] = field(default_factory=dict)
    meta: bool = False

    def __bool__(self) -> bool:
        parts = (self.nodes, self.gone, self.looks, self.transitions, self.skipped, self.untried, self.steps)
        return bool(self.meta or self.aliases or any(parts))
