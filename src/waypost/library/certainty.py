"""Whether the best page is the one that was meant: its evidence in, a probability out.

A logistic curve over the evidence, fitted on recorded apps (see `benchmarks/retrieval.py`): sentences
whose page is on the map against sentences whose page is not. No figure of the map under question
enters, so that a small and a large map are judged alike.
"""

import math
from collections.abc import Mapping

__all__ = ["certainty"]

_WEIGHTS = {"summary": 5.5, "intents": 4.5, "words": 2.75}
_BIAS = -4.0


def certainty(evidence: Mapping[str, float]) -> float:
    """Return the probability, 0 to 1, that a page with this evidence is meant.

    >>> certainty({"summary": 0.7, "intents": 0.8, "words": 0.9}) > 0.9
    True
    >>> certainty({"summary": 0.1, "intents": 0.2, "words": 0.0}) < 0.2
    True
    """
    total = _BIAS + sum(weight * evidence.get(name, 0.0) for name, weight in _WEIGHTS.items())
    return 1 / (1 + math.exp(-total))
