"""A task file: YAML in, `Task`s out, with every fault of the file named by its place."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from waypost.errors import UsageError
from waypost.model import Target, Task

__all__ = ["TaskSet", "read_tasks"]

_TASK_KEYS = {
    *("id", "app", "say", "target", "shortest", "tags", "dev", "start", "forbid", "budget"),
}
_TARGET_KEYS = {"page", "url", "has", "lacks"}


@dataclass(frozen=True, slots=True)
class TaskSet:
    """What a bench runs: the tasks, and the world that they belong to."""

    world: str
    tasks: tuple[Task, ...]
    device: str = ""
    """Device as the command line writes it; `{url}` stands for the world's address."""
    storage_state: str = ""
    """Browser state to start from; `{cache}` stands for the world's own folder."""
    version: str = ""
    """Version of the app that the targets were read off; empty where it is not said."""
    reset: str = ""
    """How the world gets back to its start state, in words; empty where opening it afresh does."""

    @property
    def absent(self) -> tuple[Task, ...]:
        """The tasks whose page the app does not have."""
        return tuple(t for t in self.tasks if t.target is None)


def read_tasks(path: Path) -> TaskSet:
    """Read a task file. Raises UsageError that names the task and the fault."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise UsageError(f"Cannot read the task file {str(path)!r}: {e.strerror or e}") from e
    except (yaml.YAMLError, UnicodeDecodeError) as e:
        raise UsageError(f"{str(path)!r} is not YAML: {e}") from e
    if not isinstance(data, dict) or not isinstance(data.get("tasks"), list):
        raise UsageError(f"{str(path)!r} has no list 'tasks'; see docs/tasks.md for the form")
    app = str(data.get("app", data.get("world", "")))
    tasks = tuple(_task(row, n, app, path) for n, row in enumerate(data["tasks"], start=1))
    ids = [t.id for t in tasks]
    if doubles := sorted({i for i in ids if ids.count(i) > 1}):
        raise UsageError(f"{str(path)!r}: the id {doubles[0]!r} stands more than once")
    return TaskSet(
        str(data.get("world", app)),
        tasks,
        str(data.get("device", "")),
        str(data.get("storage_state", "")),
        str(data.get("version", "")),
        str(data.get("reset", "")),
    )


def _task(row: Any, number: int, app: str, path: Path) -> Task:
    where = f"{str(path)!r}, task {number}"
    if not isinstance(row, dict):
        raise UsageError(f"{where}: wants a mapping, not {row!r}")
    if unknown := set(row) - _TASK_KEYS:
        raise UsageError(f"{where}: unknown key {sorted(unknown)[0]!r}; known: {sorted(_TASK_KEYS)}")
    if not isinstance(row.get("say"), str) or not row["say"].strip():
        raise UsageError(f"{where}: 'say' wants the sentence")
    if "target" not in row:
        raise UsageError(f"{where}: 'target' is missing; write null where the app has no such page")
    for key in ("shortest", "budget"):
        number = row.get(key, 0)
        if not isinstance(number, int) or number < 0:
            raise UsageError(f"{where}: {key!r} wants a number of actions, not {number!r}")
    targets = _targets(row["target"], where)
    forbids = _patterns(row.get("forbid"), where, "'forbid'")
    _readable(forbids, where)
    tags = (*map(str, row.get("tags") or ()), *(("dev",) if row.get("dev") else ()))
    return Task(
        id=str(row.get("id", f"task-{number}")),
        app=str(row.get("app", app)),
        instruction=row["say"].strip(),
        target=targets[0],
        shortest=row.get("shortest", 0),
        tags=tags,
        others=tuple(t for t in targets[1:] if t is not None),
        start=_patterns(row.get("start"), where, "'start'"),
        forbids=forbids,
        budget=row.get("budget", 0),
    )


def _targets(row: Any, where: str) -> tuple[Target | None, ...]:
    """Read one target, or a list of equally good ones."""
    if not isinstance(row, list):
        return (_target(row, where),)
    if not row or None in row:
        raise UsageError(f"{where}: a list of targets wants at least one, and no null among them")
    return tuple(_target(r, where) for r in row)


def _target(row: Any, where: str) -> Target | None:
    if row is None:
        return None
    if isinstance(row, str):
        return Target(page=row)
    if not isinstance(row, dict) or not row or (set(row) - _TARGET_KEYS):
        raise UsageError(f"{where}: 'target' wants a page id, null, or a mapping of {sorted(_TARGET_KEYS)}")
    target = Target(
        page=str(row.get("page", "")),
        url=str(row.get("url", "")),
        has=_patterns(row.get("has"), where),
        lacks=_patterns(row.get("lacks"), where),
    )
    _readable((target.url, *target.has, *target.lacks), where)
    if not (target.page or target.url or target.has):
        raise UsageError(f"{where}: a target of 'lacks' alone would pass anywhere; add 'url' or 'has'")
    return target


def _readable(patterns: tuple[str, ...], where: str) -> None:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as e:
            raise UsageError(f"{where}: {pattern!r} is not a regular expression: {e}") from e


def _patterns(value: Any, where: str, what: str = "'has' and 'lacks'") -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        raise UsageError(f"{where}: {what} want{'' if ' ' in what else 's'} a list of texts")
    return tuple(str(v) for v in value)
