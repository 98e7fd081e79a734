"""A problem as PDDL: a problem and the map's names in, domain and problem text out.

`at(?page)` with the pages as constants, and an action for each move: one predicate a page would cost Fast
Downward's invariant synthesis seconds at 150 pages. Names carry a number, so that none collide.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from waypost.model import AppGraph, Transition
from waypost.planning.problem import Problem
from waypost.planning.sas import Variables, operators

__all__ = ["PddlFiles", "symbol", "write_pddl"]


@dataclass(frozen=True, slots=True)
class PddlFiles:
    domain: str
    problem: str
    steps: tuple[Transition, ...]
    """By the number in an action's name: `s12-tap-save` is the thirteenth."""

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write `domain.pddl` and `problem.pddl` into a folder, made where it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        domain, problem = folder / "domain.pddl", folder / "problem.pddl"
        domain.write_text(self.domain, encoding="utf-8")
        problem.write_text(self.problem, encoding="utf-8")
        return domain, problem

    def read(self, plan: str) -> tuple[Transition, ...]:
        """Turn a planner's answer, an action a line in brackets, into steps. Raises ValueError for others."""
        steps = []
        for line in plan.splitlines():
            words = line.strip().lower()
            if words.startswith("("):
                number = re.match(r"\(\s*s(\d+)[-\s)]", words)
                if number is None or int(number[1]) >= len(self.steps):
                    raise ValueError(f"{line!r} is no action of this problem")
                steps.append(self.steps[int(number[1])])
        return tuple(steps)


def symbol(letter: str, number: int, words: str) -> str:
    """Name a thing in PDDL: its number makes it the only one, its words make it legible.

    >>> symbol("p", 3, "Wi-Fi & Bluetooth"), symbol("p", 4, "设置")
    ('p3-wi-fi-bluetooth', 'p4')
    """
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].rstrip("-")
    return f"{letter}{number}-{slug}" if slug else f"{letter}{number}"


class _Names:
    """The literals that variables and their values stand for."""

    def __init__(self, problem: Problem, graph: AppGraph) -> None:
        self.problem, self.variables = problem, Variables.of(problem)
        moves = problem.moves
        titles = [graph.nodes[page].name or page for page in moves.pages]
        self.pages = [symbol("p", i, title) for i, title in enumerate([*titles, "nowhere"])]
        self.facts = [symbol("f", i, fact) for i, fact in enumerate(problem.facts)]
        count = len(problem.groups)
        self.groups = [f"g{i}" for i in range(count + 1 if problem.goal.ordered else count)]

    def holds(self, variable: int, value: int) -> str:
        first = self.variables.first_group
        if variable == 0:
            return f"(at {self.pages[value]})"
        if variable >= first and self.problem.goal.ordered:
            return f"(reached {self.groups[value]})"
        atom = "(moved)"
        if variable >= first:
            atom = f"(visited {self.groups[variable - first]})"
        elif variable > 1:
            atom = f"(holds {self.facts[variable - 2]})"
        return atom if value else f"(not {atom})"

    def makes(self, variable: int, value: int, before: int | None) -> list[str]:
        new = self.holds(variable, value)
        many = variable == 0 or (variable >= self.variables.first_group and self.problem.goal.ordered)
        # Of a variable with many values the old one has to be taken back by name.
        old = [f"(not {self.holds(variable, before)})"] if many and before is not None else []
        return [*old, new]


def write_pddl(problem: Problem, graph: AppGraph) -> PddlFiles:
    """Write the problem; prices are whole thousandths of a step, to be minimised."""
    names = _Names(problem, graph)
    actions, steps = [], []
    for n, op in enumerate(o for o in operators(problem) if o.makes):
        needs = " ".join(names.holds(v, x) for v, x in sorted(op.needs.items()))
        made = [names.makes(v, x, op.needs.get(v)) for v, x in sorted(op.makes.items())]
        effects = " ".join(atom for atoms in made for atom in atoms)
        actions.append(
            f"  (:action {symbol('s', n, op.step.key)}\n    :parameters ()\n    :precondition (and {needs})\n"
            f"    :effect (and {effects} (increase (total-cost) {op.price})))"
        )
        steps.append(op.step)
    domain = [
        "(define (domain waypost)",
        "  (:requirements :strips :typing :negative-preconditions :action-costs)",
        "  (:types page fact group - object)",
        f"  (:constants {' '.join(_constants(names))})",
        "  (:predicates (at ?p - page) (moved) (holds ?f - fact) (visited ?g - group) (reached ?g - group))",
        "  (:functions (total-cost) - number)",
        *actions,
        ")",
    ]
    variables = names.variables
    start = [names.holds(v, x) for v, x in enumerate(variables.start)]
    begun = [atom for atom in start if not atom.startswith("(not ")]
    wanted = [names.holds(v, x) for v, x in sorted(variables.wanted.items())]
    question = [
        "(define (problem way)",
        "  (:domain waypost)",
        f"  (:init {' '.join(begun)} (= (total-cost) 0))",
        f"  (:goal (and {' '.join(wanted)}))",
        "  (:metric minimize (total-cost))",
        ")",
    ]
    return PddlFiles("\n".join(domain) + "\n", "\n".join(question) + "\n", tuple(steps))


def _constants(names: _Names) -> Iterator[str]:
    for group, kind in ((names.pages, "page"), (names.facts, "fact"), (names.groups, "group")):
        if group:
            yield f"{' '.join(group)} - {kind}"
