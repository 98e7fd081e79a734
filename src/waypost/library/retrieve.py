"""Find the page that an instruction means: sentence in; `Found` pages, or one `Answer`, out.

Two dense fields as in TAG-Nav (place and summary; intents, each on its own) and words, fused; the best
compared word piece by word piece (`late`); then the preference rules; then the question whether the map
has such a page at all.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from waypost.library.certainty import certainty, rightness
from waypost.library.glossary import kinds, ready
from waypost.library.late import Late
from waypost.library.rules import RULES, Asked, Rule, asked
from waypost.library.store import Library, meanings, place_and_summary
from waypost.library.words import fold, quoted, related, tokens
from waypost.model import Record
from waypost.protocols import PartialEmbedder, Reading, TokenEmbedder, Vectors

__all__ = ["Answer", "Found", "Retriever", "Weights"]

_KIN = 0.6
"""What a related word counts, where the word itself counts one."""
_ELSEWHERE = 0.8
"""What a word counts that stands on the page, but not in its name."""
_MEANT = 0.7
"""What a word counts that only explains what the page's labels mean."""
_TIE = 0.05
"""Scores nearer than this are a tie."""
_FIELD = 50
"""Candidates that each field brings forward."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each kind of evidence counts, per unit of cosine or share; fitted on recorded apps."""

    summary: float = 17.0
    intents: float = 2.0
    words: float = 4.0
    tokens: float = 10.0
    named: float = 8.0
    """For a page whose name is the whole question."""
    picker: float = 2.0
    """For a dialog, sheet or menu where the question asks to choose."""
    style: float = 0.5
    """Moved from intents to summary for a page-style question, and back for an action-style one."""


@dataclass(frozen=True, slots=True)
class Found:
    record: Record
    score: float
    """Fused; only comparable within one query."""
    why: tuple[str, ...] = ()
    evidence: dict[str, float] = field(default_factory=dict)
    """`summary` and `intents` (cosines), `words` (share of the query's words, 0 to 1), `elsewhere`
    (how much nearer the best kind of page is that the map lacks than the best one that it has), and, where
    the model can tell, `tokens`: how well the page meets the query's word pieces, about -1 to 1."""


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

    def __init__(
        self,
        library: Library,
        *,
        weights: Weights | None = None,
        rules: tuple[Rule, ...] = RULES,
        threshold: float = 0.5,
        least: float = 0.0,
    ) -> None:
        """Below `threshold` the map is taken to lack the page; below `least` an answer is withheld."""
        self._library, self._rules = library, rules
        self._threshold, self._least = threshold, least
        self._weights = weights or Weights()
        self._ready: _Fields | None = None

    def retrieve(self, instruction: str, k: int = 8) -> list[Found]:
        """Return the k likeliest pages, best first; the preference rules are applied."""
        if not self._library.records or not instruction.strip():
            return []
        if self._ready is None:
            self._ready = _Fields(self._library)
        question = asked(quoted(instruction))
        return self._select(question, self._ready.best(question, self._weights, max(k, _FIELD)))[:k]

    def _select(self, question: Asked, found: list[Found]) -> list[Found]:
        """Apply the rules among the best, and break ties by depth."""
        best = found[:8]
        # Rules decide between pages that are near each other; they never lift one over the rest.
        pool = tuple(f.record for f in best if best[0].score - f.score < 3.0)
        chosen = []
        for f in best:
            others = tuple(r for r in pool if r.node != f.record.node)
            off = {rule.name: rule.points_off(question, f.record, others) for rule in self._rules}
            why = tuple(f"less: {name}" for name, points in off.items() if points)
            chosen.append(replace(f, score=f.score - sum(off.values()), why=f.why + why))
        chosen.sort(key=lambda f: (-round(f.score / _TIE), f.record.depth))
        return chosen + found[8:]

    def answer(self, instruction: str, k: int = 8) -> Answer:
        """Choose one page, or say that the map has none."""
        found = self.retrieve(instruction, k)
        if not found:
            reason = "the map has no records" if instruction.strip() else "nothing was asked"
            return Answer(None, 1.0, (), reason)
        best, rival = found[0], found[1] if len(found) > 1 else None
        # What stands on the page word for word is there, whatever it means.
        asked_for = fold(instruction)
        named = bool(asked_for) and asked_for in map(fold, (best.record.name, *best.record.wishes))
        known = 1.0 if named else certainty(best.evidence)
        if known < self._threshold:
            nearest = f"not on this map; the nearest page is {best.record.name!r}"
            return Answer(None, 1 - known, tuple(found), nearest)
        lead = best.score - rival.score if rival else math.inf
        sure = known * rightness(lead, best.evidence)
        reason = "; ".join(best.why) or "nearest in meaning"
        if rival and sure < self._least:
            unsure = f"not sure enough: {best.record.name!r} or {rival.record.name!r}"
            return Answer(None, 1 - sure, tuple(found), unsure)
        return Answer(best.record, sure, tuple(found), reason)


class _Fields:
    """The vectors and words of a library, ready to be compared with."""

    def __init__(self, library: Library) -> None:
        self.library, self.records = library, library.records
        summaries = [place_and_summary(r) for r in self.records]
        # First the word pieces: whoever reads them has the vectors too.
        self.late = Late(library.tokens(summaries))
        self.summaries = library.vectors(summaries)
        names = library.vectors([r.name for r in self.records])
        intents = library.vectors([t for r in self.records for t in r.wishes])
        self.owner = np.array([i for i, r in enumerate(self.records) for _ in r.wishes], np.int64)
        # An intent is only understood on its page: "Title" of "Sort by". Adding the page's vector costs
        # nothing, where embedding the two texts as one would embed every label once a page.
        joined = intents + names[self.owner] if len(intents) else intents
        self.intents = joined / np.maximum(np.linalg.norm(joined, axis=1, keepdims=True), 1e-9)
        self.names = [frozenset(tokens(r.name)) for r in self.records]
        self.words = [frozenset(tokens(" ".join([r.name, r.summary, *r.wishes]))) for r in self.records]
        meant = [meanings(r) for r in self.records]
        self.meant = [frozenset(tokens(" ".join(lines))) for lines in meant]
        known = ready(library.embedder.id)
        self.kinds = library.vectors(kinds()) if known is None else known
        here = frozenset(line for lines in meant for line in lines)
        self.lacking = np.array([kind not in here for kind in kinds()])
        self._threads = ThreadpoolController()
        self.depths = np.array([r.depth for r in self.records], np.int64)
        self.modal = np.array([r.modal for r in self.records], bool)
        self.called = _places([frozenset({fold(r.name)} - {""}) for r in self.records])
        self.having, self.naming = _places(self.words), _places(self.names)
        self.meaning = _places(self.meant)

    def rarity(self, token: str) -> float:
        return math.log(1 + len(self.records) / (len(self.having.get(token, ())) + 0.5))

    def best(self, question: Asked, weights: Weights, most: int) -> list[Found]:
        """Return the likeliest pages, best first, at equal scores the nearer to the start."""
        reading = self._reading(question.text)
        query = reading.vector
        # Products of this size are done before a second thread has come, and on a busy machine it comes late.
        with self._threads.limit(limits=1):
            summary, wishes, alike = (
                self._cosines(rows, query) for rows in (self.summaries, self.intents, self.kinds)
            )
        intents = np.full(len(self.records), -1.0, np.float32)
        np.maximum.at(intents, self.owner, wishes)
        shift = weights.style if question.page_style else -weights.style
        wanted = sorted(question.words)
        here = float(max(summary.max(), alike[~self.lacking].max(initial=-1.0)))
        elsewhere = float(alike[self.lacking].max(initial=-1.0)) - here
        shares = self._shares(wanted)
        fused = (
            (weights.summary + shift) * summary.astype(np.float64)
            + (weights.intents - shift) * intents.astype(np.float64)
            + weights.words * shares
            + weights.picker * (question.choosing * self.modal)
        )
        # A question that is a page's name letter for letter, but for case and badges, means that page.
        fused[self.called.get(fold(question.text), _NOWHERE)] += weights.named
        likely = np.lexsort((self.depths, -fused))[:most]
        with self._threads.limit(limits=1):
            late = self.late.interaction(reading, likely)
        compared = ~np.isnan(late)
        # What could not be compared is taken to be like the others.
        fused[likely] += weights.tokens * np.where(
            compared, late, late[compared].mean() if compared.any() else 0
        )
        found = []
        for place in map(int, np.lexsort((self.depths[likely], -fused[likely]))):
            i = int(likely[place])
            evidence = {"summary": float(summary[i]), "intents": float(intents[i]), "words": float(shares[i])}
            evidence |= {"elsewhere": elsewhere} | ({"tokens": float(late[place])} if compared[place] else {})
            found.append(Found(self.records[i], float(fused[i]), self._why(wanted, i), evidence))
        return found

    def _cosines(self, rows: Vectors, query: Vectors) -> Vectors:
        embedder = self.library.embedder
        products: Vectors = rows @ query
        return products * embedder.lifts(rows, query) if isinstance(embedder, PartialEmbedder) else products

    def _reading(self, text: str) -> Reading:
        embedder = self.library.embedder
        if isinstance(embedder, TokenEmbedder):
            return embedder.read([text])[0]
        (vector,) = embedder.embed([text])
        return Reading(vector)

    def _shares(self, wanted: list[str]) -> NDArray[np.float64]:
        """Return, a page each, the share of the query's words that it has, by rarity."""
        got = np.zeros(len(self.records))
        for token in wanted:
            rarity, counted = self.rarity(token), np.zeros(len(self.records))
            # The weakest first: what counts more is written over it.
            for kin in sorted(related(token), reverse=True):
                counted[self.having.get(kin, _NOWHERE)] = _KIN * _ELSEWHERE * rarity
                counted[self.naming.get(kin, _NOWHERE)] = _KIN * rarity
            counted[self.meaning.get(token, _NOWHERE)] = _MEANT * rarity
            counted[self.having.get(token, _NOWHERE)] = _ELSEWHERE * rarity
            counted[self.naming.get(token, _NOWHERE)] = rarity
            got += counted
        shares: NDArray[np.float64] = got / (sum(map(self.rarity, wanted)) or 1.0)
        return shares

    def _why(self, wanted: list[str], page: int) -> tuple[str, ...]:
        """Say which of the query's words a page has, and how."""
        why = []
        for token in wanted:
            if token in self.words[page]:
                why.append(token)
            elif token in self.meant[page]:
                why.append(f"what {token!r} means")
            elif kin := next((k for k in sorted(related(token)) if k in self.words[page]), ""):
                why.append(f"{token} ~ {kin}")
        return tuple(why)


_NOWHERE = np.zeros(0, np.int64)


def _places(bags: list[frozenset[str]]) -> dict[str, NDArray[np.int64]]:
    """Turn the words of each page into the pages of each word."""
    places: dict[str, list[int]] = {}
    for page, bag in enumerate(bags):
        for token in bag:
            places.setdefault(token, []).append(page)
    return {token: np.array(pages, np.int64) for token, pages in places.items()}
