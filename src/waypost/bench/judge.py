"""Strict judges that need no model and know nothing of the map: a near miss fails."""

import re
from collections.abc import Callable

from waypost.model import Observation, Role, Screen, Target, Task, Verdict

__all__ = ["LabelJudge", "LookJudge", "same_place"]


class LookJudge:
    """Passes a look that has everything a target asks for: path, labels that show, labels that don't."""

    def judge(self, task: Task, final: Observation) -> Verdict:
        """Hold `final` against the task's target; an absent target is never reached."""
        if task.target is None:
            return Verdict(False, "the app has no such page", "look")
        verdicts = [self._held(task, target, final) for target in task.targets]
        return next((v for v in verdicts if v.passed), verdicts[0])

    def _held(self, task: Task, target: Target, final: Observation) -> Verdict:
        if target.page:
            raise ValueError(f"Task {task.id!r} names a ground-truth page; judge it with LabelJudge")
        screen = final.screen
        if target.url and not re.match(target.url, screen.activity):
            return Verdict(False, f"path {screen.activity!r} does not match {target.url!r}", "look")
        labels = [label for e in screen.visible() for label in (e.text, e.description, e.hint) if label]
        for pattern in target.has:
            if not _found(pattern, labels):
                return Verdict(False, f"nothing visible matches {pattern!r}", "look")
        for pattern in target.lacks:
            if _found(pattern, labels):
                return Verdict(False, f"something visible matches {pattern!r}", "look")
        return Verdict(True, "every part of the target is there", "look")


class LabelJudge:
    """Passes a look that the world itself calls the target page."""

    def __init__(self, label: Callable[[Observation], str]) -> None:
        self._label = label

    def judge(self, task: Task, final: Observation) -> Verdict:
        """Compare the true page of `final` with the task's."""
        if task.target is None:
            return Verdict(False, "the app has no such page", "truth")
        seen = self._label(final)
        wanted = [t.page for t in task.targets]
        return Verdict(seen in wanted, f"on {seen!r}, wanted {wanted[0]!r}", "truth")


def same_place(a: Screen, b: Screen) -> bool:
    """Say whether two looks share app, address pattern and kind of open layer: a check without the matcher.

    >>> a, b = Screen(app="x", activity="/a/17"), Screen(app="x", activity="/a/23?q")
    >>> same_place(a, b), same_place(a, Screen(app="x", activity="/b/17"))
    (True, False)
    """
    return (a.app, _address(a.activity), _layer(a)) == (b.app, _address(b.activity), _layer(b))


def _address(activity: str) -> str:
    """Reduce an address or activity to its pattern: no query, and no part that names an item."""
    path = re.split(r"[?#]", activity)[0]
    return "/".join("*" if re.search(r"\d|[0-9a-f]{8}|%", part) else part for part in path.split("/"))


def _layer(screen: Screen) -> frozenset[Role]:
    return frozenset(e.role for e in screen.visible() if e.role in (Role.DIALOG, Role.MENU))


def _found(pattern: str, labels: list[str]) -> bool:
    return any(re.search(pattern, label, re.IGNORECASE) for label in labels)
