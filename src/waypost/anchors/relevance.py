"""Which facts bear on what is wanted: anchors and words in, anchors in order out. No model."""

import math
import re
from collections.abc import Iterable, Sequence

from waypost.model import Anchor, AnchorId, AnchorKind

__all__ = ["ranked", "words"]

_WORD = re.compile(r"[^\W_]+")
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_SAID, _MINE, _TIED, _FRESH, _TROUBLE = 4.0, 1.0, 1.0, 1.0, 0.5
"""What each sign counts: shared words, the current sub-goal, a link to what fits, being fresh, a warning."""


def words(text: str) -> frozenset[str]:
    """Return the words of a text, small, without plural endings; pairs of signs where words are not parted.

    >>> sorted(words("Open Alarms: 工作日"))
    ['alarm', 'open', '作日', '工作']
    """
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        east = "".join(_EAST.findall(word))
        found |= {east[i : i + 2] for i in range(max(1, len(east) - 1))} if east else {_stem(word)}
    return frozenset(found)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def ranked(anchors: Sequence[Anchor], wanted: str, subgoal: AnchorId | None) -> list[Anchor]:
    """Put the anchors that bear on `wanted` first; equal ones in the order of making, latest first.

    A rare word that is shared says more than a common one.
    """
    asked = words(wanted)
    mine = {a.id: words(f"{a.name} {a.content} {a.proof.page}") for a in anchors}
    weights = _weights(mine.values())
    said = {a.id: _share(asked, mine[a.id], weights) for a in anchors}
    newest = max((a.proof.step for a in anchors), default=0)
    scores = {a.id: _score(a, said, subgoal, newest) for a in anchors}
    return sorted(anchors, key=lambda a: (-scores[a.id], -int(a.id[1:])))


def _weights(texts: Iterable[frozenset[str]]) -> dict[str, float]:
    rows = list(texts)
    counts: dict[str, int] = {}
    for row in rows:
        for word in row:
            counts[word] = counts.get(word, 0) + 1
    return {w: math.log(1 + len(rows) / n) for w, n in counts.items()}


def _share(asked: frozenset[str], mine: frozenset[str], weights: dict[str, float]) -> float:
    """Return how much of what is asked for a fact says, 0 to 1; words that no fact holds say nothing."""
    known = sum(weights.get(w, 0.0) for w in asked)
    return sum(weights[w] for w in asked & mine) / known if known else 0.0


def _score(anchor: Anchor, said: dict[AnchorId, float], subgoal: AnchorId | None, newest: int) -> float:
    score = _SAID * said[anchor.id]
    score += _MINE * (subgoal is not None and subgoal in (anchor.subgoal, anchor.id))
    score += _TIED * max((said.get(link.to, 0.0) for link in anchor.links), default=0.0)
    score += _FRESH * 0.9 ** (newest - anchor.proof.step)
    return score + _TROUBLE * (anchor.kind is AnchorKind.EXCEPTION)
