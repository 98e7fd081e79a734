"""A store of episodes and the name of a judge in, verdicts of that judge in the store out. No device."""

from collections.abc import Iterator
from pathlib import Path

from waypost.bench import LookJudge
from waypost.bench.inference import Agreement, agreement
from waypost.bench.labels import read_labels
from waypost.bench.llm_judge import ModelJudge
from waypost.bench.store import EpisodeStore, Key, Run
from waypost.bench.verdicts import TruthJudge, held
from waypost.errors import UsageError
from waypost.model import Verdict
from waypost.parts.models import ModelOptions, open_model

__all__ = ["agreed", "judged"]

_FORMS = "look, truth, model:NAME, or a file of labels (JSON)"


def judged(store: EpisodeStore, judge: str, model: ModelOptions) -> tuple[int, str]:
    """Judge every stored episode anew; returns how many, and what the judge is called. Raises UsageError."""
    if judge.endswith(".json"):
        return _people(store, Path(judge))
    count, name = 0, judge
    for run, verdict in list(_verdicts(store, judge, model)):
        store.judge(run.key, verdict)
        count, name = count + 1, verdict.judge
    return count, name


def _verdicts(store: EpisodeStore, judge: str, model: ModelOptions) -> Iterator[tuple[Run, Verdict]]:
    kind, _, name = judge.partition(":")
    if kind not in ("look", "truth", "model"):
        raise UsageError(f"There is no judge {judge!r}; there are {_FORMS}")
    asked = ModelJudge(open_model(_named(model, name)).llm) if kind == "model" else None
    for run in store.runs():
        pages = any(t.page for t in run.episode.task.targets)
        if kind == "truth" and not run.label and run.episode.final is not None:
            continue  # Its world does not know what page it was.
        if kind == "look" and pages:
            continue  # Its target names a page of the truth, and not what that looks like.
        if asked is not None:
            yield run, held(run, asked)
        else:
            yield run, held(run, TruthJudge(run.label) if kind == "truth" else LookJudge())


def _named(model: ModelOptions, name: str) -> ModelOptions:
    from dataclasses import replace

    told = replace(model, model=name or model.model)
    if not told.model:
        raise UsageError("Say which model judges: --rescore model:NAME, or set WAYPOST_LLM_MODEL")
    return told


def _people(store: EpisodeStore, path: Path) -> tuple[int, str]:
    """Take a person's labels into the store."""
    labels = read_labels(path)
    known = {run.key: run for run in store.runs(screens=False)}
    if unknown := [k for k in labels.grades if k not in known]:
        raise UsageError(f"{str(path)!r} labels an episode that is not in this store: {unknown[0]}")
    name = f"human:{labels.who}"
    for key, grade in labels.grades.items():
        verdict = Verdict(grade >= 4, labels.notes.get(key, "") or f"graded {grade}", name, grade)
        store.judge(key, verdict)
    return len(labels.grades), name


def agreed(store: EpisodeStore, judge: str, reference: str) -> Agreement:
    """Hold one judge's verdicts against another's, on the episodes that both judged. Raises UsageError."""
    both: list[tuple[Key, Verdict, Verdict]] = []
    known: set[str] = set()
    for run in store.runs(screens=False):
        said = {v.judge: v for v in run.verdicts}
        known |= said.keys()
        if judge in said and reference in said and run.episode.final is not None:
            both.append((run.key, said[judge], said[reference]))
    if not both:
        raise UsageError(
            f"No episode was judged by both {judge!r} and {reference!r}; this store has verdicts of "
            f"{', '.join(sorted(known)) or 'nobody'}"
        )
    grades = [v.score for _, v, _ in both], [v.score for _, _, v in both]
    return agreement([v.passed for _, v, _ in both], [v.passed for _, _, v in both], grades)
