"""Hold a plan against its map, step by step: a plan in, what is wrong with it out.

Shares the price list and the rule for ways back with the searches, and nothing else.
"""

from dataclasses import dataclass, field

from waypost.model import (
    AppGraph,
    Goal,
    Launch,
    NodeId,
    PageKind,
    Plan,
    PlanStatus,
    Standing,
    Terms,
    Transition,
    TransitionKind,
)
from waypost.model.facts import changed, holding, initial, kept
from waypost.planning.cost import Costs, hazard
from waypost.planning.moves import Penalties, free, returning

__all__ = ["Question", "cost_of", "faults"]


@dataclass(frozen=True, slots=True)
class Question:
    """What a planner was asked."""

    start: NodeId
    goal: Goal
    terms: Terms = field(default_factory=Terms)
    penalties: Penalties = free
    costs: Costs = field(default_factory=Costs)
    allow_hazards: bool = False


def faults(graph: AppGraph, question: Question, plan: Plan) -> list[str]:
    """Say what is wrong with a plan that claims to lead to the goal; nothing where it keeps its word.

    The start, every step's place, preconditions and what the terms rule out, the goal, and the cost.
    """
    if not plan.found:
        return [] if not plan.steps else ["a plan that was not found has steps"]
    run = _Run(graph, question)
    for n, step in enumerate(plan.steps, 1):
        run.take(n, step)
    return [*run.wrong, *_unmet(question, plan, run)]


def cost_of(graph: AppGraph, question: Question, plan: Plan) -> float:
    """Return what the steps of a plan cost by our list of prices, whoever made the plan."""
    run = _Run(graph, question)
    for n, step in enumerate(plan.steps, 1):
        run.take(n, step)
    return run.paid


class _Run:
    """A plan being followed: where it is, what holds, what it has paid, and what went wrong."""

    def __init__(self, graph: AppGraph, question: Question) -> None:
        self.graph, self.question = graph, question
        self.held = initial(graph.facts) if question.terms.held is None else question.terms.held
        self.visited = [question.start]
        self.paid, self.wrong = 0.0, list[str]()
        self._moved = False
        self._back = returning(graph.transitions.values())

    def take(self, n: int, step: Transition) -> None:
        terms, anew = self.question.terms, _starts_over(self.graph, step)
        if step.source != self.visited[-1]:
            self.wrong.append(f"step {n} starts on {step.source!r}, but the plan is on {self.visited[-1]!r}")
        if not anew:
            self.wrong += [f"step {n} {why}" for why in _barred(self.graph, self.question, step)]
            if not holding(step.preconditions, self.held):
                self.wrong.append(f"step {n} needs {', '.join(step.preconditions)}")
        if step.target in terms.avoid_pages or (step.source, step.key) in terms.avoid_actions:
            self.wrong.append(f"step {n} is to be avoided")
        self.paid += _price(self.graph, self.question, step, self._moved, self._back)
        self.paid += max(0.0, self.question.penalties(step.source, step.key))
        self.held = kept(self.held, self.graph.facts) if anew else changed(self.held, step.effects)
        self._moved = self._moved or anew or step.key not in self._back
        self.visited.append(step.target)


def _unmet(question: Question, plan: Plan, run: _Run) -> list[str]:
    wrong, terms, goal = list[str](), question.terms, question.goal
    if not _visits(goal, run.visited):
        wrong.append("not every group of the goal is visited")
    if not holding(goal.facts, run.held):
        wrong.append(f"{', '.join(goal.facts)} does not hold at the end")
    if terms.hops is not None and len(plan.steps) > terms.hops:
        wrong.append(f"{len(plan.steps)} steps, of at most {terms.hops}")
    if abs(run.paid - plan.cost) > 0.001 * (len(plan.steps) + 1):
        wrong.append(f"costs {run.paid:.3f}, not {plan.cost:.3f}")
    if plan.status is PlanStatus.OPTIMAL and plan.bound != plan.cost:
        wrong.append("calls itself optimal without a bound that proves it")
    return wrong


def _starts_over(graph: AppGraph, step: Transition) -> bool:
    over = isinstance(step.action, Launch) and step.action.fresh and step.key == "launch"
    return over and step.target == graph.root


def _barred(graph: AppGraph, question: Question, step: Transition) -> list[str]:
    wrong = []
    if graph.transitions.get((step.source, step.key, step.target)) != step:
        wrong.append("is not on the map")
    ends = (graph.nodes.get(step.source), graph.nodes.get(step.target))
    if step.kind is TransitionKind.OVERLAY or any(n is None or n.kind is not PageKind.PAGE for n in ends):
        wrong.append("leads through what is no page")
    risk = hazard(step)
    if risk and (not question.allow_hazards or risk in question.terms.avoid_hazards):
        wrong.append(f"is hazardous ({risk})")
    return wrong


def _price(graph: AppGraph, question: Question, step: Transition, moved: bool, back: frozenset[str]) -> float:
    rivals = [
        t
        for t in graph.transitions.values()
        if (t.source, t.key, t.preconditions) == (step.source, step.key, step.preconditions)
    ]
    best = max(rivals, key=_record, default=step)
    trusted = step.key not in back or not (moved or step.source == graph.root)
    return question.costs.price(step, expected=best.target == step.target and trusted)


def _record(t: Transition) -> tuple[bool, float, float, str]:
    return t.standing is not Standing.STALE, t.reliability, t.last_seen, t.target


def _visits(goal: Goal, visited: list[NodeId]) -> bool:
    if not goal.ordered:
        return all(any(page in group for page in visited) for group in goal.groups)
    left = list(goal.groups)
    for page in visited:
        while left and page in left[0]:
            left.pop(0)
    return not left
