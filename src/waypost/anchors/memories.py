"""Memories inside one task behind one small seam: steps in, text for the next prompt out.

`Anchored` is ours; the others are what it is compared with: everything, the last actions, a running summary,
and the capped list that the released code of AndroTMem keeps.
"""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias

from waypost.anchors.memory import AnchorMemory
from waypost.anchors.noting import Happened, drafts
from waypost.anchors.reading import facts, page_name, texts
from waypost.model import Anchor, AnchorKind
from waypost.model.wording import one_line

__all__ = [
    "Anchored",
    "Capped",
    "FullReplay",
    "LastActions",
    "LookBack",
    "RunningSummary",
    "TaskMemory",
    "fitting",
]

LookBack: TypeAlias = Callable[[Anchor], str]
"""Looks again at what an anchor was read from: the value as it stands there; empty for no better."""


class TaskMemory(Protocol):
    """What an actor remembers inside of one task."""

    def note(self, step: Happened, wanted: str) -> None:
        """Take in a step that was done on the way to `wanted`."""
        ...

    def told(self, wanted: str) -> str:
        """Return what to tell of it before the next step."""
        ...


def fitting(lines: Iterable[str], tokens: int) -> str:
    """Join the first lines that fit a budget, at four bytes a token.

    >>> fitting(["abcd" * 3, "efgh" * 3], 4)
    'abcdabcdabcd'
    """
    kept: list[str] = []
    left = tokens * 4
    for line in lines:
        left -= len(line.encode()) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join(kept)


class Anchored:
    """Anchors: noted with evidence, corrected where later looks differ, told only where they bear."""

    def __init__(
        self,
        memory: AnchorMemory | None = None,
        *,
        tokens: int = 400,
        look: LookBack | None = None,
        looks: int = 2,
    ) -> None:
        self.memory = memory or AnchorMemory()
        self._tokens, self._look, self._looks = tokens, look, looks
        self.looked = 0
        """How often a crop was looked at again."""

    def note(self, step: Happened, wanted: str) -> None:
        for draft in drafts(step, wanted):
            self.memory.add(draft)

    def told(self, wanted: str) -> str:
        found = self.memory.recall(wanted)
        if self._look is not None:
            found = [self._sure(a, self._look, n) for n, a in enumerate(found)]
        return fitting((_line(a) for a in found), self._tokens)

    def _sure(self, anchor: Anchor, look: LookBack, place: int) -> Anchor:
        """Look again where a value is doubted that will be told among the first."""
        if not anchor.doubted or place >= self._looks or not anchor.value:
            return anchor
        self.looked += 1
        value = look(anchor)
        if not value:
            return anchor
        return self.memory.revise(anchor.id, value=value, proof=anchor.proof)


class FullReplay:
    """Every action with everything that was on the screen after it."""

    def __init__(self) -> None:
        self._steps: list[str] = []

    def note(self, step: Happened, wanted: str) -> None:
        shown = "; ".join(_stated(step))
        self._steps.append(f'step {step.number}, on "{page_name(step.after)}": {step.done}; shown: {shown}')

    def told(self, wanted: str) -> str:
        return "\n".join(self._steps)


class LastActions:
    """The last actions alone: what the released code calls raw history."""

    def __init__(self, most: int = 3) -> None:
        self._most = most
        self._steps: list[str] = []

    def note(self, step: Happened, wanted: str) -> None:
        shown = "; ".join(_stated(step))
        self._steps.append(f'step {step.number}, on "{page_name(step.after)}": {step.done}; shown: {shown}')

    def told(self, wanted: str) -> str:
        return "\n".join(self._steps[-self._most :])


class RunningSummary:
    """One text that is written anew at each step from itself and the step; what does not fit is forgotten."""

    def __init__(self, *, tokens: int = 400) -> None:
        self._tokens = tokens
        self._lines: list[str] = []

    def note(self, step: Happened, wanted: str) -> None:
        page = page_name(step.after)
        told = [f'step {step.number}, on "{page}": {step.done}']
        told += [f'step {step.number}, on "{page}": {d.content}' for d in drafts(step, wanted) if d.value]
        self._lines = [line for line in self._lines if line not in told] + told
        while len("\n".join(self._lines).encode()) > self._tokens * 4 and len(self._lines) > 1:
            self._lines.pop(0)

    def told(self, wanted: str) -> str:
        return "\n".join(self._lines)


class Capped:
    """The last entries of a list that is only ever added to; no links, no evidence, no correction."""

    def __init__(self, most: int = 50) -> None:
        self._most = most
        self._entries: list[str] = []

    def note(self, step: Happened, wanted: str) -> None:
        page = page_name(step.after)
        entries = [f'step {step.number}, on "{page}": {d.content} [{d.kind}]' for d in drafts(step, wanted)]
        self._entries = (self._entries + entries)[-self._most :]

    def told(self, wanted: str) -> str:
        return "\n".join(self._entries)


def _stated(step: Happened) -> list[str]:
    told = [fact.sentence for fact in facts(step.after)]
    return told or list(texts(step.after))[:12]


def _line(anchor: Anchor) -> str:
    page = one_line(anchor.proof.page, 40)
    doubt = " (not sure: read it again)" if anchor.doubted else ""
    state = ""
    if anchor.kind is AnchorKind.SUBGOAL:
        state = " (done)" if anchor.verified else " (open)"
    return f'step {anchor.proof.step}, on "{page}": {one_line(anchor.content)} [{anchor.kind}]{state}{doubt}'
