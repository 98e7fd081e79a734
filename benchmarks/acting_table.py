"""What came of runs: each with its three statuses and the truth beside it in, tables with intervals out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from waypost.bench.stats import bootstrap, mcnemar, wilson
from waypost.model import StopReason

__all__ = ["Run", "paired", "table", "totals"]

_CLAIMS = {StopReason.ARRIVED, StopReason.FALSE_CLAIM, StopReason.UNVERIFIED}


@dataclass(frozen=True, slots=True)
class Run:
    """One episode with the truth beside it."""

    task: str
    stop: str
    claimed: bool
    verified: bool
    there: bool
    """Judged by the world's own truth, the last page is the one that was asked for."""
    as_named: bool
    """By that truth, it is a page that the map holds for the one that was meant."""
    actions: int
    tokens: int
    crashed: str = ""

    @property
    def success(self) -> bool:
        return self.claimed and self.there

    @property
    def false_finish(self) -> bool:
        """It claimed to be on a page that it was not on."""
        return self.claimed and not self.there and not self.as_named

    @property
    def wrong_page(self) -> bool:
        """It was where it said, and the map had taken the task to mean another page."""
        return self.claimed and not self.there and self.as_named

    @property
    def statuses(self) -> str:
        told = {"claimed": self.claimed, "judged": self.there, "verified": self.verified}
        return "+".join(name for name, holds in told.items() if holds) or "none"

    @property
    def mixed(self) -> bool:
        """The statuses contradict why the run ended: a claim nobody made, an arrival nobody saw."""
        if self.crashed:
            return False
        verified = self.stop == StopReason.ARRIVED
        return self.claimed != (self.stop in _CLAIMS) or self.verified != verified


def table(runs: Sequence[Run]) -> dict[str, Any]:
    """Sum up some runs."""
    n, good = len(runs), sum(r.success for r in runs)
    low, high = wilson(good, n)
    claims = [r for r in runs if r.claimed]
    false = sum(r.false_finish for r in claims)
    return {
        "n": n,
        "success": good,
        "ci": [round(low, 3), round(high, 3)],
        "claims": len(claims),
        "false_finishes": false,
        "wrong_page": sum(r.wrong_page for r in claims),
        "false_share": round(false / len(claims), 3) if claims else 0.0,
        "stops": dict(Counter(r.stop for r in runs)),
        "statuses": dict(Counter(r.statuses for r in runs)),
        "actions": round(sum(r.actions for r in runs) / max(1, n), 2),
        "tokens": round(sum(r.tokens for r in runs) / max(1, n)),
        "crashes": sum(bool(r.crashed) for r in runs),
        "verified_but_not_there": sum(r.verified and not r.as_named for r in runs),
        "there_but_refuted": sum(r.claimed and r.there and r.stop == StopReason.FALSE_CLAIM for r in runs),
        "mixed": sum(r.mixed for r in runs),
    }


def paired(base: Sequence[Run], other: Sequence[Run]) -> dict[str, Any]:
    """Compare an arm with the bare one, task by task."""
    gained = sum(b.success and not a.success for a, b in zip(base, other, strict=True))
    lost = sum(a.success and not b.success for a, b in zip(base, other, strict=True))
    deltas = [float(b.success) - float(a.success) for a, b in zip(base, other, strict=True)]
    low, high = bootstrap(deltas)
    return table(other) | {
        "delta": round(sum(deltas) / max(1, len(deltas)), 3),
        "delta_ci": [round(low, 3), round(high, 3)],
        "gained": gained,
        "lost": lost,
        "p": round(mcnemar(gained, lost), 4),
    }


def totals(runs: Sequence[Run]) -> dict[str, Any]:
    """Return what must be zero, over all runs."""
    told = table(runs)
    return {
        "crashes": told["crashes"],
        "crashed": sorted({r.crashed for r in runs if r.crashed}),
        "false_finishes": told["false_finishes"],
        "verified_but_not_there": told["verified_but_not_there"],
        "mixed": told["mixed"],
        "episodes": len(runs),
    }
