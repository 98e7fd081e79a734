"""A judge that asks a model: the request and the last look in, a grade of 1 to 5 and a reason out."""

from dataclasses import dataclass
from importlib.resources import files

from waypost.errors import ReplyError
from waypost.model import Observation, Target, Task, Verdict
from waypost.model.wording import one_line, quoted
from waypost.protocols import LLM

__all__ = ["Grade", "ModelJudge"]

PASSES = 4
"""The lowest grade that counts as arrived (TAG-Nav, 4)."""
_LABELS = 120


@dataclass(frozen=True, slots=True)
class Grade:
    """What the model is to answer."""

    grade: int
    """1 to 5."""
    reason: str
    """One sentence."""


class ModelJudge:
    """Grades the last look by what it shows, with the screenshot where there is one.

    The model is never told what the actor claimed, nor which arm it was. A reply that does not fit is asked
    for again by the seam; one that never fits fails the episode, and says so.
    """

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self.name = f"model:{llm.id}"

    def judge(self, task: Task, final: Observation) -> Verdict:
        """Ask once."""
        images = (final.image,) if final.image else ()
        try:
            said = self._llm.ask(_prompt(task, final), images, returns=Grade)
        except ReplyError as e:
            return Verdict(False, f"no usable reply: {e}", self.name)
        if not 1 <= said.grade <= 5:
            return Verdict(False, f"graded {said.grade}, which is no grade", self.name)
        passed = said.grade >= PASSES and task.target is not None
        return Verdict(passed, one_line(said.reason, 300), self.name, said.grade)


def _prompt(task: Task, final: Observation) -> str:
    template = files("waypost.bench").joinpath("judge.txt").read_text(encoding="utf-8")
    labels = dict.fromkeys(
        one_line(label, 80)
        for e in final.screen.visible()
        if not e.password
        for label in (e.text, e.description, e.hint)
        if label
    )
    return template.format(
        instruction=quoted(task.instruction, 400),
        target="; ".join(_told(t) for t in task.targets) or "not known",
        labels="\n".join(f"- {quoted(label)}" for label in list(labels)[:_LABELS]) or "- nothing can be read",
    )


def _told(target: Target) -> str:
    parts = [f"its id is {target.page}"] if target.page else []
    parts += [f"its address matches {target.url}"] if target.url else []
    parts += [f"it shows {', '.join(target.has)}"] if target.has else []
    parts += [f"it does not show {', '.join(target.lacks)}"] if target.lacks else []
    return ", ".join(parts)
