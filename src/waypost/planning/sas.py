"""A problem as Fast Downward's search reads it (SAS+), without the translator: a problem in, lines out.

One variable says the page, one whether the plan has gone forward, and one each fact and each group
(for an ordered goal one for the progress). Costs are whole numbers of `UNIT`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from waypost.model import Transition
from waypost.planning.problem import Op, Problem

__all__ = ["Encoded", "Operator", "Variables", "encode_sas", "operators"]

_PAGE, _MOVED = 0, 1


@dataclass(frozen=True, slots=True)
class Operator:
    """What a state needs and what it becomes, by variable."""

    step: Transition
    needs: dict[int, int]
    makes: dict[int, int]
    price: int


@dataclass(frozen=True, slots=True)
class Variables:
    """The variables of a problem, by number: what each may be, is at the start, and has to be at the end."""

    sizes: tuple[int, ...]
    start: tuple[int, ...]
    wanted: dict[int, int]
    first_group: int
    """Where the groups begin, after page, moved and the facts; an ordered goal has one for all."""

    @classmethod
    def of(cls, problem: Problem, hops: int | None = None) -> "Variables":
        """Lay the variables out; with `hops`, the last one counts steps up to there."""
        facts, groups = len(problem.facts), len(problem.groups)
        first = 2 + facts
        sizes = [len(problem.moves.pages) + 1, 2, *([2] * facts)]
        start = [problem.start, int(problem.moved), *(problem.held >> i & 1 for i in range(facts))]
        wanted = {2 + i: 1 for i in range(facts) if problem.needs.must >> i & 1}
        wanted |= {2 + i: 0 for i in range(facts) if problem.needs.never >> i & 1}
        if problem.goal.ordered:
            sizes, start, wanted = [*sizes, groups + 1], [*start, 0], wanted | {first: groups}
        else:
            sizes += [2] * groups
            start += [0] * groups
            wanted |= {first + i: 1 for i in range(groups)}
        if hops is not None:
            sizes, start = [*sizes, hops + 1], [*start, 0]
        return cls(tuple(sizes), tuple(start), wanted, first)


@dataclass(frozen=True, slots=True)
class Encoded:
    text: str
    steps: tuple[Transition, ...] = field(repr=False)
    """By operator: `s0`, `s1` and so on."""


def encode_sas(problem: Problem, hops: int | None = None) -> Encoded:
    """Write the whole problem; of operators that do the same, the cheapest is kept.

    A limit of `hops` multiplies the operators: ask for it only where the plan without one is too long.
    """
    variables = Variables.of(problem, hops)
    lines = [
        "begin_version",
        "3",
        "end_version",
        "begin_metric",
        "1",
        "end_metric",
        str(len(variables.sizes)),
    ]
    for v, size in enumerate(variables.sizes):
        lines += ["begin_variable", f"v{v}", "-1", str(size)]
        lines += [*(f"Atom v{v}({n})" for n in range(size)), "end_variable"]
    lines += ["0", "begin_state", *map(str, variables.start), "end_state"]
    wanted = sorted(variables.wanted.items())
    lines += ["begin_goal", str(len(wanted)), *(f"{v} {n}" for v, n in wanted), "end_goal"]
    ops = list(_cheapest(problem))
    if hops is not None:
        counter = len(variables.sizes) - 1
        ops = [_counted(op, counter, n) for op in ops for n in range(hops)]
    lines.append(str(len(ops)))
    for n, op in enumerate(ops):
        prevail = {v: x for v, x in op.needs.items() if v not in op.makes}
        lines += ["begin_operator", f"s{n}", str(len(prevail))]
        lines += [f"{v} {x}" for v, x in sorted(prevail.items())]
        lines.append(str(len(op.makes)))
        lines += [f"0 {v} {op.needs.get(v, -1)} {x}" for v, x in sorted(op.makes.items())]
        lines += [str(op.price), "end_operator"]
    lines += ["0", ""]
    return Encoded("\n".join(lines), tuple(op.step for op in ops))


def _counted(op: Operator, counter: int, done: int) -> Operator:
    return replace(op, needs=op.needs | {counter: done}, makes=op.makes | {counter: done + 1})


def _cheapest(problem: Problem) -> Iterator[Operator]:
    best: dict[tuple[object, object], Operator] = {}
    for op in operators(problem):
        at = (tuple(sorted(op.needs.items())), tuple(sorted(op.makes.items())))
        if at not in best or op.price < best[at].price:
            best[at] = op
    # An operator without effect helps nobody, and Fast Downward does not read one.
    yield from (op for op in best.values() if op.makes)


def operators(problem: Problem) -> Iterator[Operator]:
    """Yield every move with what it needs and makes; a relaunch is one for each page that allows it."""
    for page in range(len(problem.moves.pages) + 1):
        anew = problem.relaunch(page)
        for op in problem.ops(page) if anew is None else [*problem.ops(page), anew]:
            if op.needs.contradictory:
                continue
            if op.early == op.late:
                yield from _variants(problem, page, op, op.late, {})
            else:
                yield from _variants(problem, page, op, op.early, {_MOVED: 0})
                yield from _variants(problem, page, op, op.late, {_MOVED: 1})


def _variants(problem: Problem, page: int, op: Op, price: int, at: dict[int, int]) -> Iterator[Operator]:
    needs, makes = {_PAGE: page, **at}, dict[int, int]()
    for i in range(len(problem.facts)):
        bit = 1 << i
        if op.needs.must & bit or op.needs.never & bit:
            needs[2 + i] = int(bool(op.needs.must & bit))
        if op.add & bit:
            makes[2 + i] = 1
        elif not op.keep & bit:
            makes[2 + i] = 0
    if op.target != page:
        makes[_PAGE] = op.target
    if op.onward:
        makes[_MOVED] = 1
    first, served = 2 + len(problem.facts), problem.serves.get(op.target, 0)
    if not problem.goal.ordered:
        makes |= {first + i: 1 for i in range(len(problem.groups)) if served >> i & 1}
        yield Operator(op.step, needs, makes, price)
        return
    yield Operator(op.step, needs, makes, price)
    for progress in range(len(problem.groups)):
        if served >> progress & 1:
            onward = problem.advanced(progress, op.target)
            yield Operator(op.step, needs | {first: progress}, makes | {first: onward}, price)
