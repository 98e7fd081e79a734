"""Fast Downward's own binary as a subprocess: a task's text and a search in, operator names out.

The wheel `up-fast-downward` brings the binary (GPL-3; an extra, run and never imported into ours). Each
run has a folder of its own, which is gone afterwards, so runs side by side never see each other's plans.
"""

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from pathlib import Path

from waypost.errors import UsageError

__all__ = ["SEARCHES", "Ending", "Solved", "binary", "run_search", "translate"]

SEARCHES = {
    "blind": ("astar(blind())", True),
    "lmcut": ("astar(lmcut())", True),
    "lazy": ("lazy_greedy([ff()], preferred=[ff()])", False),
}
"""By name: the search as Fast Downward writes it, and whether what it finds is proven optimal."""

_FOUND = 0
_NONE = (10, 11, 12)
"""Proven unsolvable by the translator or the search; 12 is unsolvable as far as an incomplete search saw."""


class Ending(Enum):
    FOUND = "found"
    NONE = "none"
    """Searched to the end: there is no plan."""
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Solved:
    ending: Ending
    names: tuple[str, ...] = ()
    cost: int | None = None
    """As Fast Downward adds it up."""
    why: str = ""


def binary() -> Path | None:
    """Return where Fast Downward's search lies; None where the extra is not installed."""
    spec = find_spec("up_fast_downward")
    if spec is None or not spec.submodule_search_locations:
        return None
    built = Path(spec.submodule_search_locations[0]) / "downward" / "builds" / "release" / "bin"
    found = built / ("downward.exe" if sys.platform == "win32" else "downward")
    return found if found.is_file() else None


def run_search(task: str, search: str, *, seconds: float) -> Solved:
    """Solve a SAS+ task with a search of `SEARCHES`. Raises UsageError where the extra is missing."""
    program = binary()
    if program is None:
        raise UsageError("Fast Downward is not installed; add it with: pip install 'waypost[pddl]'")
    words, complete = SEARCHES[search]
    with tempfile.TemporaryDirectory(prefix="waypost-plan-") as folder:
        plan = Path(folder) / "plan"
        command = [str(program), "--internal-plan-file", str(plan), "--search", words]
        try:
            done = subprocess.run(
                command, input=task, capture_output=True, text=True, timeout=seconds, cwd=folder, check=False
            )
        except subprocess.TimeoutExpired:
            return Solved(Ending.STOPPED, why=f"Fast Downward was stopped after {seconds:g} s")
        if done.returncode == _FOUND and plan.is_file():
            lines = plan.read_text(encoding="utf-8").splitlines()
            names = [line.strip("() ") for line in lines if line.startswith("(")]
            return Solved(Ending.FOUND, tuple(names), _cost(lines))
        if done.returncode in _NONE and (complete or done.returncode != _NONE[-1]):
            return Solved(Ending.NONE)
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        return Solved(Ending.STOPPED, why=f"Fast Downward ended with {done.returncode}: {' '.join(last)}")


def _cost(lines: list[str]) -> int | None:
    told = [re.match(r"; cost = (\d+)", line) for line in lines]
    return next((int(m[1]) for m in told if m), None)


def translate(domain: str, problem: str, *, seconds: float) -> str:
    """Turn PDDL into a SAS+ task with Fast Downward's own translator. Raises UsageError where it will not."""
    if find_spec("fast_downward") is None:
        raise UsageError("Fast Downward is not installed; add it with: pip install 'waypost[pddl]'")
    with tempfile.TemporaryDirectory(prefix="waypost-plan-") as folder:
        files = [Path(folder) / name for name in ("domain.pddl", "problem.pddl", "output.sas")]
        for path, text in zip(files, (domain, problem), strict=False):
            path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "fast_downward.translate", str(files[0]), str(files[1])]
        try:
            done = subprocess.run(
                [*command, "--sas-file", str(files[2])],
                capture_output=True,
                text=True,
                timeout=seconds,
                cwd=folder,
                check=False,
            )
        except subprocess.TimeoutExpired as e:
            raise UsageError(f"The translator was stopped after {seconds:g} s; allow it longer") from e
        if not files[2].is_file():
            raise UsageError(f"The translator refused the problem: {done.stderr.strip()[-300:]}")
        return files[2].read_text(encoding="utf-8")
