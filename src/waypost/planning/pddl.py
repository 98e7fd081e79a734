"""Plan with a real planner (Agent+P): a map, a start and a goal in, Fast Downward's plan, checked, out.

The same problem as `ProductSearch` solves, written as SAS+ and solved by Fast Downward's search; `export`
writes it as PDDL for any other planner. An optimal plan is claimed only from an admissible search, with
costs in whole numbers, and every plan is held against the map before it is handed out.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from waypost.model import AppGraph, Goal, NodeId, Plan, PlanStatus, Terms
from waypost.planning.checking import Question, faults
from waypost.planning.cost import UNIT, Costs
from waypost.planning.distances import Distances, Reader, remaining
from waypost.planning.downward import SEARCHES, Ending, Solved, run_search
from waypost.planning.moves import Penalties, free
from waypost.planning.pddl_text import PddlFiles, write_pddl
from waypost.planning.problem import Problem, aim
from waypost.planning.sas import Encoded, encode_sas
from waypost.planning.search import Found, answer

__all__ = ["Pddl", "PddlConfig"]


@dataclass(frozen=True, slots=True)
class PddlConfig:
    search: str = "blind"
    """One of `SEARCHES`: `blind` and `lmcut` are optimal, `lazy` is not. Blind is the fastest on maps."""
    seconds: float = 10.0
    """Time that one run may take."""
    cached: int = 256
    """Answers kept for the map as it stands; any change of the map drops them."""
    check: bool = True
    """Hold every plan against the map; what does not pass is not handed out."""

    def __post_init__(self) -> None:
        if self.search not in SEARCHES:
            raise ValueError(f"no search {self.search!r}; choose one of {', '.join(SEARCHES)}")


class Pddl:
    """Solve with Fast Downward. Raises UsageError where the extra `pddl` is not installed."""

    def __init__(
        self,
        *,
        costs: Costs | None = None,
        allow_hazards: bool = False,
        config: PddlConfig | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._config = config or PddlConfig()
        self._reader = Reader(costs, allow_hazards=allow_hazards, heeds_facts=True)
        self._allow_hazards, self._clock = allow_hazards, clock
        self._of: Distances | None = None
        self._known: dict[tuple[NodeId, Goal, Terms], Plan] = {}
        self.name = f"fast_downward_{self._config.search}"

    def plan(
        self,
        graph: AppGraph,
        start: NodeId,
        goal: NodeId | Goal,
        *,
        penalties: Penalties | None = None,
        terms: Terms | None = None,
    ) -> Plan:
        """Plan from `start`, known or not; the time limit ends in GAVE_UP, with the bound that is known."""
        began, goal, terms = self._clock(), aim(goal), terms or Terms()
        distances = self._reader.read(graph)
        if distances is not self._of:
            self._of = distances
            self._known.clear()
        known = self._known.get((start, goal, terms)) if penalties is None else None
        if known is None:
            question = Question(
                start, goal, terms, penalties or free, self._reader.costs, self._allow_hazards
            )
            known = self._solve(graph, distances, question)
            # A plan that was given up may be found with more time; it is asked for anew.
            if penalties is None and known.status is not PlanStatus.GAVE_UP:
                while len(self._known) >= self._config.cached:
                    del self._known[next(iter(self._known))]
                self._known[start, goal, terms] = known
        return replace(known, seconds=self._clock() - began)

    def export(
        self, graph: AppGraph, start: NodeId, goal: NodeId | Goal, *, terms: Terms | None = None
    ) -> PddlFiles:
        """Write domain and problem for any other planner; names say pages and actions, and never collide."""
        moves = self._reader.read(graph).moves
        return write_pddl(Problem(moves, start, aim(goal), terms or Terms(), free), graph)

    def _solve(self, graph: AppGraph, distances: Distances, question: Question) -> Plan:
        problem = Problem(distances.moves, question.start, question.goal, question.terms, question.penalties)
        bound = remaining(problem, distances)(problem.start, 0)
        if problem.settled or problem.needs.contradictory or bound == math.inf:
            return answer(Found(None), problem, self.name, 0.0)
        plan = self._run(problem, bound, None)
        hops = question.terms.hops
        # The cheapest plan is the cheapest of those with few hops too, where it has few itself.
        if hops is not None and plan.found and len(plan.steps) > hops:
            plan = self._run(problem, bound, hops)
        wrong = faults(graph, question, plan) if self._config.check else []
        if wrong:
            why = f"Fast Downward's plan does not stand the check: {'; '.join(wrong)}"
            return Plan(PlanStatus.GAVE_UP, plan.goal, planner=self.name, reason=why)
        return plan

    def _run(self, problem: Problem, bound: float, hops: int | None) -> Plan:
        encoded = encode_sas(problem, hops)
        solved = run_search(encoded.text, self._config.search, seconds=self._config.seconds)
        match solved.ending:
            case Ending.NONE:
                return answer(Found(None), problem, self.name, 0.0)
            case Ending.STOPPED:
                stopped = answer(Found(None, bound=int(bound), stopped=True), problem, self.name, 0.0)
                return replace(stopped, reason=solved.why)
        return self._read(problem, encoded, solved, bound)

    def _read(self, problem: Problem, encoded: Encoded, solved: Solved, bound: float) -> Plan:
        steps = tuple(encoded.steps[int(name[1:])] for name in solved.names)
        assert solved.cost is not None
        if SEARCHES[self._config.search][1]:
            bound = solved.cost
        status = PlanStatus.OPTIMAL if bound >= solved.cost else PlanStatus.SATISFICING
        end = steps[-1].target if steps else problem.start_page
        return Plan(status, end, steps, solved.cost / UNIT, bound / UNIT, self.name)
