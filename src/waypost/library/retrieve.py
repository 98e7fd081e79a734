"""Find the page that an instruction means: sentence in; `Found` pages, or one `Answer`, out.

Two dense fields as in TAG-Nav (place and summary; intents) and lexical evidence, fused; then the
preference rules; then the question whether the map has such a page at all.
"""

import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from waypost.library.store import Library, place_and_summary
from waypost.library.words import content, quoted, related, tokens
from waypost.model import NodeId, Record

__all__ = ["Answer", "Found", "Retriever"]

_SUMMARY, _INTENTS, _WORDS = 0.10, 0.10, 0.25
"""How much each kind of evidence spreads over the pages of one map: what its score is divided by."""
_KIN = 0.6
"""What a related word counts, where the word itself counts one."""


@dataclass(frozen=True, slots=True)
class Found:
    record: Record
    score: float
    """Fused; only comparable within one query."""
    why: tuple[str, ...] = ()
    evidence: dict[str, float] = field(default_factory=dict)
    """`summary`, `intents` (cosines), `words` (share of the query's words)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The page meant, or None: "not on this map"."""

    record: Record | None
    confidence: float
    """0 to 1, that `record` is right; where it is None, that the map has no such page."""
    candidates: tuple[Found, ...]
    reason: str


class Retriever:
    """Searches one library; loads its vectors once, at the first question."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._records = library.records
        self._ready: _Fields | None = None

    @property
    def _fields(self) -> "_Fields":
        if self._ready is None:
            self._ready = _Fields(self._library)
        return self._ready

    def retrieve(self, instruction: str, k: int = 8) -> list[Found]:
        """Return the k likeliest pages, best first; ties go to the nearer page."""
        if not self._records:
            return []
        found = self._fields.score(instruction)
        order = sorted(range(len(found)), key=lambda i: (-round(found[i].score, 6), found[i].record.depth, i))
        return [found[i] for i in order[:k]]

    def answer(self, instruction: str, k: int = 8) -> Answer:
        """Choose one page, or say that the map has none."""
        found = self.retrieve(instruction, k)
        if not found:
            return Answer(None, 1.0, (), "the map has no records")
        best = found[0]
        certainty = _certainty(best)
        if certainty < 0.5:
            return Answer(
                None, 1 - certainty, tuple(found), f"not on this map; nearest is {best.record.name!r}"
            )
        return Answer(best.record, certainty, tuple(found), "; ".join(best.why) or "best match")


def _certainty(best: Found) -> float:
    e = best.evidence
    return 1 / (1 + math.exp(-(6 * e["words"] + 8 * max(e["summary"], e["intents"]) - 6.5)))


class _Fields:
    """The vectors and words of a library, ready to be compared with."""

    def __init__(self, library: Library) -> None:
        self.library, self.records = library, library.records
        self.summaries = library.vectors([place_and_summary(r) for r in self.records])
        names = library.vectors([r.name for r in self.records])
        intents = library.vectors([t for r in self.records for t in r.intents])
        self.owner = np.array([i for i, r in enumerate(self.records) for _ in r.intents], np.int64)
        # An intent is only understood on its page: "Title" of "Sort by". Adding the page's vector costs
        # nothing, where embedding the two texts as one would embed every label once a page.
        joined = intents + names[self.owner] if len(intents) else intents
        self.intents = joined / np.maximum(np.linalg.norm(joined, axis=1, keepdims=True), 1e-9)
        self.words = [_bag(r) for r in self.records]
        self.df: Counter[str] = Counter(t for bag in self.words for t in bag)

    def rarity(self, token: str) -> float:
        return math.log(1 + len(self.records) / (self.df.get(token, 0) + 0.5))

    def score(self, instruction: str) -> list[Found]:
        asked = quoted(instruction)
        (query,) = self.library.embedder.embed([asked])
        summary = self.summaries @ query
        intents = np.full(len(self.records), -1.0, np.float32)
        np.maximum.at(intents, self.owner, self.intents @ query)
        wanted = content(asked) or tokens(asked)
        found = []
        for i, record in enumerate(self.records):
            share, why = self._covered(wanted, self.words[i])
            fused = float(summary[i]) / _SUMMARY + float(intents[i]) / _INTENTS + share / _WORDS
            evidence = {"summary": float(summary[i]), "intents": float(intents[i]), "words": share}
            found.append(Found(record, fused, why, evidence))
        return found

    def _covered(self, wanted: list[str], bag: frozenset[str]) -> tuple[float, tuple[str, ...]]:
        total = sum(self.rarity(t) for t in wanted) or 1.0
        got, why = 0.0, []
        for token in wanted:
            if token in bag:
                got += self.rarity(token)
                why.append(token)
            elif kin := next((k for k in sorted(related(token)) if k in bag), ""):
                got += _KIN * self.rarity(token)
                why.append(f"{token}~{kin}")
        return got / total, tuple(why)


def _bag(record: Record) -> frozenset[str]:
    return frozenset(tokens(" ".join([record.name, record.summary, *record.intents])))


def index_of(records: tuple[Record, ...]) -> dict[NodeId, int]:
    return {r.node: i for i, r in enumerate(records)}
