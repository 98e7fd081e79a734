"""GUI-explorer (Xie et al. 2025): what elements were seen to do, ranked by the task, told at every look."""

from waypost.guidance.formats.knowledge import Element, Knowledge, head, leads, uses
from waypost.guidance.text import page
from waypost.model import NodeId, Observation
from waypost.model.wording import describe

__all__ = ["GuiExplorerKnowledge"]

_TOLD = 8
_OUTCOMES = 2
"""Pages that one element is said to lead to."""


class GuiExplorerKnowledge:
    """Tells of each element on the screen the transitions that it was seen in, on whatever page that was."""

    def __init__(self, known: Knowledge, instruction: str) -> None:
        self._known, self._instruction = known, instruction

    def __call__(self, observation: Observation) -> str:
        said = [self._said(element) for element in uses(self._known, observation)]
        order = self._known.best(self._instruction, said, _TOLD)
        told = [f"- {said[i]}" for i in order] or ["Nothing is known of them."]
        begun = "What elements on this screen were seen to do, the likeliest to help first."
        return "\n".join([*head(begun, self._instruction), *told])

    def _said(self, element: Element) -> str:
        known = self._known
        outcomes: dict[NodeId, str] = {}
        for step in element.steps:
            source = page(known.locator.graph, step.source)
            outcomes.setdefault(step.target, f"from {source} to {leads(step, known)}")
        return f"{describe(element.action)}: leads {'; or '.join(list(outcomes.values())[:_OUTCOMES])}"
