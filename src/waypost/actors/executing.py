"""Run mined pieces of ways in one go (EAM): a look in, the next action of a group or of another actor out.

Before a group is begun its preconditions are checked, and before each of its steps that the page is the
one expected. Whatever does not fit ends the group, and the actor behind takes over from where it is.
"""

from collections.abc import Mapping, Sequence

from waypost.actors.locator import Locator
from waypost.mapping import loading, regrounded
from waypost.model import ActionGroup, Decision, NodeId, Observation, Terms, Transition
from waypost.model.facts import changed, holding, initial
from waypost.planning import bound, live
from waypost.protocols import Actor, Planner

__all__ = ["GroupRunner"]

_SURE = 0.5


class GroupRunner:
    """Does the way that `planner` finds to `goal` in groups where it can, each chosen once."""

    def __init__(
        self,
        behind: Actor,
        locator: Locator,
        planner: Planner,
        goal: NodeId,
        groups: Sequence[ActionGroup],
        values: Mapping[str, str] | None = None,
    ) -> None:
        self._behind, self._map, self._planner, self._goal = behind, locator, planner, goal
        self._groups, self._values = groups, values or {}
        self._steps: list[Transition] = []
        """What is left of the group under way."""
        self._expected: NodeId | None = None
        self._last: Transition | None = None
        self._held = initial(locator.graph.facts)
        self._failed: set[tuple[NodeId, str]] = set()
        """Steps that no group is begun with any more."""
        self._running: ActionGroup | None = None
        self.chosen = self.delegated = self.done = 0
        """Groups begun, looks that the actor behind decided on, steps done by groups."""

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        """Return the next step of a group whose page shows; else what the actor behind decides."""
        found = self._map.locate(observation)
        sure = found is not None and found.confidence >= _SURE and not loading(observation.screen)
        here = self._map.resolve(found.node) if found is not None and sure else None
        if self._running is not None and here != self._expected:
            # A page that comes late is waited for by the actor behind, which looks again.
            if here is not None and self._last is not None and here != self._map.resolve(self._last.source):
                self._map.miss(self._last)
            self._drop(self._last)
        if here is not None and not self._steps:
            self._begin(here)
        if here is not None and self._steps:
            decision = self._next(observation)
            if decision is not None:
                return decision
        self.delegated += 1
        return self._behind.act(instruction, observation, guidance)

    def _begin(self, here: NodeId) -> None:
        self._running = None
        goal = self._map.resolve(self._goal)
        plan = self._planner.plan(self._map.graph, here, goal, terms=Terms(held=self._held))
        way = [(s.source, s.key) for s in plan.steps]
        fitting = [g for g in live(self._groups, self._map.graph) if self._fits(g, way)]
        for group in sorted(fitting, key=lambda g: (-len(g.steps), -g.count, g.key)):
            steps = bound(group, self._map.graph, self._values)
            if steps is not None:
                self._running, self._steps, self._expected, self._last = group, steps, here, None
                self.chosen += 1
                return

    def _drop(self, step: Transition | None) -> None:
        if step is not None:
            self._failed.add((step.source, step.key))
        self._running, self._steps = None, []

    def _fits(self, group: ActionGroup, way: list[tuple[NodeId, str]]) -> bool:
        if self._failed & set(group.key) or not holding(group.needs, self._held):
            return False
        return tuple(way[: len(group.steps)]) == group.key

    def _next(self, observation: Observation) -> Decision | None:
        step = self._steps[0]
        action = regrounded(step.action, observation.screen)
        target = getattr(action, "target", None)
        if action is None or step.hazard or (target is not None and target.hazard):
            self._drop(step)
            return None
        self._last = self._steps.pop(0)
        self._expected = self._map.resolve(step.target)
        self._held = changed(self._held, step.effects)
        self.done += 1
        assert self._running is not None
        return Decision(action, f"part of {self._running.name}", step.target)
