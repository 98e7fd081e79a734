"""What was lived becomes part of what is known: a mapper and an episode in, a grown map out."""

from waypost.mapping.controls import action_key
from waypost.mapping.mapper import Mapper
from waypost.mapping.pointing import pointed
from waypost.model import Episode, Finish, NodeId, Observation

__all__ = ["absorb"]


def absorb(mapper: Mapper, episode: Episode) -> None:
    """Fold a recorded run into the map.

    A run that did not arrive adds pages, and ways to pages that had none; the ways that are known stay
    as they are, and so do their counts.
    """
    good = episode.stop.may_teach
    afters = [*(s.observation for s in episode.steps[1:]), episode.final]
    node: NodeId | None = None
    for step, after in zip(episode.steps, afters, strict=False):
        known = None if good or node is None else _reached(mapper, step.observation)
        node = known or (mapper.enter(step.observation) if node is None else node)
        if after is None or isinstance(step.decision.action, Finish):
            continue
        if mapper.graph.root is None:
            # Only side states so far: what shows once they are gone is where the app begins.
            node = mapper.enter(after)
            continue
        if not good and (there := _reached(mapper, after)) is not None:
            node = there
            continue
        action = pointed(step.decision.action, step.observation.screen)
        key = action_key(action)
        if not good and mapper.graph.outcomes(node, key):
            # It contradicts what is known of this action: the page is kept, the way is not.
            node = mapper.enter(after)
            continue
        node = mapper.extend(node, action, key, after).target


def _reached(mapper: Mapper, observation: Observation) -> NodeId | None:
    """Return the page that a look shows, if a way to it is known."""
    found = mapper.locate(observation)
    return found.node if found and mapper.graph.nodes[found.node].depth >= 0 else None
