"""Tasks of other benchmarks in, page-reaching tasks out, and of each that is none the reason.

Most of them ask for something to be *done*, and judge by what the app holds afterwards. Only what says where
it ends can be asked of a navigator; nothing is invented to save a task.
"""

import ast
import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.bench.androtmem import read_task
from waypost.errors import UsageError
from waypost.model import Target, Task

__all__ = ["FORMATS", "Converted", "Dropped", "converted"]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A task that says nothing of a page to end on."""

    id: str
    app: str
    say: str
    why: str

    def as_json(self) -> dict[str, str]:
        return {"id": self.id, "app": self.app, "say": self.say, "why": self.why}


@dataclass(frozen=True, slots=True)
class Converted:
    tasks: tuple[Task, ...]
    dropped: tuple[Dropped, ...]

    def as_json(self) -> dict[str, Any]:
        reasons: dict[str, int] = {}
        for d in self.dropped:
            reasons[d.why] = reasons.get(d.why, 0) + 1
        told = [d.as_json() for d in self.dropped]
        return {"tasks": len(self.tasks), "dropped": len(told), "reasons": reasons, "left_out": told}


_Row = Task | Dropped


def converted(form: str, path: Path) -> Converted:
    """Read a file of another benchmark. Raises UsageError that names the forms, or the fault of the file."""
    if form not in FORMATS:
        raise UsageError(f"{form!r} is no form; there are {', '.join(FORMATS)}")
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = list(FORMATS[form](text))
    except OSError as e:
        raise UsageError(f"Cannot read {str(path)!r}: {e.strerror or e}") from e
    except (ValueError, KeyError, TypeError, AttributeError, SyntaxError) as e:
        raise UsageError(f"{str(path)!r} is not of the form {form!r}: {type(e).__name__}: {e}") from e
    tasks, dropped = [r for r in rows if isinstance(r, Task)], [r for r in rows if isinstance(r, Dropped)]
    return Converted(tuple(tasks), tuple(dropped))


def _android_world(text: str) -> Iterator[_Row]:
    for row in json.loads(text):
        name, said = str(row["task_name"]), str(row["task_template"])
        why = "judged by the state of the app, which says nothing of a page"
        if "{" in said:
            why = "a template whose values are drawn when it is run; " + why
        yield Dropped(name, "", said, why)


def _spa_bench(text: str) -> Iterator[_Row]:
    for row in csv.DictReader(io.StringIO(text)):
        name, said = str(row["task_identifier"]), str(row["task_description"])
        app = str(row.get("adb_app") or row["task_app"])
        if str(row.get("is_cross_app", "N")).strip().upper() == "Y":
            yield Dropped(name, app, said, "spans several apps")
            continue
        shown = ast.literal_eval(row["key_component_final"] or "[]")
        telling = [str(c) for c in shown if len(str(c).strip()) > 1 and not re.fullmatch(r"[\d\W]+", str(c))]
        if not telling:
            yield Dropped(name, app, said, "names nothing that its last screen must show, but numbers")
            continue
        target = Target(has=tuple(re.escape(c.strip()) for c in telling))
        yield Task(name, app, said, target, _whole(row.get("golden_steps")), ("spa-bench", "key-components"))


def _droidtask(text: str) -> Iterator[_Row]:
    for row in csv.reader(io.StringIO(text)):
        app, *_ = row
        for number, said in enumerate((c.strip() for c in row[3:] if c.strip()), 1):
            why = "a sentence alone: nothing says where it ends"
            yield Dropped(f"{app.strip()}-{number}", app.strip(), said, why)


def _color_bench(text: str) -> Iterator[_Row]:
    for row in json.loads(text):
        name, said = str(row["task_id"]), str(row["query"])
        stages = [m["page_node"] for m in row.get("milestone") or () if m.get("page_node")]
        if not stages:
            yield Dropped(name, "", said, "has no milestone")
            continue
        pages = [Target(page=str(p)) for p in stages[-1]]
        tags = ("colorbench", f"{row.get('app_num', 1)} apps", "last-milestone")
        yield Task(name, "", said, pages[0], _whole(row.get("optimal_steps")), tags, tuple(pages[1:]))


def _androtmem(text: str) -> Iterator[_Row]:
    for line in text.splitlines():
        if not line.strip():
            continue
        row = json.loads(line)
        task = read_task(row)
        said = str(row.get("instruction_en") or row.get("instruction") or "")
        last = next(s for s in row["steps"] if int(s["step_index"]) == task.final.index)
        image = str(last.get("image_name") or "")
        if not said:
            yield Dropped(task.id, "", "", "has no instruction")
        elif not image:
            yield Dropped(task.id, "", said, "its last step has no screenshot that could name a page")
        else:
            tags = ("androtmem", f"{len(task.steps)} steps")
            yield Task(task.id, "", said, Target(page=image), len(task.steps), tags)


def _whole(value: Any) -> int:
    try:
        return max(0, int(str(value).strip()))
    except ValueError:
        return 0


FORMATS: Mapping[str, Callable[[str], Iterable[_Row]]] = {
    "androidworld": _android_world,
    "spabench": _spa_bench,
    "droidtask": _droidtask,
    "colorbench": _color_bench,
    "androtmem": _androtmem,
}
"""Readers by name: text in, tasks and what was left out, out."""
