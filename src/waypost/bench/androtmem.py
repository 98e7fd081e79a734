"""Score long tasks as AndroTMem does: recorded tasks and predicted actions in, AMS and TCR out.

Each step is judged by itself, after the recorded ones before it (teacher-forced). A step whose screenshot is
missing cannot be judged: the released scorer passes it, and so tells more than was shown. Both ways of
counting are returned; `strict` leaves such steps out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.errors import UsageError

__all__ = ["Scores", "StepTruth", "TaskTruth", "read_task", "score", "step_passes"]

_ALIASES = {
    "click": "tap",
    "type": "text",
    "input_text": "text",
    "terminate": "finish",
    "finish_task": "finish",
}
_SPOKEN = frozenset({"text", "need_feedback"})
_TOUCHED = frozenset({"tap", "long_press"})
_DRAGGED = frozenset({"swipe", "swipe_two_points"})
_GROWN = 0.14
"""Share of a box by which it is larger than it is drawn, on each side."""


@dataclass(frozen=True, slots=True)
class StepTruth:
    index: int
    action: Mapping[str, Any]
    statuses: tuple[str, ...] = ()
    links: tuple[tuple[int, bool], ...] = ()
    """Earlier steps that this one rests on, and whether it does so critically."""
    image: bool = True
    """Whether its screenshot is there."""


@dataclass(frozen=True, slots=True)
class TaskTruth:
    id: str
    steps: tuple[StepTruth, ...]

    @property
    def final(self) -> StepTruth:
        """The last step that finishes: by a status that says so, or by its action; else the last step."""
        ends = [s for s in self.steps if _finishes(s)]
        return (ends or self.steps)[-1]

    def needed(self) -> set[int]:
        """Return the steps that the final one rests on critically, however far, itself included."""
        by_index = {s.index: s for s in self.steps}
        found: set[int] = set()
        open_ = [self.final.index]
        while open_:
            index = open_.pop()
            if index not in found:
                found.add(index)
                if index in by_index:
                    open_ += [source for source, critical in by_index[index].links if critical]
        return found


@dataclass(frozen=True, slots=True)
class Scores:
    """Shares in percent, with what they were counted over."""

    ams: float
    """Steps that pass, of all steps."""
    tcr: float
    """Tasks of which every step that the final one rests on passes, of all tasks."""
    steps: int
    tasks: int


def read_task(row: Mapping[str, Any], images: Path | None = None) -> TaskTruth:
    """Read a task in AndroTMem's form; without `images`, all screenshots count as there.

    Raises UsageError.
    """
    try:
        steps = tuple(_step(s, images) for s in row["steps"])
        task = TaskTruth(str(row["task_id"]), steps)
    except (KeyError, TypeError, ValueError, AttributeError) as e:
        raise UsageError(f"Not a task of AndroTMem: {type(e).__name__}: {e}") from e
    if not steps:
        raise UsageError(f"The task {task.id!r} has no steps")
    return task


def _step(row: Mapping[str, Any], images: Path | None) -> StepTruth:
    extra = row.get("extra_info") or {}
    statuses = tuple(str(v) for s in extra.get("status") or () for v in s.values() if isinstance(v, str))
    links = tuple((int(k["source"]), k.get("is_critical") is True) for k in extra.get("links") or ())
    there = images is None or (images / str(row.get("image_name", ""))).is_file()
    return StepTruth(int(row["step_index"]), dict(row["actionForm"]), statuses, links, there)


def _finishes(step: StepTruth) -> bool:
    said = any("finish" in s.casefold() for s in step.statuses)
    return said or _kind(step.action) == "finish"


def step_passes(truth: Mapping[str, Any], predicted: Mapping[str, Any] | None) -> bool:
    """Hold a predicted action against the recorded one.

    >>> step_passes({"action": "tap", "bbox": [100, 100, 200, 200]}, {"action": "click", "x": 210, "y": 90})
    True
    >>> step_passes({"action": "text", "value": "Tea "}, {"action": "type", "value": "tea"})
    True
    >>> step_passes({"action": "swipe", "direction": ""}, {"action": "swipe", "direction": ""})
    False
    """
    if predicted is None or _kind(truth) != _kind(predicted) or not _kind(truth):
        return False
    kind = _kind(truth)
    if kind in _SPOKEN:
        return _plain(truth.get("value")) == _plain(predicted.get("value"))
    if kind in _TOUCHED:
        return _inside(truth.get("bbox"), predicted.get("x"), predicted.get("y"))
    if kind in _DRAGGED:
        way = _plain(truth.get("direction"))
        return bool(way) and way == _plain(predicted.get("direction"))
    return True


def score(
    tasks: Sequence[TaskTruth], predicted: Mapping[tuple[str, int], Mapping[str, Any]]
) -> dict[str, Scores]:
    """Return both countings: `strict` without what has no screenshot, `released` with it as passed.

    `predicted` holds actions by task and step; what is missing there has failed. A task counts as strict
    only where every step that decides it has a screenshot.
    """
    return {
        "strict": _score(tasks, predicted, strict=True),
        "released": _score(tasks, predicted, strict=False),
    }


def _score(
    tasks: Sequence[TaskTruth], predicted: Mapping[tuple[str, int], Mapping[str, Any]], *, strict: bool
) -> Scores:
    passed = counted = done = judged = 0
    for task in tasks:
        shown = {s.index for s in task.steps if s.image}
        good = {
            s.index for s in task.steps if step_passes(s.action, predicted.get((task.id, s.index)))
        } & shown
        if not strict:
            good |= {s.index for s in task.steps} - shown
        steps = [s for s in task.steps if s.image or not strict]
        passed += sum(s.index in good for s in steps)
        counted += len(steps)
        needed = task.needed()
        if not strict or all(s.image for s in task.steps if s.index in needed):
            judged += 1
            done += needed <= good
    return Scores(_percent(passed, counted), _percent(done, judged), counted, judged)


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _kind(action: Mapping[str, Any]) -> str:
    kind = _plain(action.get("action"))
    return _ALIASES.get(kind, kind)


def _plain(value: Any) -> str:
    return str(value).strip().lower() if value is not None else ""


def _inside(box: Any, x: Any, y: Any) -> bool:
    try:
        left, top, right, bottom = (float(v) for v in box)
        across, down = float(x), float(y)
    except (TypeError, ValueError):
        return False
    wide, high = _GROWN * (right - left), _GROWN * (bottom - top)
    return left - wide <= across <= right + wide and top - high <= down <= bottom + high
