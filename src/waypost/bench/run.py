"""Run every task under every arm: tasks and arms in, judged trials out, one at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from waypost.model import Episode, Task
from waypost.protocols import Judge

__all__ = ["Arm", "Trial", "run"]

Arm: TypeAlias = Callable[[Task], Episode]
"""A condition under test: does a task, from a reset start state, and says how it went."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One task under one arm: what was claimed, what was verified, what was judged."""

    arm: str
    task: Task
    episode: Episode
    passed: bool
    """The judge found the last look to be the target."""
    reason: str = ""
    shortest: int = 0
    """Fewest actions from the start state; 0 where not known."""

    @property
    def success(self) -> bool:
        """The target exists, the actor said that it arrived, and the judge agrees."""
        return self.task.target is not None and self.episode.claimed and self.passed

    @property
    def abstained(self) -> bool:
        """The target does not exist, and no arrival was claimed."""
        return self.task.target is None and not self.episode.claimed

    @property
    def false_arrival(self) -> bool:
        """An arrival was claimed, and the judge disagrees."""
        return self.episode.claimed and not (self.task.target is not None and self.passed)

    @property
    def spl(self) -> float | None:
        """Success weighted by path length, 0 to 1; None where the shortest way is not known."""
        if self.task.target is None or (self.success and not self.shortest and self.episode.actions):
            return None
        if not self.success:
            return 0.0
        return self.shortest / max(self.shortest, self.episode.actions) if self.episode.actions else 1.0


def run(
    tasks: Iterable[Task],
    arms: Mapping[str, Arm],
    judge: Judge,
    *,
    shortest: Callable[[Task], int] = lambda task: task.shortest,
) -> Iterator[Trial]:
    """Yield a trial as soon as it is judged, so that a run may be watched and stopped."""
    for task in tasks:
        for name, arm in arms.items():
            episode = arm(task)
            passed, reason = False, "no last look"
            if episode.final is not None:
                verdict = judge.judge(task, episode.final)
                passed, reason = verdict.passed, verdict.reason
            yield Trial(name, task, episode, passed, reason, shortest(task))
