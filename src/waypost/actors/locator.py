"""What a map-using actor asks of the map: `mapping.Mapper` fits, and so does a stand-in of ten lines."""

from typing import Protocol

from waypost.model import AppGraph, NodeId, Observation, Transition

__all__ = ["Located", "Locator"]


class Located(Protocol):
    """A page that a look was recognised as."""

    @property
    def node(self) -> NodeId: ...

    @property
    def confidence(self) -> float:
        """0 to 1."""
        ...


class Locator(Protocol):
    """Says where on a map a look is, and hears of steps that went wrong."""

    @property
    def graph(self) -> AppGraph: ...

    def locate(self, observation: Observation) -> Located | None:
        """Recognise the page; None where it is not on the map. Changes nothing."""
        ...

    def resolve(self, node: NodeId) -> NodeId:
        """Return the page that `node` is called now, where pages were found to be one."""
        ...

    def miss(self, transition: Transition) -> None:
        """Note that doing the transition did not land on its target."""
        ...
