"""A piece of a way that is walked again and again, kept to be done in one go (EAM's action group)."""

from dataclasses import dataclass

from waypost.model.graph import NodeId

__all__ = ["ActionGroup", "Parameter"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A text that is given when a group is run."""

    step: int
    """Which step of the group types it, from 0."""
    name: str
    """What the field is called."""
    kind: str
    """`text`, `number` or `email`, by what was typed when it was seen."""


@dataclass(frozen=True, slots=True)
class ActionGroup:
    """Steps in a row that were seen together more than once."""

    name: str
    steps: tuple[tuple[NodeId, str, NodeId], ...]
    """Source, action key and target of each."""
    count: int
    """How often they were seen together."""
    needs: tuple[str, ...] = ()
    """Literals that must hold before it."""
    makes: tuple[str, ...] = ()
    """Literals that hold after it."""
    parameters: tuple[Parameter, ...] = ()

    @property
    def key(self) -> tuple[tuple[NodeId, str], ...]:
        """Names the group whatever page its last step leads to."""
        return tuple((source, key) for source, key, _ in self.steps)
