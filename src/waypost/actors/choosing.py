"""Which row of a list an instruction names: a step, its map, a look and a sentence in, that row out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from waypost.actors.aiming import Aim
from waypost.actors.wordmatch import stems
from waypost.mapping import controls, regrounded
from waypost.mapping.controls import Control
from waypost.model import Action, AppGraph, Evidence, NodeId, Role, Screen, Transition

__all__ = ["Row", "best_named", "named_row", "row_labels", "unnamed_rows"]

_HALF = 0.5
"""Share of a row's own words that a sentence must say."""
_NOT_MEANT = 3.0
"""What a row costs extra where the sentence names one of another list of its page."""
_UNNAMED = 0.4
"""What a row costs extra where the sentence names none."""
_ROLES = frozenset(role.value for role in Role)


@dataclass(frozen=True, slots=True)
class Row:
    """A row that leads where the step leads, and that the sentence names."""

    label: str
    aim: Aim | None = None
    """None where the row is not in view."""


def named_row(step: Transition, graph: AppGraph, screen: Screen, instruction: str) -> Row | None:
    """Return the row to take instead of the step's own, where the sentence names one; else None.

    Every row that may stand in for the step leads to the same page as far as the map knows: rows of its
    template, unless the map has seen one of them lead elsewhere, and other rows known to lead there.
    """
    target = getattr(step.action, "target", None)
    if target is None or not _is_row(step, graph):
        return None
    shown = {c.label: Aim(step, c.action, False) for c in reversed(_offers(step, graph, (screen,)))}
    for other in _known(step, graph):
        action = regrounded(other.action, screen)
        if action is not None:
            shown[_label(other.action)] = Aim(other, action)
    elsewhere = _elsewhere(step, graph)
    labels = [label for label in dict.fromkeys([*shown, *_seen(step, graph)]) if label not in elsewhere]
    best = best_named(labels, instruction)
    if best is None or (best == target.label and best not in shown):
        return None
    return Row(best, shown.get(best))


def unnamed_rows(source: NodeId, graph: AppGraph, instruction: str) -> dict[str, float]:
    """Price the rows of a page, by their keys, that the sentence hardly means.

    Where it names a row of one list, the rows of the page's other lists are not meant; where it names
    none, a way without rows is the likelier one.
    """
    lists: dict[tuple[object, ...], set[str]] = {}
    keys: dict[tuple[object, ...], set[str]] = {}
    for t in graph.leaving(source):
        if _is_row(t, graph):
            kind = (t.target, *_kind(t.action))
            labels = {_label(t.action), *_seen(t, graph)} if kind not in lists else {_label(t.action)}
            lists.setdefault(kind, set()).update(labels)
            keys.setdefault(kind, set()).add(t.key)
    named = {kind for kind, labels in lists.items() if best_named(sorted(labels), instruction)}
    fee = _NOT_MEANT if named else _UNNAMED
    return {key: fee for kind, mine in keys.items() if kind not in named for key in mine}


def row_labels(graph: AppGraph) -> Iterator[list[str]]:
    """Yield what the rows of each list are called that lead, as far as the map knows, to one page."""
    done: set[tuple[object, ...]] = set()
    for t in graph.transitions.values():
        if t.source not in graph.nodes or not _is_row(t, graph):
            continue
        kind = (t.source, t.target, *_kind(t.action))
        if kind in done:
            continue
        done.add(kind)
        labels = {_label(t.action), *_seen(t, graph)} - {"", *_elsewhere(t, graph)}
        if len(labels) > 1:
            yield sorted(labels)


def best_named(labels: Iterable[str], instruction: str) -> str | None:
    """Return the one label whose own words a sentence says best; None where none or several do.

    Words that all labels share name no row.

    >>> best_named(["Menu of Tea", "Menu of Coffee"], "open the menu of the coffee")
    'Menu of Coffee'
    >>> best_named(["Ann", "Bob"], "open a contact") is None
    True
    """
    said = set(stems(instruction))
    words = {label: set(stems(label)) for label in labels if label}
    shared = set.intersection(*words.values()) if len(words) > 1 else set()
    scores = {}
    for label, mine in words.items():
        own = mine - shared
        met = own & said
        if own and len(met) >= _HALF * len(own):
            scores[label] = (len(met) == len(own), len(met), len(met) / len(own))
    if not scores:
        return None
    top = max(scores.values())
    best = [label for label, score in scores.items() if score == top]
    return best[0] if len(best) == 1 else None


def _offers(step: Transition, graph: AppGraph, screens: Iterable[Screen]) -> list[Control]:
    """Return the rows of the step's list on some looks at its page."""
    template = _template(step.action)
    if not template or graph.nodes[step.source].level:
        return []
    rows = [t for t in graph.leaving(step.source) if _same(t, step)]
    barred = {_template(t.action) for t in rows if t.target != step.target}
    if template in barred:
        return []
    return [
        c
        for screen in screens
        for c in controls(screen)
        if c.template
        and c.template not in barred
        and _family(c.template) == _family(template)
        and type(c.action) is type(step.action)
        and not _hazard(c.action)
    ]


def _known(step: Transition, graph: AppGraph) -> Iterator[Transition]:
    return (
        t
        for t in sorted(graph.leaving(step.source), key=lambda t: t.key)
        if t.target == step.target and _kind(t.action) == _kind(step.action) and not t.hazard
    )


def _is_row(step: Transition, graph: AppGraph) -> bool:
    """Whether a step takes a row: one of a repeated list, or one of several of a kind that lead alike."""
    if _template(step.action) and not graph.nodes[step.source].level:
        return True
    target: Evidence | None = getattr(step.action, "target", None)
    if target is None or not target.label:
        return False
    labels = {_label(t.action) for t in _known(step, graph)} - {""}
    return len(labels) > 1


def _elsewhere(step: Transition, graph: AppGraph) -> set[str]:
    """Return what rows are called that the map has seen lead to another page."""
    rows = [t for t in graph.leaving(step.source) if _kind(t.action) == _kind(step.action)]
    there = {_label(t.action) for t in rows if t.target == step.target}
    return {_label(t.action) for t in rows if t.target != step.target} - there


def _seen(step: Transition, graph: AppGraph) -> Iterator[str]:
    """Yield what the rows of the step's list were called on any look at its page."""
    yield from (_label(t.action) for t in _known(step, graph))
    if not _template(step.action):
        return
    looks = graph.nodes[step.source].looks
    yield from (c.label for c in _offers(step, graph, (look.observation.screen for look in looks)))


def _same(one: Transition, other: Transition) -> bool:
    return type(one.action) is type(other.action)


def _kind(action: Action) -> tuple[object, ...]:
    """Return what rows of one kind share, whatever they are called."""
    target: Evidence | None = getattr(action, "target", None)
    if target is None:
        return (type(action),)
    if target.template:
        return type(action), target.template
    return type(action), target.role, target.class_name, target.resource_id, target.ancestors


@lru_cache(maxsize=16384)
def _family(template: str) -> str:
    """Return a template without what its lists are called: rows of two groups of one list are of one family.

    >>> _family("row>list Fruit>list Jars|item#!") == _family("row>list Tea>list Jars|item#!")
    True
    """
    place, _, shape = template.partition("|")
    names = [n.split(" ")[0] if n.split(" ")[0] in _ROLES else n for n in place.split(">")]
    return ">".join(names) + "|" + shape


def _template(action: Action) -> str:
    target: Evidence | None = getattr(action, "target", None)
    return target.template if target else ""


def _label(action: Action) -> str:
    target: Evidence | None = getattr(action, "target", None)
    return target.label if target else ""


def _hazard(action: Action) -> bool:
    target: Evidence | None = getattr(action, "target", None)
    return bool(target and target.hazard)
