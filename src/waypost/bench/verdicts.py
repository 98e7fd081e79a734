"""Judgements of stored episodes: a run and a judge in, a verdict that names its judge out. No device."""

import re
from collections.abc import Iterable

from waypost.bench.run import Trial
from waypost.bench.store import EpisodeStore, Run
from waypost.model import Observation, Task, Verdict
from waypost.protocols import Judge

__all__ = ["TruthJudge", "held", "rescored", "spoiled", "trial"]


class TruthJudge:
    """Passes what the world itself called the last look; for runs whose true page was taken down."""

    def __init__(self, label: str) -> None:
        self._label = label

    def judge(self, task: Task, final: Observation) -> Verdict:
        """Compare the true page of the last look with the task's."""
        if task.target is None:
            return Verdict(False, "the app has no such page", "truth")
        wanted = [t.page for t in task.targets]
        return Verdict(
            bool(self._label) and self._label in wanted, f"on {self._label!r}, wanted {wanted[0]!r}", "truth"
        )


def held(run: Run, judge: Judge) -> Verdict:
    """Have a judge look at a run's end; what was forbidden on the way fails it, wherever it ends."""
    task, final = run.episode.task, run.episode.final
    if final is None:
        name = "truth" if isinstance(judge, TruthJudge) else getattr(judge, "name", "look")
        return Verdict(False, run.fault or "no last look", name)
    verdict = judge.judge(task, final)
    if verdict.passed and (label := spoiled(run)):
        return Verdict(False, f"{label!r} was used on the way, which the task forbids", verdict.judge)
    return verdict


def spoiled(run: Run) -> str:
    """Return the label of a forbidden control that was acted on; empty where there is none."""
    for step in run.episode.steps:
        target = getattr(step.decision.action, "target", None)
        label = target.label if target is not None else ""
        if label and any(re.search(p, label, re.IGNORECASE) for p in run.episode.task.forbids):
            return str(label)
    return ""


def trial(run: Run, judge: str = "") -> Trial:
    """Return a run as a judged trial, by the named judge or else by whoever judged it first."""
    said = [v for v in run.verdicts if not judge or v.judge == judge]
    verdict = said[0] if said else Verdict(False, "not judged", judge)
    arm = f"{run.key.arm} {run.key.actor}"
    named = verdict.passed if run.episode.goal is None else run.as_named
    return Trial(arm, run.episode.task, run.episode, verdict.passed, verdict.reason, run.shortest, named)


def rescored(store: EpisodeStore, judges: Iterable[Judge] | None, named: str = "") -> int:
    """Judge every stored episode anew and keep what was said; returns how many were judged.

    None for `judges` takes the truth that was taken down with each episode.
    """
    count = 0
    for run in store.runs():
        for judge in judges if judges is not None else [TruthJudge(run.label)]:
            verdict = held(run, judge)
            store.judge(
                run.key, Verdict(verdict.passed, verdict.reason, named or verdict.judge, verdict.score)
            )
            count += 1
    return count
