"""How a `go` turned out, in one flat value: an episode, a graph and an answer in, its JSON out."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from waypost.guidance import narrated
from waypost.library import Answer
from waypost.model import AppGraph, Episode, NodeId, StopReason

__all__ = ["Outcome", "outcome"]

Status = Literal["reached", "not_on_map", "failed"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened. `claimed` is what the actor said, `verified` what a fresh look then showed."""

    status: Status
    """`reached` only where `verified`."""
    claimed: bool
    verified: bool
    page: str
    """Id of the page that was recognised last; empty where none was."""
    title: str
    """Name of that page."""
    target: str
    """Name of the page that the sentence was taken to mean; empty where it is not on the map."""
    confidence: float
    """How sure the memory is of `target`, or of its absence; 0 to 1."""
    steps: tuple[dict[str, str | None], ...]
    """Action in words, page expected after it, page seen after it."""
    stop_reason: str
    model_calls: int
    answer: str = ""
    """What the actor said at the end."""
    episode: Episode | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON values, the episode left out."""
        row = asdict(self)
        del row["episode"]
        return {**row, "confidence": round(self.confidence, 4), "steps": list(self.steps)}


def outcome(episode: Episode, graph: AppGraph, answer: Answer) -> Outcome:
    """Flatten an episode."""
    if episode.stop is StopReason.NOT_ON_MAP:
        status: Status = "not_on_map"
    else:
        status = "reached" if episode.verified else "failed"
    last = episode.steps[-1].decision.action if episode.steps else None
    return Outcome(
        status=status,
        claimed=episode.claimed,
        verified=episode.verified,
        page=str(episode.page or ""),
        title=_name(graph, episode.page),
        target=answer.record.name if answer.record else "",
        confidence=answer.confidence,
        steps=tuple(
            {"action": r["action"], "expected_page": r["expected"], "seen_page": r["seen"]}
            for r in narrated(episode, graph)
        ),
        stop_reason=episode.stop.value,
        model_calls=episode.model_calls,
        answer=getattr(last, "answer", "") or answer.reason,
        episode=episode,
    )


def _name(graph: AppGraph, node: NodeId | None) -> str:
    return graph.nodes[node].name if node is not None and node in graph.nodes else ""
