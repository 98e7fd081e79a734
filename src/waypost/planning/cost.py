"""What a step costs: a transition in, the steps to expect of it out."""

import math
from dataclasses import dataclass

from waypost.model import Launch, Press, Standing, Transition

__all__ = ["Costs"]


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

    def chance(self, step: Transition) -> float:
        """Return the chance that doing the step lands on its target, 0 to 1.

        Back is believed only as far as it was observed: where it leads depends on how one came.
        """
        hits, trials = (1.0, 2.0) if step.action == Press("back") else (self.hits, self.trials)
        worth = 1.0
        if step.standing is not Standing.LIVE:
            hits, worth = hits * self.doubted / self.hits, self.carried
        tried = max(step.tries, step.successes) + step.failures
        return (worth * step.successes + hits) / (worth * tried + trials)

    def price(self, step: Transition, *, expected: bool = True) -> float:
        """Return the steps to expect of taking `step`, at least 1.

        >>> from waypost.model import NodeId, Tap
        >>> once = Transition(NodeId("a"), Tap((1, 1)), NodeId("b"), "tap:b")
        >>> round(Costs().price(once), 2)
        1.19
        >>> round(Costs().price(Transition(NodeId("a"), Press("back"), NodeId("b"), "press:back")), 2)
        1.81
        >>> from dataclasses import replace
        >>> round(Costs().price(replace(once, standing=Standing.UNKNOWN)), 2)
        1.76
        """
        if isinstance(step.action, Launch):
            return self.relaunch
        extra = (0.0 if expected else self.detour) + self.stale * (step.standing is Standing.STALE)
        return 1.0 - self.miss_cost * math.log(self.chance(step)) + extra
