"""What a step costs: a transition in, the steps to expect of it out."""

import math
from dataclasses import dataclass

from waypost.model import Launch, Press, Standing, Transition

__all__ = ["UNIT", "Ageing", "Costs", "hazard", "whole"]

UNIT = 1000
"""Parts of a step in which searches count: prices are whole numbers of them, so that sums are exact."""


def whole(price: float) -> int | None:
    """Return a price in whole parts of a step, None where it is infinite; never below zero.

    >>> whole(1.2345), whole(math.inf)
    (1234, None)
    """
    return None if math.isinf(price) else max(0, round(price * UNIT))


def hazard(step: Transition) -> str:
    """Say why a step may not be undone (`pay`, `send`); empty where it is harmless."""
    target = getattr(step.action, "target", None)
    return step.hazard or (target.hazard if target is not None else "")


@dataclass(frozen=True, slots=True)
class Ageing:
    """How belief in what was seen fades: every `half_life` seconds, a sighting counts half."""

    now: float
    """Seconds since the epoch."""
    half_life: float = 90 * 86_400.0

    def weight(self, seen: float) -> float:
        """Return what a sighting at `seen` counts now, 0 to 1; one without a date counts whole."""
        return 1.0 if seen <= 0 else 0.5 ** (max(0.0, self.now - seen) / self.half_life)


@dataclass(frozen=True, slots=True)
class Costs:
    """The price list. Every price is in steps, so a plan's cost reads as "expected steps".

    A step costs 1, and `miss_cost` for each miss to expect of it. If p is the chance that it lands
    where it should, -log p misses are to be expected (misses as rare events), and because logarithms
    add up, a whole way costs its hops plus `miss_cost` times the misses to expect along all of it.
    """

    miss_cost: float = 2.0
    """Steps that a miss takes to notice and to undo."""
    hits: float = 4.0
    trials: float = 4.5
    """What is believed of an action before it was tried: `hits` in `trials`. Most controls do the same
    thing twice, so one sighting is nearly enough, and one miss does not condemn an edge."""
    detour: float = 8.0
    """Extra for counting on what is not to be expected: a rare outcome, or a Back that leads elsewhere than
    where the plan itself came from."""
    relaunch: float = 3.0
    """A relaunch in steps; infinite to rule it out."""
    doubted: float = 3.0
    """What is believed, of `trials`, of an action that was seen on another version of the app only."""
    carried: float = 0.25
    """What a sighting on another version counts, against one on this version."""
    stale: float = 20.0
    """Extra for what was looked for on this version and not found: the last thing to try."""
    second: float = 0.0
    """Steps that a second of waiting for the next page is worth."""
    hazard: float = 4.0
    """Extra for what may not be undone, where that is allowed at all."""
    ageing: Ageing | None = None
    """None where what was seen long ago counts as much as what was seen today."""

    def chance(self, step: Transition) -> float:
        """Return the chance that doing the step lands on its target, 0 to 1.

        Back is believed only as far as it was observed: where it leads depends on how one came. What
        nobody saw happen (`unverified`) is believed no further.
        """
        guess = step.action == Press("back") or step.unverified
        hits, trials = (1.0, 2.0) if guess else (self.hits, self.trials)
        weight = 1.0 if self.ageing is None else self.ageing.weight(step.last_seen)
        if step.standing is not Standing.LIVE:
            hits, weight = hits * self.doubted / self.hits, weight * self.carried
        done = weight * (max(step.tries, step.successes) + step.failures)
        return (weight * step.successes + hits) / (done + trials)

    def price(self, step: Transition, *, expected: bool = True) -> float:
        """Return the steps to expect of taking `step`, at least 1, to the thousandth (see `UNIT`).

        >>> from waypost.model import NodeId, Tap
        >>> once = Transition(NodeId("a"), Tap((1, 1)), NodeId("b"), "tap:b")
        >>> Costs().price(once)
        1.191
        >>> Costs().price(Transition(NodeId("a"), Press("back"), NodeId("b"), "press:back"))
        1.811
        >>> from dataclasses import replace
        >>> Costs().price(replace(once, standing=Standing.UNKNOWN))
        1.759
        """
        if isinstance(step.action, Launch):
            return self.relaunch
        extra = self.second * step.latency + (0.0 if expected else self.detour)
        extra += self.hazard if hazard(step) else 0.0
        extra += self.stale * (step.standing is Standing.STALE)
        return round(UNIT * (1.0 - self.miss_cost * math.log(self.chance(step)) + extra)) / UNIT
