"""Have a model note what a step is worth remembering for: a step and a memory in, checked anchors out."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Literal

from waypost.anchors.memory import AnchorMemory, Draft
from waypost.anchors.noting import Happened
from waypost.anchors.reading import page_name, texts
from waypost.errors import ReplyError
from waypost.model import Anchor, AnchorId, AnchorKind, AnchorStatus, Link, Proof, Relation
from waypost.model.wording import one_line, quoted
from waypost.protocols import LLM

__all__ = ["LinkNoted", "Noted", "Notes", "note_with"]

_KINDS = Literal["subgoal", "state_change", "dependency", "exception", "context_info", "finish"]
_RELATIONS = Literal["prerequisite", "result_of", "enables", "blocks"]
_MOST_TEXTS = 60


@dataclass(frozen=True, slots=True)
class LinkNoted:
    relation: _RELATIONS
    to: str
    critical: bool = False


@dataclass(frozen=True, slots=True)
class Noted:
    kind: _KINDS
    content: str
    quote: str
    """Words of the screen that show it."""
    name: str = ""
    value: str = ""
    links: tuple[LinkNoted, ...] = ()


@dataclass(frozen=True, slots=True)
class Notes:
    anchors: tuple[Noted, ...]
    strike: tuple[str, ...] = ()
    """Anchors that this look shows to be wrong."""
    done: tuple[str, ...] = ()
    """Sub-goals that this look shows to be done."""


def note_with(llm: LLM, step: Happened, memory: AnchorMemory, wanted: str, *, tries: int = 2) -> list[Anchor]:
    """Ask for notes, check them against the screen and the memory, and take them in.

    A note whose words are not on the screen, or that links to what is not there, is sent back once, then
    left out. A sub-goal counts as done only where a note quotes the screen for it. Raises ModelError.
    """
    trouble = ""
    notes = Notes(())
    for _ in range(tries):
        try:
            notes = llm.ask(_prompt(step, memory, wanted, trouble), returns=Notes)
        except ReplyError as e:
            trouble = str(e)
            continue
        trouble = "; ".join(f for n in notes.anchors if (f := _fault(n, step, memory)))
        if not trouble:
            break
    return _taken(notes, step, memory)


def _taken(notes: Notes, step: Happened, memory: AnchorMemory) -> list[Anchor]:
    for id in dict.fromkeys(notes.strike):
        if _known(id, memory):
            memory.strike(AnchorId(id), f"step {step.number} showed otherwise")
    made = []
    for noted in notes.anchors:
        # Checked anew: what was struck a moment ago is nothing to hang on.
        if not _fault(noted, step, memory):
            made.append(memory.add(_draft(noted, step)))
    shown = {n.quote for n in notes.anchors if not _fault(n, step, memory)}
    for id in dict.fromkeys(notes.done):
        quote = next(iter(sorted(shown)), "")
        if _known(id, memory, AnchorKind.SUBGOAL):
            memory.complete(AnchorId(id), Proof(step.number, quote, page=page_name(step.after)))
    return made


def _draft(noted: Noted, step: Happened) -> Draft:
    proof = Proof(step.number, one_line(noted.quote), page=page_name(step.after))
    links = tuple(Link(Relation(k.relation), AnchorId(k.to), k.critical) for k in noted.links)
    return Draft(AnchorKind(noted.kind), one_line(noted.content), proof, noted.name, noted.value, links)


def _fault(noted: Noted, step: Happened, memory: AnchorMemory) -> str:
    shown = " ".join(" ".join(texts(step.after)).casefold().split())
    quote = " ".join(noted.quote.casefold().split())
    if not noted.content.strip():
        return "a note without content"
    if not quote or quote not in shown:
        return f"{noted.quote[:40]!r} does not stand on the screen"
    if noted.value and " ".join(noted.value.casefold().split()) not in shown:
        return f"the value {noted.value[:40]!r} does not stand on the screen"
    missing = [link.to for link in noted.links if not _known(link.to, memory)]
    return f"there is no anchor {missing[0][:20]!r}" if missing else ""


def _known(id: str, memory: AnchorMemory, kind: AnchorKind | None = None) -> bool:
    return any(
        a.id == id and a.status is AnchorStatus.VALID and kind in (None, a.kind) for a in memory.anchors
    )


def _prompt(step: Happened, memory: AnchorMemory, wanted: str, trouble: str) -> str:
    known = "\n".join(f"{a.id} [{a.kind}] {one_line(a.content)}" for a in memory.recall(wanted))
    shown = "\n".join(f"- {quoted(t, 120)}" for t in texts(step.after)[:_MOST_TEXTS])
    return _template().substitute(
        wanted=one_line(wanted, 500),
        known=known or "(none)",
        number=step.number,
        done=step.done,
        shown=shown,
        trouble=f"Your last notes could not be used: {trouble}." if trouble else "",
    )


@cache
def _template() -> Template:
    return Template(Path(__file__).with_name("note.txt").read_text(encoding="utf-8"))
