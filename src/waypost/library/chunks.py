"""Pages as MapAgent remembers them: a map, or an episode that was lived, in; page chunks out.

A chunk says what a page is, what stands on it, and by which actions it was come to (MapAgent, 3.1). They
are kept in `chunks.jsonl`, a chunk a line; of one page the shortest way that led to its end is kept.
"""

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path

from waypost.errors import MapError
from waypost.library import wording
from waypost.library.distil import distil
from waypost.library.orders import orders_in
from waypost.library.prompts import prompt
from waypost.library.questions import data_lines, shown
from waypost.library.reading import read
from waypost.library.words import clean
from waypost.model import (
    AppGraph,
    Episode,
    Finish,
    NodeId,
    Observation,
    PageChunk,
    Screen,
    Source,
    StopReason,
)
from waypost.model.codec import decode, encode
from waypost.protocols import LLM, Planner

__all__ = [
    "ChunkNotes",
    "explored_chunks",
    "lived_chunks",
    "merged",
    "read_chunks",
    "summarised",
    "write_chunks",
]

_FILE = "chunks.jsonl"
_MOST = 12


@dataclass(frozen=True, slots=True)
class ChunkNotes:
    """What a model is asked to say of one visit (MapAgent's summariser)."""

    page_description: str
    key_ui_elements: tuple[str, ...]
    page_label: str


def explored_chunks(graph: AppGraph, planner: Planner) -> tuple[PageChunk, ...]:
    """Write a chunk of every page that the root can reach, with no model."""
    found = []
    for record in distil(graph, planner):
        assert graph.root is not None
        plan = planner.plan(graph, graph.root, record.node)
        screen = graph.nodes[record.node].looks[record.member].observation.screen
        path = tuple(wording.doing(s.action) for s in plan.steps)
        found.append(PageChunk(record.name, record.summary, _elements(screen), path, graph.app, record.node))
    return tuple(found)


def lived_chunks(
    episode: Episode, locate: Callable[[Observation], NodeId | None]
) -> tuple[tuple[PageChunk, Screen], ...]:
    """Write a chunk of every page that an episode came by, each with the screen that it is of.

    Where the episode came back to a page, what it did in between is no part of the way on.
    """
    looks = [*(s.observation for s in episode.steps), *([episode.final] if episode.final else [])]
    way: list[str] = []
    been: dict[object, int] = {}
    found: dict[object, tuple[PageChunk, Screen]] = {}
    for n, look in enumerate(looks):
        node, screen = locate(look), look.screen
        at: object = node or read(screen).title or n
        if at in been:
            del way[been[at] :]
            been = {k: v for k, v in been.items() if v <= been[at]}
        been.setdefault(at, len(way))
        if at not in found and any(screen.visible()):
            found[at] = (_lived(episode, screen, node, way), screen)
        if n < len(episode.steps) and not isinstance(episode.steps[n].decision.action, Finish):
            way.append(wording.doing(episode.steps[n].decision.action))
    return tuple(found.values())


def _lived(episode: Episode, screen: Screen, node: NodeId | None, way: list[str]) -> PageChunk:
    page = read(screen)
    elements = _elements(screen)
    label = clean(page.title, 60) or next(iter(elements), "a page")
    said = f"{label} ({page.layer.value})" + (f". with {', '.join(elements)}" if elements else "")
    task = clean(episode.task.instruction, 120)
    return PageChunk(label, clean(said, 480), elements, tuple(way), screen.app, node, task)


def _elements(screen: Screen) -> tuple[str, ...]:
    items = (f"{i.label} ({i.role.value})" for i in read(screen).items if i.active)
    return tuple(dict.fromkeys(items))[:_MOST]


def summarised(chunk: PageChunk, screen: Screen, image: bytes, llm: LLM) -> PageChunk:
    """Let a model write a chunk's words; its way stays as it was walked.

    Raises ModelError, ReplyError, or ValueError where the reply says nothing, or speaks to its reader.
    """
    asked = prompt("chunk")
    rows = [{"done": step} for step in chunk.path]
    text = asked.filled(app=json.dumps(chunk.app), data=data_lines([*rows, shown(screen)]))
    notes = llm.ask(text, (image,) if image else (), returns=ChunkNotes)
    for said in (notes.page_description, notes.page_label, *notes.key_ui_elements):
        if found := orders_in(said):
            raise ValueError(f"it speaks to the reader ({found!r}), as a screen may have told it to")
    label, description = clean(notes.page_label, 60), clean(notes.page_description, 480)
    if not label or not description:
        raise ValueError("it says nothing of the page")
    elements = tuple(dict.fromkeys(c for e in notes.key_ui_elements if (c := clean(e, 80))))[:_MOST]
    return replace(
        chunk,
        label=label,
        description=description,
        elements=elements or chunk.elements,
        source=Source.MODEL,
        model=llm.id,
        prompt=asked.id,
    )


def merged(old: Iterable[PageChunk], new: Iterable[PageChunk], *, ended: StopReason) -> tuple[PageChunk, ...]:
    """Add chunks of an episode that ended so; a known page gets a shorter way only where it ended well."""
    found = {_page(c): c for c in old}
    for chunk in new:
        known = found.get(_page(chunk))
        shorter = len(chunk.path) < (len(known.path) if known else math.inf)
        if known is None or (shorter and ended.may_teach):
            found[_page(chunk)] = chunk
    return tuple(sorted(found.values(), key=lambda c: (c.app, len(c.path), c.label, c.node or "")))


def _page(chunk: PageChunk) -> tuple[str, str]:
    return (chunk.app, chunk.node or f"called {chunk.label}")


def write_chunks(folder: Path, chunks: Iterable[PageChunk]) -> None:
    """Write a folder's chunks whole: all of them or, where that breaks off, the old ones."""
    rows = ({f.name: encode(getattr(c, f.name)) for f in fields(c)} for c in chunks)
    aside = folder / f"{_FILE}.part"
    aside.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    aside.replace(folder / _FILE)


def read_chunks(folder: Path) -> tuple[PageChunk, ...]:
    """Read a folder's chunks; none where there are none. Raises MapError with the line that is broken."""
    path = folder / _FILE
    if not path.exists():
        return ()
    found = []
    for number, text in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if text.strip():
            try:
                found.append(decode(PageChunk, json.loads(text)))
            except (ValueError, TypeError, KeyError) as e:
                raise MapError(f"{str(path)!r}, line {number} is no page chunk: {e}") from e
    return tuple(found)
