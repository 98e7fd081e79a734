"""Let a model describe the pages of a map: questions in, per page a record or the reason why not out.

Each page turns out one of five ways, and a reply counts whole or not at all. What a model writes is held
against the map: page names that are not on the way, positions, and orders off the screen do not get in.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Generic, TypeVar

from waypost.errors import ModelError, ReplyError
from waypost.library.orders import orders_in
from waypost.library.questions import Question, Questions
from waypost.library.words import clean, fold
from waypost.model import NodeId, Record, Source
from waypost.protocols import LLM

__all__ = ["Described", "NavigationMemory", "NoteStatus", "PageNotes", "accepted", "asked_of_all", "describe"]

T = TypeVar("T")
_PLACE = re.compile(r"[(\[{]\s*\d+\s*[,;x×]\s*\d+\s*[)\]}]|\b[xy]\s*=\s*\d+|\bcoordinates?\b", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*(?:step\s*)?\d+\s*[.):：]\s*", re.IGNORECASE)
_MOST_INTENTS = 28


@dataclass(frozen=True, slots=True)
class NavigationMemory:
    relevant_waypoint_sequence: tuple[str, ...]
    transition_hints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageNotes:
    """What a model is asked to say of one path (TAG-Nav, App. C.1)."""

    visual_page_summary: str
    intent_from_current_screen: tuple[str, ...]
    navigation_memory: NavigationMemory


class NoteStatus(StrEnum):
    """How it turned out for one page."""

    WRITTEN = "written"
    UNUSABLE = "unusable"
    """The reply did not fit the shape, after a repair."""
    REFUSED = "refused"
    """The reply fits, but not the page: it is empty, or it speaks to whoever reads it."""
    UNREACHED = "unreached"
    """The model gave no answer."""
    LEFT = "left"
    """Not asked any more: the model gave no answer several times running, or the user stopped it."""


@dataclass(frozen=True, slots=True)
class Described(Generic[T]):
    node: NodeId
    name: str
    status: NoteStatus
    written: T | None = None
    """None unless WRITTEN."""
    fault: str = ""


def describe(questions: Questions, llm: LLM) -> Callable[[NodeId], Record]:
    """Return what asks about one page, for `asked_of_all`; it raises as `LLM.ask` and `accepted` do."""

    def ask(node: NodeId) -> Record:
        question = questions.question(node)
        notes = llm.ask(question.prompt, question.images, returns=PageNotes)
        return accepted(notes, question, model=llm.id, prompt=questions.asked_with.id)

    return ask


def asked_of_all(
    pages: Mapping[NodeId, str],
    ask: Callable[[NodeId], T],
    *,
    workers: int = 4,
    patience: int = 3,
    seen: Callable[[Described[T]], None] = lambda described: None,
) -> tuple[Described[T], ...]:
    """Ask of each page (id and name), several at once; `seen` hears of each as it comes. The order is kept.

    After `patience` pages running without an answer the rest is left.
    """
    found: dict[NodeId, Described[T]] = {}
    running = 0
    for described in _answers(pages, ask, workers):
        found[described.node] = described
        seen(described)
        running = running + 1 if described.status is NoteStatus.UNREACHED else 0
        if running >= patience:
            break
    for node, name in pages.items():
        if node not in found:
            found[node] = Described(node, name, NoteStatus.LEFT, fault="not asked any more")
            seen(found[node])
    return tuple(found[node] for node in pages)


def _answers(pages: Mapping[NodeId, str], ask: Callable[[NodeId], T], workers: int) -> Iterator[Described[T]]:
    """Yield answers as they come; no more questions are out, or made, than there are workers."""
    waiting = list(pages.items())[::-1]
    out: set[Future[Described[T]]] = set()
    with ThreadPoolExecutor(workers) as pool:
        while waiting or out:
            while waiting and len(out) < workers:
                node, name = waiting.pop()
                out.add(pool.submit(_described, node, name, ask))
            done, out = wait(out, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)


def _described(node: NodeId, name: str, ask: Callable[[NodeId], T]) -> Described[T]:
    try:
        return Described(node, name, NoteStatus.WRITTEN, ask(node))
    except ReplyError as e:
        return Described(node, name, NoteStatus.UNUSABLE, fault=str(e))
    except ModelError as e:
        return Described(node, name, NoteStatus.UNREACHED, fault=str(e))
    except ValueError as e:
        return Described(node, name, NoteStatus.REFUSED, fault=str(e))


def accepted(notes: PageNotes, question: Question, *, model: str, prompt: str) -> Record:
    """Make a record of what a model wrote, as far as it holds. Raises ValueError where that is nothing."""
    memory = notes.navigation_memory
    written = (notes.visual_page_summary, *notes.intent_from_current_screen)
    for text in (*written, *memory.relevant_waypoint_sequence, *memory.transition_hints):
        if found := orders_in(text):
            raise ValueError(f"it speaks to the reader ({found!r}), as a screen may have told it to")
    summary = clean(notes.visual_page_summary, 600)
    wishes = [clean(_NUMBERED.sub("", i), 100) for i in notes.intent_from_current_screen]
    intents = list({fold(i): i for i in reversed(wishes) if fold(i)}.values())[::-1][:_MOST_INTENTS]
    if not any(c.isalpha() for c in summary) or not intents:
        raise ValueError("it says nothing of the page")
    known = question.record
    source = replace(known.provenance, summary=Source.MODEL, intents=Source.MODEL)
    record = replace(known, summary=summary, intents=tuple(intents), model=model, prompt=prompt)
    waypoints = _on_the_way(memory.relevant_waypoint_sequence, known)
    if waypoints:
        record, source = replace(record, waypoints=waypoints), replace(source, waypoints=Source.MODEL)
    hints = _hints(memory.transition_hints, len(question.plan.steps))
    if hints:
        record, source = replace(record, hints=hints), replace(source, hints=Source.MODEL)
    return replace(record, provenance=source)


def _on_the_way(told: Sequence[str], known: Record) -> tuple[str, ...]:
    """Return the waypoints where they are pages of the way, in its order, up to the page; else nothing."""
    names = {fold(w) or w: w for w in known.waypoints}
    found = [names.get(fold(_NUMBERED.sub("", w)) or w, "") for w in told]
    order = [known.waypoints.index(w) for w in found if w]
    rising = all(a < b for a, b in pairwise(order))
    whole = len(order) == len(found) and rising and bool(found) and found[-1] == known.waypoints[-1]
    return tuple(found) if whole else ()


def _hints(told: Sequence[str], steps: int) -> tuple[str, ...]:
    """Return the hints where there are no more than steps, and none gives a position; else nothing."""
    hints = [clean(_NUMBERED.sub("", h), 240) for h in told]
    hints = [h for h in hints if any(c.isalpha() for c in h)]
    if not hints or len(hints) > steps or any(_PLACE.search(h) for h in told):
        return ()
    return tuple(hints)
