"""What a step is worth remembering for, without a model: a step and a wish in, drafts of anchors out."""

from collections.abc import Iterator
from dataclasses import dataclass

from waypost.anchors.memory import Draft
from waypost.anchors.reading import Fact, facts, page_name, texts
from waypost.anchors.relevance import words
from waypost.model import AnchorKind, Proof, Screen

__all__ = ["Happened", "drafts"]

_LONGEST = 40
"""Letters of a value that are kept; what is longer is cut, and doubted until it is looked at again."""
_SAME_PAGE = 0.5
"""Share of its texts that a page keeps when only something on it changes."""
_SHORT = 9
"""Words of a confirmation."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One step: the look before, what was done, the look after."""

    number: int
    before: Screen
    done: str
    """The action in words."""
    after: Screen


def drafts(step: Happened, wanted: str) -> list[Draft]:
    """Note what changed, what failed, and what the screen states now.

    A value whose name the wish says is a DEPENDENCY, any other is CONTEXT_INFO.
    """
    page = page_name(step.after)
    found = list(_changes(step, page))
    changed = {d.name for d in found if d.name}
    asked = words(wanted)
    for fact in facts(step.after):
        if fact.name not in changed:
            kind = AnchorKind.DEPENDENCY if words(fact.name) & asked else AnchorKind.CONTEXT_INFO
            found.append(_drafted(kind, fact, fact.sentence, step, page))
    return found


def _changes(step: Happened, page: str) -> Iterator[Draft]:
    before, after = texts(step.before), texts(step.after)
    same_page = page_name(step.before) == page and step.before.app == step.after.app
    was = {f.name: f.value for f in facts(step.before)}
    new = [f for f in facts(step.after) if was.get(f.name, f.value) != f.value]
    if step.before.root == step.after.root:
        proof = Proof(step.number, "", page=page)
        yield Draft(AnchorKind.EXCEPTION, f"{step.done} changed nothing", proof)
    elif step.before.app and step.after.app != step.before.app:
        proof = Proof(step.number, page, page=page)
        yield Draft(AnchorKind.CONTEXT_INFO, f"{step.done} led to another app", proof)
    if not same_page:
        return
    for fact in new:
        told = f"{fact.name} was {was[fact.name]}, now {fact.value}"
        yield _drafted(AnchorKind.STATE_CHANGE, fact, told, step, page)
    kept = len(set(before) & set(after)) / max(1, len(before))
    fresh = [t for t in after if t not in before]
    if kept >= _SAME_PAGE and len(fresh) == 1 and not new and len(fresh[0].split()) <= _SHORT:
        proof = Proof(step.number, fresh[0], page=page)
        yield Draft(AnchorKind.STATE_CHANGE, f"{step.done}: the screen said {fresh[0]!r}", proof)


def _drafted(kind: AnchorKind, fact: Fact, told: str, step: Happened, page: str) -> Draft:
    cut = len(fact.value) > _LONGEST
    value = fact.value[: _LONGEST - 1] + "…" if cut else fact.value
    content = told.replace(fact.value, value)
    proof = Proof(step.number, fact.sentence[:200], fact.bounds, page)
    return Draft(kind, content, proof, fact.name, value, doubted=fact.doubted or cut)
