"""Pieces of ways that recur: chains of steps and a map in, `ActionGroup`s out; with values, their steps.

Byte-pair merges as in EAM: the pair of neighbours that is seen most often becomes one symbol, again and
again. Two pieces are the same where they do the same on the same pages; where the last step led to is
left open.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from waypost.model import ActionGroup, AppGraph, NodeId, Parameter, Transition, TypeText
from waypost.model.facts import literal
from waypost.planning.cost import Costs, hazard
from waypost.planning.moves import returning

__all__ = ["bound", "chains", "live", "mined"]

StepAt: TypeAlias = tuple[NodeId, str, NodeId]
_Symbol: TypeAlias = tuple[StepAt, ...]
_Key: TypeAlias = tuple[tuple[NodeId, str], ...]

_DEAD = 0.5
"""An edge that lands more rarely than this is not relied on; its groups are stale."""


def chains(steps: Iterable[StepAt], graph: AppGraph) -> list[list[StepAt]]:
    """Cut a log of steps into ways forward: where it jumps, goes back, stays, or does what is hazardous."""
    back = returning(graph.transitions.values())
    found: list[list[StepAt]] = [[]]
    for at in steps:
        known = graph.transitions.get(at)
        if known is None or at[1] in back or hazard(known) or _idle(known):
            found.append([])
            continue
        if found[-1] and found[-1][-1][2] != at[0]:
            found.append([])
        found[-1].append(at)
    return [chain for chain in found if chain]


def _idle(step: Transition) -> bool:
    return step.source == step.target and not isinstance(step.action, TypeText) and not step.effects


def mined(
    chains: Sequence[Sequence[StepAt]], graph: AppGraph, *, least: int = 2, merges: int = 200
) -> tuple[ActionGroup, ...]:
    """Mine the pieces of two steps or more that were seen `least` times or more, the most frequent first."""
    rows: list[list[_Symbol]] = [[(at,) for at in chain] for chain in chains]
    found: dict[_Key, tuple[_Symbol, int]] = {}
    for _ in range(merges):
        counts = _pairs(rows)
        if not counts:
            break
        key, count = min(counts.items(), key=lambda c: (-c[1], c[0]))
        if count < least:
            break
        rows = [_joined(row, key) for row in rows]
        seen = Counter(symbol for row in rows for symbol in row if _key(symbol) == key)
        found[key] = (min(seen, key=lambda s: (-seen[s], s)), count)
    groups = [_group(symbol, count, graph) for symbol, count in found.values()]
    return tuple(sorted((g for g in groups if g is not None), key=lambda g: (-g.count, g.key)))


def _key(symbol: _Symbol) -> _Key:
    return tuple((source, key) for source, key, _ in symbol)


def _pairs(rows: list[list[_Symbol]]) -> Counter[_Key]:
    """Count neighbours, none twice: in a row of three alike there is one pair."""
    counts: Counter[_Key] = Counter()
    for row in rows:
        last: dict[_Key, int] = {}
        for i in range(len(row) - 1):
            key = _key(row[i]) + _key(row[i + 1])
            if last.get(key, -2) < i - 1:
                counts[key] += 1
                last[key] = i
    return counts


def _joined(row: list[_Symbol], key: _Key) -> list[_Symbol]:
    made: list[_Symbol] = []
    i = 0
    while i < len(row):
        if i + 1 < len(row) and _key(row[i]) + _key(row[i + 1]) == key:
            made.append(row[i] + row[i + 1])
            i += 2
        else:
            made.append(row[i])
            i += 1
    return made


def _group(symbol: _Symbol, count: int, graph: AppGraph) -> ActionGroup | None:
    """Name a piece and say what it needs and makes; None for one that goes in a circle."""
    moves = [at for at in symbol if at[0] != at[2]]
    pages = [at[0] for at in moves] + [at[2] for at in moves[-1:]]
    if len(set(pages)) < len(pages):
        return None
    steps = [graph.transitions[at] for at in symbol]
    needs, decided = list[str](), set[str]()
    for step in steps:
        needs += [n for n in step.preconditions if n not in needs and literal(n).fact not in decided]
        decided |= {literal(e).fact for e in step.effects}
    ends = {literal(e).fact: e for step in steps for e in step.effects}
    first, last = (_title(graph, node) for node in (symbol[0][0], symbol[-1][2]))
    name = f"{first} > {last}" + ("" if moves else f": {_label(steps[-1])}")
    return ActionGroup(name, symbol, count, tuple(needs), tuple(ends.values()), tuple(_parameters(steps)))


def _parameters(steps: list[Transition]) -> list[Parameter]:
    return [
        Parameter(i, _label(step), _kind(step.action.text))
        for i, step in enumerate(steps)
        if isinstance(step.action, TypeText)
    ]


def _kind(text: str) -> str:
    """Tell what sort of text was typed.

    >>> _kind("12.50"), _kind("ann@example.org"), _kind("Ann")
    ('number', 'email', 'text')
    """
    if re.fullmatch(r"[+-]?\d+([.,]\d+)?", text.strip()):
        return "number"
    return "email" if re.fullmatch(r"\S+@\S+\.\S+", text.strip()) else "text"


def _title(graph: AppGraph, node: NodeId) -> str:
    return graph.nodes[node].name or node


def _label(step: Transition) -> str:
    target = getattr(step.action, "target", None)
    return target.label if target is not None and target.label else step.key


def live(groups: Iterable[ActionGroup], graph: AppGraph, *, costs: Costs | None = None) -> list[ActionGroup]:
    """Return the groups of which every edge is on the map and lands more often than not; others are stale."""
    prices = costs or Costs()

    def holds(at: StepAt) -> bool:
        step = graph.transitions.get(at)
        return step is not None and prices.chance(step) >= _DEAD

    return [group for group in groups if all(map(holds, group.steps))]


def bound(group: ActionGroup, graph: AppGraph, values: Mapping[str, str]) -> list[Transition] | None:
    """Return a group's steps with `values` typed in; None where one is missing or does not fit."""
    steps = [graph.transitions[at] for at in group.steps]
    for parameter in group.parameters:
        value, action = values.get(parameter.name), steps[parameter.step].action
        if value is None or (parameter.kind != "text" and _kind(value) != parameter.kind):
            return None
        assert isinstance(action, TypeText)
        steps[parameter.step] = replace(steps[parameter.step], action=replace(action, text=value))
    return steps
