"""Faults of a set of tasks: tasks and what is known of their app in, plain words of what is wrong out.

What is known are pages as a map or a world shows them. A map is partial: that it lacks a target proves
nothing, so that "unreachable" is said only where the pages are `complete`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from waypost.bench.judge import LookJudge
from waypost.bench.tasks import TaskSet
from waypost.model import Observation, Screen, Target, Task

__all__ = ["Fault", "Known", "copied", "keyed", "lint"]


@dataclass(frozen=True, slots=True)
class Fault:
    task: str
    """Id of the task; empty for the whole set."""
    rule: str
    """`ambiguous`, `copied`, `unreachable`, `double`, `spoiled`, `keyed`."""
    text: str

    def as_json(self) -> dict[str, str]:
        return {"task": self.task, "rule": self.rule, "text": self.text}


@dataclass(frozen=True)
class Known:
    """What an app's pages look like, by the name of the page."""

    looks: Mapping[str, Sequence[Screen]] = field(default_factory=dict)
    """Screens of each page; empty where only labels are known."""
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What can be read on the page and on the way to it."""
    reachable: frozenset[str] = frozenset()
    """Pages that a harmless way leads to."""
    complete: bool = False
    """These are all pages of the app, and all that can be reached."""


def lint(tasks: TaskSet, known: Known | None = None) -> list[Fault]:
    """Return every fault of a set, in the order of its tasks.

    >>> from waypost.model import Target, Task
    >>> a = Task("a", "x", "Show the bill", Target(page="x/bill"))
    >>> b = Task("b", "x", "show  the Bill!", Target(page="x/bill"))
    >>> [(f.task, f.rule) for f in lint(TaskSet("x", (a, b)))]
    [('b', 'double')]
    """
    known = known or Known()
    faults = list(_doubles(tasks.tasks))
    for task in tasks.tasks:
        faults += _task_faults(task, known)
    order = {t.id: n for n, t in enumerate(tasks.tasks)}
    return sorted(faults, key=lambda f: order.get(f.task, -1))


def _task_faults(task: Task, known: Known) -> list[Fault]:
    faults: list[Fault] = []
    pages = {name for target in task.targets for name in _shows(target, task, known)}
    if task.target is not None and not any(t.page for t in task.targets) and len(pages) > len(task.targets):
        names = ", ".join(sorted(pages))
        faults.append(Fault(task.id, "ambiguous", f"the target passes on several pages: {names}"))
    if task.target is not None and known.complete and not pages & known.reachable:
        faults.append(Fault(task.id, "unreachable", "no harmless way leads to the target"))
    for name in sorted(pages):
        for label in copied(task.instruction, known.labels.get(name, ())):
            faults.append(Fault(task.id, "copied", f"the sentence takes {label!r} from the screen of {name}"))
    for pattern in task.forbids:
        if any(p == pattern for target in task.targets for p in target.has):
            faults.append(Fault(task.id, "spoiled", f"{pattern!r} is forbidden, and part of the target"))
    return faults


def _shows(target: Target, task: Task, known: Known) -> list[str]:
    """Return the known pages that pass for a target."""
    if target.page:
        return [target.page] if target.page in known.labels or target.page in known.reachable else []
    judge, alone = LookJudge(), Task(task.id, task.app, task.instruction, target)
    return [
        name
        for name, screens in known.looks.items()
        if any(judge.judge(alone, Observation(s)).passed for s in screens)
    ]


def _doubles(tasks: Sequence[Task]) -> Iterable[Fault]:
    said: dict[tuple[str, str], str] = {}
    for task in tasks:
        first = said.setdefault((task.app, _words(task.instruction)), task.id)
        if first != task.id:
            yield Fault(task.id, "double", f"asks the same as {first!r}")


def copied(sentence: str, labels: Iterable[str]) -> list[str]:
    """Return the labels of two or more words that stand word for word in a sentence.

    >>> copied("Open the cash flow chart", ["Cash Flow", "Chart", "Net Worth"])
    ['Cash Flow']
    """
    said = f" {_words(sentence)} "
    return [x for x in dict.fromkeys(labels) if " " in _words(x) and f" {_words(x)} " in said]


def keyed(tasks: Iterable[Task], memory: Iterable[str]) -> list[Fault]:
    """Return the tasks whose very sentence stands in a memory: such a memory was made for the test.

    >>> from waypost.model import Task
    >>> [f.task for f in keyed([Task("t", "x", "Show the bill")], ["Bills. Used for: show the bill."])]
    ['t']
    """
    text = " | ".join(_words(m) for m in memory)
    return [
        Fault(t.id, "keyed", "the memory holds the very sentence of this task: it is not older than the test")
        for t in tasks
        if re.search(rf"\b{re.escape(_words(t.instruction))}\b", text)
    ]


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
