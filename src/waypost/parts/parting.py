"""The plan of a task inside one app (MapAgent, 3.2): a sentence and a map in; parts, and their ways, out."""

from waypost.guidance import block
from waypost.library import Answer
from waypost.model import Considered, Subtask
from waypost.parts.face import Map
from waypost.planning.clauses import clauses
from waypost.protocols import SubtaskPlanner

__all__ = ["Parting", "considered"]

_PAGES = 3
"""Pages of an app that are brought forward for a part (MapAgent, k = 3)."""


def considered(answer: Answer) -> tuple[Considered, ...]:
    """Return the best pages of an answer, the answer itself first."""
    found = list(answer.candidates)
    if answer.record is not None:
        found.sort(key=lambda f: f.record.node != answer.record.node if answer.record else False)
    return tuple(
        Considered(f.record.node, f.record.name, f.record.summary, f.record.waypoints, round(f.score, 3))
        for f in found[:_PAGES]
    )


class Parting:
    """Parts a task by its grammar, and has `planner` choose each part's page; `Dual` is told both."""

    def __init__(self, planner: SubtaskPlanner, known: Map | None) -> None:
        self._planner, self._known = planner, known

    def coarse(self, instruction: str) -> tuple[Subtask, ...]:
        """Return the parts, one a clause: within one app there is nothing to schedule, so nobody is asked."""
        app = self._known.graph.app if self._known is not None else ""
        return tuple(Subtask(c.text, app, c.learns, c.needs) for c in clauses(instruction))

    def fine(self, part: Subtask) -> str:
        """Word the page that a part is done on and the way to it; empty where the map has none."""
        if self._known is None or self._known.graph.root is None:
            return ""
        answer = self._known.find(part.what)
        pages = considered(answer)
        chosen, words = self._planner.fine(part, pages, answer.record is not None)
        if chosen < 0:
            return ""
        target = self._known.mapper.resolve(pages[chosen].node)
        plan = self._known.planner.plan(self._known.graph, self._known.graph.root, target)
        record = self._known.record_of(target)
        told = block(part.what, record, plan, self._known.graph) if record is not None else ""
        return "\n".join(t for t in (words, told) if t)
