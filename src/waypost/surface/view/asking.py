"""The real retrieval and planner, asked by the page: a sentence in, pages with scores, or a way, out."""

from typing import Any

from waypost.errors import UsageError
from waypost.guidance import block, route
from waypost.library import Answer
from waypost.mapping import page_called
from waypost.model import NodeId, Plan
from waypost.parts.face import Map
from waypost.surface.view.card import step_row
from waypost.surface.view.overview import picture_of

__all__ = ["routed", "searched"]


def searched(known: Map, sentence: str) -> dict[str, Any]:
    """Find the page that a sentence means, with every candidate's score and why it has it."""
    answer = known.find(sentence)
    return {
        "asked": sentence,
        "found": _node(known, answer),
        "confidence": round(answer.confidence, 3),
        "reason": answer.reason,
        "candidates": [
            {
                "id": known.mapper.resolve(f.record.node),
                "name": f.record.name,
                "summary": f.record.summary,
                "score": round(f.score, 2),
                "why": list(f.why),
                "evidence": {name: round(value, 3) for name, value in f.evidence.items()},
            }
            for f in answer.candidates
        ],
    }


def routed(known: Map, to: str, start: str = "") -> dict[str, Any]:
    """Plan the way from one page, by default the app's start, to another. Raises UsageError."""
    goal = page_called(known.mapper, to)
    here = page_called(known.mapper, start).id if start else known.graph.root
    if here is None:
        raise UsageError("The map has no start page; explore the app first")
    plan = known.planner.plan(known.graph, here, goal.id)
    record = known.record_of(goal.id, fresh=False)
    return {
        "from": here,
        "to": goal.id,
        "status": plan.status.value,
        "cost": round(plan.cost, 2),
        "text": route(plan, known.graph),
        "block": block(f"Go to {goal.name}", record, plan, known.graph) if record else "",
        "steps": _steps(known, plan, here),
    }


def _steps(known: Map, plan: Plan, here: NodeId) -> list[dict[str, Any]]:
    nodes = known.graph.nodes
    rows = [{**step_row(known, s), "picture": picture_of(nodes[s.source])} for s in plan.steps]
    last = plan.steps[-1].target if plan.steps else here
    # The last stop is shown too, with nothing left to do on it.
    return [*rows, {"from": last, "from_name": nodes[last].name, "picture": picture_of(nodes[last])}]


def _node(known: Map, answer: Answer) -> str | None:
    return known.mapper.resolve(answer.record.node) if answer.record else None
