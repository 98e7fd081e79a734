"""Why an episode missed: a run and its verdict in, one class with the evidence that assigned it out.

The classes are TAG-Nav's (5.6): A wrong retrieval, B near miss, C execution; D is added for what broke.
Every rule is stated here and tells what it went by; nobody's impression is asked.
"""

import re
from collections import Counter
from dataclasses import dataclass

from waypost.bench.run import Trial
from waypost.bench.store import Run
from waypost.model import Episode, Launch, Press, StopReason

__all__ = ["CLASSES", "Cleanliness", "Miss", "cleanliness", "miss"]

CLASSES = {
    "A": "wrong retrieval: the memory took the sentence for another page, or refused one that is there",
    "B": "near miss: it ended one step from the target, or on its address without what it shows",
    "C": "execution: the page was right or there was no memory, and it was not reached",
    "D": "fault: the device, the world or the model broke",
}
_BROKEN = (StopReason.DEVICE_LOST, StopReason.UNKNOWN, StopReason.REPLY_BROKEN)


@dataclass(frozen=True, slots=True)
class Miss:
    kind: str
    """`A` to `D`, as in CLASSES."""
    evidence: str

    def as_json(self) -> dict[str, str]:
        return {"class": self.kind, "evidence": self.evidence}


def miss(run: Run, trial: Trial) -> Miss | None:
    """Say what went wrong; None where nothing did."""
    if trial.success or trial.abstained:
        return None
    episode, memory = run.episode, run.memory
    if run.fault or episode.stop in _BROKEN:
        return Miss("D", run.fault or episode.note or episode.stop.value)
    if memory.refused:
        there = {True: "the target is on it", False: "the target is not on it", None: ""}[memory.covered]
        return Miss("A", f"the memory said that the page is not on its map; {there}")
    near = _near(run)
    if memory.retrieved is False and not near:
        there = "the target is on the map" if memory.covered else "the target is not on the map"
        if trial.task.target is None:
            there = "the app has no such page"
        return Miss("A", f"the memory took it for {memory.page!r}; {there}")
    if near:
        return Miss("B", near)
    if trial.task.target is None:
        return Miss("C", f"claimed an arrival where no page is right: {trial.reason}")
    return Miss("C", f"{episode.stop.value}: {episode.note or trial.reason}")


def _near(run: Run) -> str:
    """Return why an end counts as near; empty where it does not."""
    episode, memory, task = run.episode, run.memory, run.episode.task
    if task.target is None or episode.final is None or not episode.claimed:
        return ""
    if episode.page is not None and str(episode.page) in memory.near:
        return f"ended on {str(episode.page)!r}, which the map has one step from the target"
    for target in task.targets:
        if target.page and run.label and _base(run.label) == _base(target.page):
            return f"ended on {run.label!r}, of the same page as {target.page!r}"
        if target.url and re.match(target.url, episode.final.screen.activity):
            at = episode.final.screen.activity
            return f"ended on the target's address {at!r}: what it shows is not all there"
    return ""


def _base(page: str) -> str:
    return page.partition("+")[0]


@dataclass(frozen=True, slots=True)
class Cleanliness:
    """How straight an episode went."""

    actions: int
    detours: int
    """Actions beyond the fewest, where those are known and the target was reached; else 0."""
    loops: int
    """Comings back to a page that had been left."""
    backtracks: int
    restarts: int

    def as_json(self) -> dict[str, int]:
        names = ("actions", "detours", "loops", "backtracks", "restarts")
        return {name: getattr(self, name) for name in names}


def cleanliness(episode: Episode, shortest: int = 0, *, reached: bool = False) -> Cleanliness:
    """Count what was not on the straight way."""
    done = [s.decision.action for s in episode.steps]
    pages = [str(s.at) for s in episode.steps if s.at is not None]
    pages = [p for n, p in enumerate(pages) if n == 0 or pages[n - 1] != p]
    return Cleanliness(
        episode.actions,
        max(0, episode.actions - shortest) if reached and shortest else 0,
        sum(n - 1 for n in Counter(pages).values()),
        sum(isinstance(a, Press) and a.key == "back" for a in done),
        sum(isinstance(a, Launch) for a in done),
    )
