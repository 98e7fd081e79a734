"""Plan by looking ahead under doubt (EAM): a map, a start and a goal in, a `Plan` or ranked next actions out.

UCT over what actions were seen to lead to, each outcome as often as it was seen, controls that nobody tried
among them. What is not looked into is valued by a `ValueModel` where there is one. It proves nothing:
its plans are never called optimal, unless the bound of the exact search happens to meet their cost.
"""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from waypost.model import AppGraph, Goal, NodeId, Plan, PlanStatus, Press, Terms, Transition
from waypost.planning.cost import UNIT, Costs, hazard
from waypost.planning.distances import Distances, Reader, remaining
from waypost.planning.moves import Penalties, free
from waypost.planning.problem import Op, Problem, aim
from waypost.planning.search import Found, answer
from waypost.planning.value import Sample, ValueModel, features

__all__ = ["Ranked", "TreeConfig", "TreeSearch"]

_NAME = "tree_search"
_GAMMA = 0.95
_GUESS = 0.2
"""Value of what neither the map nor a model knows."""


@dataclass(frozen=True, slots=True)
class TreeConfig:
    iterations: int = 200
    depth: int = 30
    c: float = 1.0
    """How much what was looked into less is preferred (UCT)."""
    untried: bool = False
    """Let controls that nobody tried be actions, for `ranked`; a plan only has steps that are known."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Ranked:
    """An action that could be done next, and what is expected of it."""

    key: str
    value: float
    """0 to 1."""
    visits: int
    step: Transition | None
    """The likeliest outcome; None for a control that nobody tried."""


@dataclass(slots=True)
class _Arm:
    key: str
    ops: list[Op]
    """The outcomes seen; none for a control that nobody tried."""
    chances: list[float]
    prior: float
    inputs: tuple[float, ...] = ()
    visits: int = 0
    total: float = 0.0
    children: dict[int, "_Node"] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else self.prior


@dataclass(slots=True)
class _Node:
    page: int
    depth: int
    goal: bool
    arms: list[_Arm] | None = None
    visits: int = 0


class TreeSearch:
    """Search ahead by simulation; `value` guides it where the budget ends."""

    def __init__(
        self,
        *,
        costs: Costs | None = None,
        value: ValueModel | None = None,
        config: TreeConfig | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._reader = Reader(costs, allow_hazards=False, heeds_facts=False)
        self._value, self._config, self._clock = value, config or TreeConfig(), clock

    def plan(
        self,
        graph: AppGraph,
        start: NodeId,
        goal: NodeId | Goal,
        *,
        penalties: Penalties | None = None,
        terms: Terms | None = None,
    ) -> Plan:
        """Plan to the pages of the goal, nearest first; facts are not looked at."""
        began = self._clock()
        distances, wanted, terms = self._reader.read(graph), aim(goal), terms or Terms()
        steps, at, bound = list[Transition](), start, 0.0
        left = list(wanted.groups)
        if wanted.facts:
            why = "a tree search knows no facts; ask a planner that does"
            return Plan(PlanStatus.GAVE_UP, start, planner=_NAME, reason=why)
        whole = Problem(distances.moves, start, wanted, terms, penalties or free)
        least = remaining(whole, distances)(whole.start, 0)
        if whole.settled or math.isinf(least):
            return answer(Found(None), whole, _NAME, self._clock() - began)
        bound = least / UNIT
        cost, moved = 0, False
        while left := [g for i, g in enumerate(left) if at not in g or (wanted.ordered and i > 0)]:
            group = left[0] if wanted.ordered else frozenset().union(*left)
            hops = None if terms.hops is None else terms.hops - len(steps)
            limited = replace(terms, hops=hops)
            problem = Problem(distances.moves, at, Goal((group,)), limited, penalties or free, moved=moved)
            tree = _Tree(problem, distances, graph, self._config, self._value)
            way = tree.run(hops)
            if way is None:
                why = f"no way was found in {self._config.iterations} looks ahead"
                seconds = self._clock() - began
                return Plan(PlanStatus.GAVE_UP, at, (), 0.0, bound, _NAME, seconds, why)
            steps += [op.step for op, _ in way]
            cost += sum(price for _, price in way)
            at = steps[-1].target
            moved = any(s.key not in distances.moves.back for s in steps)
        status = PlanStatus.OPTIMAL if cost / UNIT <= bound else PlanStatus.SATISFICING
        return Plan(status, at, tuple(steps), cost / UNIT, bound, _NAME, self._clock() - began)

    def ranked(
        self, graph: AppGraph, start: NodeId, goal: NodeId | Goal, *, penalties: Penalties | None = None
    ) -> list[Ranked]:
        """Rank what can be done on a page towards a goal, the best first; no way there need be known."""
        distances = self._reader.read(graph)
        problem = Problem(distances.moves, start, aim(goal), Terms(), penalties or free)
        tree = _Tree(problem, distances, graph, self._config, self._value)
        tree.run(None)
        arms = sorted(tree.arms(tree.root), key=lambda a: (-a.visits, -a.mean, a.key))
        return [Ranked(a.key, a.mean, a.visits, a.ops[0].step if a.ops else None) for a in arms]

    def samples(self, graph: AppGraph, start: NodeId, goal: NodeId, task: str) -> list[Sample]:
        """Search, and return what a value model can learn from the tree: q = max(r, 0.95 mean child)."""
        distances = self._reader.read(graph)
        problem = Problem(distances.moves, start, aim(goal), Terms(), free)
        tree = _Tree(problem, distances, graph, self._config, self._value)
        tree.run(None)
        found: list[Sample] = []
        tree.targets(tree.root, task, found)
        return found


class _Tree:
    def __init__(
        self,
        problem: Problem,
        distances: Distances,
        graph: AppGraph,
        config: TreeConfig,
        value: ValueModel | None,
    ) -> None:
        self._problem, self._graph, self._config, self._value = problem, graph, config, value
        self._costs = Costs()
        self._rng = random.Random(config.seed)
        self._goals = problem.groups[0] if problem.groups else frozenset[int]()
        self._away = distances.to(self._goals)
        self._task = " ".join(sorted(self._text(p) for p in self._goals))
        self.root = _Node(problem.start, 0, problem.start in self._goals)
        self._best: tuple[int, list[tuple[Op, int]]] | None = None

    def run(self, hops: int | None) -> list[tuple[Op, int]] | None:
        """Look ahead as often as the budget says; return the cheapest way to the goal that was come by."""
        depth = self._config.depth if hops is None else min(hops, self._config.depth)
        for _ in range(self._config.iterations):
            self._look(depth)
        return self._best[1] if self._best else None

    def _look(self, depth: int) -> None:
        node, path, way = self.root, list[tuple[_Node, _Arm]](), list[tuple[Op, int]]()
        moved, passed = self._problem.moved, {self.root.page}
        value = 0.0
        while True:
            if node.goal:
                value = 1.0
                self._keep(way)
                break
            arms = [a for a in self.arms(node) if not self._returns(a, passed)]
            if node.depth >= depth or not arms:
                break
            arm = self._select(node, arms)
            path.append((node, arm))
            if not arm.ops:
                value = arm.prior
                break
            op = self._rng.choices(arm.ops, arm.chances)[0]
            way.append((op, op.late if moved else op.early))
            moved = moved or op.onward
            passed.add(op.target)
            fresh = arm.visits == 0
            node = arm.children.setdefault(
                op.target, _Node(op.target, node.depth + 1, op.target in self._goals)
            )
            if fresh and not node.goal:
                value = arm.prior
                break
        for back, (at, arm) in enumerate(reversed(path)):
            at.visits += 1
            arm.visits += 1
            arm.total += value * _GAMMA**back
        self.root.visits += not path

    def _keep(self, way: list[tuple[Op, int]]) -> None:
        price = sum(p for _, p in way)
        if self._best is None or price < self._best[0]:
            self._best = (price, list(way))

    def _returns(self, arm: _Arm, passed: set[int]) -> bool:
        """Whether an action leads only to where this look ahead already was."""
        return bool(arm.ops) and all(op.target in passed for op in arm.ops)

    def _select(self, node: _Node, arms: Sequence[_Arm]) -> _Arm:
        seen = math.log(node.visits + 1)

        def score(arm: _Arm) -> float:
            # A prior look stands for each arm, so that what the model finds hopeless waits its turn.
            return arm.mean + self._config.c * math.sqrt(seen / (arm.visits + 1)) * max(0.05, arm.prior)

        return max(arms, key=lambda a: (score(a), -len(a.key), a.key))

    def arms(self, node: _Node) -> list[_Arm]:
        """Return the actions of a page, each with its outcomes."""
        if node.arms is None:
            outcomes: dict[str, list[Op]] = {}
            for op in self._problem.ops(node.page):
                if op.step.source != op.step.target:
                    outcomes.setdefault(op.step.key, []).append(op)
            if (anew := self._problem.relaunch(node.page)) is not None and node.depth == 0:
                outcomes["launch"] = [anew]
            arms = [self._arm(node, key, ops) for key, ops in sorted(outcomes.items())]
            if self._config.untried and node.page < len(self._problem.moves.pages):
                page = self._problem.moves.pages[node.page]
                arms += [self._arm(node, key, []) for key in self._graph.untried.get(page, ())]
            self._priors(arms)
            node.arms = arms
        return node.arms

    def _arm(self, node: _Node, key: str, ops: list[Op]) -> _Arm:
        ops = sorted(ops, key=lambda o: -self._costs.chance(o.step))
        chances = [self._costs.chance(o.step) for o in ops]
        target = self._text(ops[0].target) if ops else ""
        label = _label(ops[0].step) if ops else _spoken(key)
        step = ops[0].step if ops else None
        figures = (
            max(chances, default=0.5),
            float(node.depth),
            float(step is not None and step.action == Press("back")),
            float(step is not None and bool(hazard(step))),
            float(step is None),
            float(step is not None and bool(step.unverified)),
        )
        inputs = features(self._task, self._text(node.page), (), label, target, *figures)
        return _Arm(key, ops, chances, 0.5, tuple(map(float, inputs)))

    def _priors(self, arms: list[_Arm]) -> None:
        """Value what was not looked into: by the map's distances where it has a way, else by the model."""
        guessed = [_GUESS] * len(arms)
        if self._value is not None and arms:
            guessed = [float(v) for v in self._value.values(np.array([a.inputs for a in arms]))]
        for arm, guess in zip(arms, guessed, strict=True):
            ways = [
                (chance, _GAMMA ** ((op.early + self._away[op.target]) / UNIT))
                for op, chance in zip(arm.ops, arm.chances, strict=True)
                if not math.isinf(self._away[op.target])
            ]
            known = sum(c * v for c, v in ways) / max(1.0, sum(arm.chances))
            arm.prior = known or (guess if not arm.ops or self._config.untried else 0.0)

    def _text(self, page: int) -> str:
        if page >= len(self._problem.moves.pages):
            return ""
        node = self._graph.nodes[self._problem.moves.pages[page]]
        return node.name or str(node.id)

    def targets(self, node: _Node, task: str, found: list[Sample]) -> float:
        """Return a node's q, and add a sample for each action below it that was looked into."""
        if node.goal:
            return 1.0
        best = 0.0
        for arm in node.arms or ():
            if arm.visits and arm.ops:
                below = [self.targets(child, task, found) for child in arm.children.values()]
                q = _GAMMA * sum(below) / len(below) if below else 0.0
                found.append(Sample(task, arm.inputs, q))
                best = max(best, q)
        return best


def _label(step: Transition) -> str:
    target = getattr(step.action, "target", None)
    return target.label if target is not None and target.label else _spoken(step.key)


def _spoken(key: str) -> str:
    """Return the words of an action's key: `tap:button|Sound|list` says `Sound`."""
    parts = key.partition(":")[2].split("|")
    return parts[1] if len(parts) > 1 else parts[0]
