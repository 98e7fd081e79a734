"""PG-Agent (Chen et al. 2025): guidelines of the page graph around the current screen, told at every look."""

from collections import deque

from waypost.guidance.formats.knowledge import Knowledge, head, leads
from waypost.guidance.text import page, tellable
from waypost.library.store import place_and_summary
from waypost.model import NodeId, Observation, Transition
from waypost.model.wording import describe, quoted

__all__ = ["PgAgentGuidelines"]

_DEPTH = 2
"""Steps from the current page."""
_TOLD = 20


class PgAgentGuidelines:
    """Retrieves the page that shows, and tells what the graph says from there on, nearest first.

    A screen that is not on the map gets the page whose record is nearest to what can be read on it.
    """

    def __init__(self, known: Knowledge, instruction: str) -> None:
        self._known, self._instruction = known, instruction

    def __call__(self, observation: Observation) -> str:
        known, graph = self._known, self._known.locator.graph
        lines = head("Guidelines from the app's page graph.", self._instruction)
        here = known.here(observation)
        start = here if here is not None else self._alike(observation)
        if start is None:
            return "\n".join([*lines, "No page of the graph is like this screen."])
        said = "You are on page" if here is not None else "The most similar page is"
        lines.append(f"{said} {page(graph, start)}.")
        told = [
            f"- on page {page(graph, s.source)}: {describe(s.action)} to get to {leads(s, known)}"
            for s in self._around(start)
        ]
        return "\n".join([*lines, *(told or ["Nothing is known to lead on from here."])])

    def _around(self, start: NodeId) -> list[Transition]:
        """Return the steps of a breadth-first search, each page entered once."""
        found: list[Transition] = []
        seen, queue = {start}, deque([(start, 0)])
        while queue and len(found) < _TOLD:
            node, depth = queue.popleft()
            steps = [s for s in self._known.locator.graph.leaving(node) if _guides(s)]
            for step in sorted(steps, key=lambda s: (-s.reliability, s.key, s.target)):
                if step.target not in seen:
                    seen.add(step.target)
                    found.append(step)
                    if depth + 1 < _DEPTH:
                        queue.append((step.target, depth + 1))
        return found[:_TOLD]

    def _alike(self, observation: Observation) -> NodeId | None:
        read = " ".join(quoted(e.label) for e in observation.screen.visible() if e.label and not e.password)
        places = [place_and_summary(r) for r in self._known.records]
        best = self._known.best(read, places, 1)
        return self._known.locator.resolve(self._known.records[best[0]].node) if best else None


def _guides(step: Transition) -> bool:
    return tellable(step) and getattr(step.action, "target", None) is not None
