"""A map and a model in; its pages described, or what that would cost, out."""

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from waypost.errors import UsageError
from waypost.library.chunks import explored_chunks, read_chunks, summarised, write_chunks
from waypost.library.describing import Described, NoteStatus, PageNotes, asked_of_all, describe
from waypost.library.questions import Questions
from waypost.mapping import page_called
from waypost.model import NodeId, PageChunk, Record
from waypost.model.private import private_parts
from waypost.parts.face import Map
from waypost.parts.models import OpenModel

__all__ = ["DistilRequest", "Distilled", "Estimate", "distilled", "estimated"]

_REPLY = 450
"""Tokens that a description takes, as a guess beforehand."""
Seen: TypeAlias = Callable[[str, NoteStatus], None]
"""Hears of each page's name and how it turned out."""


@dataclass(frozen=True, slots=True)
class DistilRequest:
    pages: tuple[str, ...] = ()
    """Ids or names; all pages where empty."""
    workers: int = 4
    chunks: bool = False
    """Write MapAgent's page chunks as well."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What describing would cost. Tokens are guessed."""

    pages: int
    cached: int
    """Pages whose answer is on this machine already."""
    pictures: int
    tokens_sent: int
    tokens_received: int
    cost: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Distilled:
    """How it turned out, page by page."""

    records: int
    pages: tuple[Described[Any], ...]
    chunks: int

    def counts(self) -> dict[str, int]:
        """Return how many pages turned out each way."""
        counted = Counter(d.status for d in self.pages)
        return {status.value: counted[status] for status in NoteStatus}

    @property
    def model_failed(self) -> bool:
        """Whether the model let the whole run down: it went away, or not one of its answers was of use."""
        counts = self.counts()
        lost = counts["unreached"] + counts["left"]
        return bool(self.pages) and (lost > 0 or not counts["written"])

    def as_json(self) -> dict[str, Any]:
        faults = [
            {"page": str(d.node), "name": d.name, "status": d.status.value, "why": d.fault}
            for d in self.pages
            if d.status is not NoteStatus.WRITTEN
        ]
        return {
            "records": self.records,
            "chunks": self.chunks,
            **self.counts(),
            "faults": faults,
        }


def estimated(known: Map, model: OpenModel, request: DistilRequest, price: tuple[float, float]) -> Estimate:
    """Say what describing would cost, `price` a million tokens sent and received; asks nobody."""
    from waypost.adapters.llm import Prices, Request, Turn, estimated_tokens

    questions, chosen = _questions(known, request)
    cached = pictures = sent = 0
    for node in chosen:
        question = questions.question(node)
        if model.holds(question.prompt, question.images, PageNotes):
            cached += 1
            continue
        pictures += len(question.images)
        sent += estimated_tokens(Request((Turn("user", question.prompt, question.images),)))
    received = _REPLY * (len(chosen) - cached)
    return Estimate(len(chosen), cached, pictures, sent, received, Prices(*price).cost(sent, received))


def distilled(
    known: Map, model: OpenModel, request: DistilRequest, seen: Seen = lambda name, status: None
) -> Distilled:
    """Describe pages, and write the records anew with what came of it; whoever fails keeps its old words.

    Stopped at any moment, it loses no answer: those that came lie in the cache of replies.
    """
    questions, chosen = _questions(known, request)

    def heard(described: Described[Any]) -> None:
        seen(described.name, described.status)

    found = asked_of_all(chosen, describe(questions, model.llm), workers=request.workers, seen=heard)
    fresh = {d.node: d.written for d in found if d.written is not None}
    library = known.remember(fresh)
    pages: tuple[Described[Any], ...] = found
    chunks = 0
    if request.chunks and not any(d.status is NoteStatus.LEFT for d in found):
        more = _chunks(known, model, request, chosen, heard)
        pages, chunks = (*pages, *more), len(read_chunks(known.folder))
    return Distilled(len(library.records), pages, chunks)


def _questions(known: Map, request: DistilRequest) -> tuple[Questions, dict[NodeId, str]]:
    from waypost.adapters.pictures import annotated

    records: tuple[Record, ...] = known.seen()
    names = {r.node: r.name for r in records}
    chosen = [page_called(known.mapper, p).id for p in request.pages] or list(names)
    if missing := [n for n in chosen if n not in names]:
        raise UsageError(f"No way to the page {missing[0]!r} is known; explore on, or choose another")
    questions = Questions(known.graph, known.planner, records, known.picture, annotated)
    return questions, {n: names[n] for n in chosen}


def _chunks(
    known: Map,
    model: OpenModel,
    request: DistilRequest,
    chosen: dict[NodeId, str],
    heard: Callable[..., None],
) -> tuple[Described[PageChunk], ...]:
    from waypost.adapters.pictures import annotated
    from waypost.library.questions import Marks

    explored = {c.node: c for c in explored_chunks(known.graph, known.planner) if c.node is not None}

    def ask(node: NodeId) -> PageChunk:
        looks = known.graph.nodes[node].looks
        look = next((k for k in looks if k.image_hash), looks[0])
        screen, png = look.observation.screen, known.picture(look.image_hash)
        image = annotated(png, Marks(screen.size, private=private_parts(screen))) if png else b""
        return summarised(explored[node], screen, image, model.llm)

    found = asked_of_all(chosen, ask, workers=request.workers, seen=heard)
    written = {d.node: d.written for d in found if d.written is not None}
    kept = [c for c in read_chunks(known.folder) if c.node not in explored]
    write_chunks(known.folder, [*kept, *{**explored, **written}.values()])
    return found
