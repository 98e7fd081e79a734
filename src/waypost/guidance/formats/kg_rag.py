"""KG-RAG (Guan et al. 2025): pairs of intent and trajectory; the pairs nearest to the task are told once."""

from waypost.guidance.formats.knowledge import Knowledge, head, way
from waypost.guidance.guides import fixed
from waypost.model.wording import quoted
from waypost.protocols import Guide

__all__ = ["kg_rag"]

_PAIRS = 3
_NEAR = 40
"""Intents that are looked at for so many different trajectories."""


def kg_rag(known: Knowledge, instruction: str) -> Guide:
    """Tell the trajectories whose intents are nearest to the task; no page is chosen among them."""
    root = known.locator.graph.root
    pairs = [(wish, record) for record in known.records for wish in record.wishes]
    lines: dict[object, list[str]] = {}
    for place in known.best(instruction, [wish for wish, _ in pairs], _NEAR):
        wish, record = pairs[place]
        if root is None or record.node in lines or len(lines) == _PAIRS:
            continue
        steps = way(known.plan(root, record.node), known)
        if steps:
            said = f"- intent {quoted(wish)}, on page {quoted(record.name)}:"
            lines[record.node] = [said, *(f"  - {step}" for step in steps)]
    told = [line for pair in lines.values() for line in pair]
    begun = head("Known trajectories of this app, the nearest intent first.", instruction)
    return fixed("\n".join([*begun, *(told or ["None is known."])]))
