"""A map, a start and a goal in, the way with the fewest taps out."""

from collections import deque
from collections.abc import Callable

from waypost.model import AppGraph, Goal, NodeId, PageKind, Plan, PlanStatus, Terms, Transition


class FewestTaps:
    """`waypost plan --planner fewest-taps`; knows one page as its goal, and no facts."""

    def plan(
        self,
        graph: AppGraph,
        start: NodeId,
        goal: NodeId | Goal,
        *,
        penalties: Callable[[NodeId, str], float] | None = None,
        terms: Terms | None = None,
    ) -> Plan:
        """Search breadth first. What it costs is reckoned by Waypost, which also checks every step."""
        (target,) = goal.groups[0] if isinstance(goal, Goal) else (goal,)
        if target == start:
            return Plan(PlanStatus.ALREADY_THERE, target)
        came: dict[NodeId, Transition] = {}
        queue = deque([start])
        while queue and target not in came:
            page = queue.popleft()
            for step in graph.leaving(page):
                if step.target not in came and step.target != start and safe(graph, step):
                    came[step.target] = step
                    queue.append(step.target)
        if target not in came:
            return Plan(PlanStatus.GAVE_UP, target, reason="no chain of known steps leads there")
        steps = [came[target]]
        while steps[0].source != start:
            steps.insert(0, came[steps[0].source])
        return Plan(PlanStatus.SATISFICING, target, tuple(steps))


def safe(graph: AppGraph, step: Transition) -> bool:
    """Whether a step leads from page to page and does no harm; Waypost refuses plans with others."""
    ends = (graph.nodes[step.source], graph.nodes[step.target])
    hazard = step.hazard or getattr(getattr(step.action, "target", None), "hazard", "")
    return not hazard and not step.preconditions and all(n.kind is PageKind.PAGE for n in ends)
