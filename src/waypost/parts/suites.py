"""Names of suites in, their tasks out: the embedded phone's, and those of the worlds."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from waypost.bench import TaskSet, read_tasks
from waypost.errors import UsageError

__all__ = ["Suite", "listed", "suite", "suites"]

POCKET = "pocket"


@dataclass(frozen=True, slots=True)
class Suite:
    """A file of tasks that Waypost knows by name."""

    name: str
    tasks: TaskSet
    path: Path

    def as_json(self) -> dict[str, Any]:
        """Return what a list of suites tells of it."""
        return {"tasks": len(self.tasks.tasks), "absent": len(self.tasks.absent), "world": self.tasks.world}


def suites() -> dict[str, Suite]:
    """Read every suite, by name."""
    return {name: Suite(name, read_tasks(path), path) for name, path in _files()}


def suite(name: str) -> Suite:
    """Read a suite by its name, or a task file by its path. Raises UsageError that lists the names."""
    known = dict(_files())
    if name in known:
        return Suite(name, read_tasks(known[name]), known[name])
    path = Path(name).expanduser()
    if path.suffix in (".yaml", ".yml") or path.is_file():
        read = read_tasks(path)
        return Suite(read.world or path.stem, read, path)
    raise UsageError(f"There is no suite {name!r}; there are {', '.join(sorted(known))}, or name a task file")


def listed() -> dict[str, Any]:
    """Return the suites by name: how many tasks, how many of them ask for what is not there, which world."""
    return {"suites": {name: found.as_json() for name, found in suites().items()}}


def _files() -> Iterator[tuple[str, Path]]:
    with as_file(files("waypost.adapters.pocket") / "tasks.yaml") as path:
        yield POCKET, path
    # In a wheel the worlds' tasks lie beside the code, in a checkout beside the worlds themselves.
    package = Path(str(files("waypost")))
    for folder, pattern in ((package / "suites", "*.yaml"), (package.parents[1] / "worlds", "*/tasks.yaml")):
        found = sorted(folder.glob(pattern)) if folder.is_dir() else []
        for path in found:
            yield path.stem if pattern == "*.yaml" else path.parent.name, path
        if found:
            return
