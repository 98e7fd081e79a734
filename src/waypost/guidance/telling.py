"""Tell an episode: steps in, rows of plain words out."""

from waypost.model import AppGraph, Episode, Finish, NodeId
from waypost.model.wording import describe

__all__ = ["narrated"]


def narrated(episode: Episode, graph: AppGraph | None = None) -> list[dict[str, str | None]]:
    """Return a row for each performed step: `action`, `expected` page and `seen` page, by name.

    A page that was not recognised, or not expected, is None.
    """
    rows = []
    after = [*(s.at for s in episode.steps), episode.page][1:]
    for step, seen in zip(episode.steps, after, strict=True):
        if not isinstance(step.decision.action, Finish):
            rows.append({
                "action": describe(step.decision.action),
                "expected": _name(step.decision.expected, graph),
                "seen": _name(seen, graph),
            })  # fmt: skip
    return rows


def _name(node: NodeId | None, graph: AppGraph | None) -> str | None:
    known = graph.nodes.get(node) if graph and node else None
    return known.name if known and known.name else node
