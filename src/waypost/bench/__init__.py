"""Page-reaching benchmark: tasks x arms -> episodes -> verdicts -> figures with intervals."""

from waypost.bench.coverage import Coverage, StepLog, Truth, coverage, joined
from waypost.bench.judge import LabelJudge, LookJudge, same_place
from waypost.bench.run import Arm, Trial, run
from waypost.bench.stats import ArmFigures, figures, mcnemar, wilson
from waypost.bench.tasks import TaskSet, read_tasks

__all__ = [
    "Arm",
    "ArmFigures",
    "Coverage",
    "LabelJudge",
    "LookJudge",
    "StepLog",
    "TaskSet",
    "Trial",
    "Truth",
    "coverage",
    "figures",
    "joined",
    "mcnemar",
    "read_tasks",
    "run",
    "same_place",
    "wilson",
]
