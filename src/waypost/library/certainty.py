"""How sure an answer is: the evidence for the best page in, probabilities out.

Logistic curves. `certainty` was fitted on sentences whose page is on the map against sentences whose
page is not: where word pieces are compared, on recorded and on invented apps at once, every set and both
kinds of sentence counting alike (`training/fit.py --recorded`); where they are not, as with questions in
another script than Latin, on invented Chinese apps (`training/fit.py --chinese`). `rightness` was fitted on
recorded apps, on sentences where the best page was right against those where another one was. No figure of
the map under question enters, so that a small and a large map are judged alike.
"""

import math
from collections.abc import Mapping

__all__ = ["certainty", "rightness"]

_WEIGHTS = {"summary": 8.1, "intents": 5.3, "words": 0.9, "tokens": 6.4, "elsewhere": -2.3}
_BIAS = -8.05
_WEIGHTS_WITHOUT_TOKENS = {"summary": 11.7, "elsewhere": -2.1}
"""Words and intents say nothing more there."""
_BIAS_WITHOUT_TOKENS = -5.5
_LEAD, _NEAR, _RIVALS = 0.8, 0.9, -0.7


def certainty(evidence: Mapping[str, float]) -> float:
    """Return the probability, 0 to 1, that the map has the page at all, by its best candidate.

    >>> certainty({"summary": 0.7, "intents": 0.8, "words": 0.9}) > 0.9
    True
    >>> certainty({"summary": 0.1, "intents": 0.2, "words": 0.0}) < 0.2
    True

    Where a kind of page that the map lacks is nearer, that speaks against the map:

    >>> near = {"summary": 0.5, "intents": 0.3, "words": 0.3}
    >>> certainty(near | {"elsewhere": -0.1}) > 0.5 > certainty(near | {"elsewhere": 0.3})
    True
    """
    weights, bias = _WEIGHTS, _BIAS
    if "tokens" not in evidence:
        weights, bias = _WEIGHTS_WITHOUT_TOKENS, _BIAS_WITHOUT_TOKENS
    total = bias + sum(weight * evidence.get(name, 0.0) for name, weight in weights.items())
    return 1 / (1 + math.exp(-total))


def rightness(lead: float, evidence: Mapping[str, float]) -> float:
    """Return the probability, 0 to 1, that the best page is the right one, if the map has it.

    `lead` is how far its score is ahead of the next one's.

    >>> near = {"summary": 0.5, "intents": 0.6}
    >>> rightness(3.0, near) > 0.85 > rightness(0.1, near)
    True
    """
    total = _RIVALS + _LEAD * min(lead, 3.0) + _NEAR * (evidence["summary"] + evidence["intents"])
    return 1 / (1 + math.exp(-total))
