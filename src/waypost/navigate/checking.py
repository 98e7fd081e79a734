"""Check an arrival by the map: a page and a way to locate looks in, a `Verifier` out."""

from waypost.actors.locator import Locator
from waypost.model import NodeId, Observation, TreeQuality
from waypost.protocols import Verifier

__all__ = ["arrival"]


def arrival(locator: Locator, goal: NodeId, *, confidence: float = 0.5) -> Verifier:
    """Make a verifier that recognises `goal` on the map.

    It cannot tell where the screen has no tree or the goal is recognised with less than `confidence`;
    a page that is not on the map is not the goal.
    """

    def verify(observation: Observation) -> bool | None:
        if observation.screen.quality is TreeQuality.NONE:
            return None
        found = locator.locate(observation)
        if found is None or locator.resolve(found.node) != locator.resolve(goal):
            return False
        return True if found.confidence >= confidence else None

    return verify
