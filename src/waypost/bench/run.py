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
    as_named: bool = True
    """The last look truly is the page that the actor took the task to mean."""

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
        """The actor said that it was on a page, and it was not: an arrival that nobody saw."""
        return self.episode.claimed and not self.success and not self.as_named

    @property
    def wrong_page(self) -> bool:
        """The actor was where it said, and that is not what was asked (TAG-Nav's class A)."""
        return self.episode.claimed and not self.success and self.as_named

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
    as_named: Callable[[Episode], bool] = lambda episode: False,
) -> Iterator[Trial]:
    """Yield a trial as soon as it is judged, so that a run may be watched and stopped.

    `as_named` says whether an episode's last look truly is the page that its actor set out for. An
    actor without a map names no page but the task's own: where the judge refuses it, its claim is false.
    """
    for task in tasks:
        for name, arm in arms.items():
            episode = arm(task)
            passed, reason = False, "no last look"
            if episode.final is not None:
                verdict = judge.judge(task, episode.final)
                passed, reason = verdict.passed, verdict.reason
            named = passed if episode.goal is None else as_named(episode)
            yield Trial(name, task, episode, passed, reason, shortest(task), named)
