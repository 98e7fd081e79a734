"""AndroTMem's AMS and TCR on long tasks of the embedded phone, by what was remembered: seeds in, scores out.

    python -m benchmarks.androtmem_pocket [--tasks 40] [--out FOLDER] [--json]

Each task walks over several apps, sees four values on the way, and has to write all of them down in the end,
in another order. In AndroTMem's form each value is an anchor with the step that it was seen at, and each
writing rests critically on that step, as the end does on all writings. One scripted reader acts: what the
instruction settles it does right, so that every difference is one of memory; what has to be remembered it
reads off the text of the memory alone. With --out the tasks and every memory's actions are written as
JSONL, for `waypost tasks ams`.
"""

import argparse
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.acting_memory import APPS, Walker, read_back

from waypost.anchors import (
    Anchored,
    Capped,
    Fact,
    FullReplay,
    Happened,
    LastActions,
    RunningSummary,
    TaskMemory,
    facts,
    tree_look,
)
from waypost.anchors.reading import page_name
from waypost.bench.androtmem import read_task, score
from waypost.bench.stats import wilson
from waypost.model import Action, Launch, LongPress, Press, Screen, Swipe, Tap, TypeText

VALUES = 4
TOKENS = 400
THOUSANDTHS = 1000
"""Coordinates in AndroTMem's files go from 0 to this."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A value, and the step after which it stood on the screen."""

    step: int
    page: str
    fact: Fact

    @property
    def wanted(self) -> str:
        return f"{self.fact.name} as {self.page} shows it"


@dataclass(frozen=True, slots=True)
class Long:
    id: str
    steps: tuple[Happened, ...]
    actions: tuple[Action, ...]
    seen: tuple[Seen, ...]
    """In the order in which they are to be written."""

    @property
    def instruction(self) -> str:
        return "Look around, and in the end write " + ", then ".join(s.wanted for s in self.seen)


class _Noting(Walker):
    """A walker that keeps its actions as well."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.actions: list[Action] = []

    def do(self, action: Action) -> Any:
        self.actions.append(action)
        return super().do(action)


def long_task(seed: int) -> Long | None:
    """Walk; None where not enough values were met whose names are told apart."""
    walker, dice = _Noting(seed), random.Random(seed)
    seen: list[Seen] = []
    for _ in range(8 * VALUES):
        walker.do(Launch(dice.choice(APPS)))
        walker.wander(dice.randint(2, 7))
        page, screen = page_name(walker.seen.screen), walker.seen.screen
        known = {s.fact.name for s in seen}
        found = [f for f in facts(screen) if not f.doubted and f.name not in known and f.name[:1].isalpha()]
        if found:
            seen.append(Seen(len(walker.steps), page, dice.choice(found)))
        if len(seen) == VALUES:
            break
    if len(seen) < VALUES or len(walker.steps) > 60:
        return None
    final = [_last(walker.steps, s) for s in seen]
    dice.shuffle(final)
    return Long(f"pocket-{seed}", tuple(walker.steps), tuple(walker.actions), tuple(final))


def _last(steps: list[Happened], seen: Seen) -> Seen:
    """Return a value as its page showed it last: that is what is to be written."""
    for step in reversed(steps):
        if page_name(step.after) == seen.page:
            values = [f for f in facts(step.after) if f.name == seen.fact.name]
            if len(values) == 1:
                return Seen(step.number + 1, seen.page, values[0])
    return seen


def as_androtmem(task: Long) -> dict[str, Any]:
    """Write a task in AndroTMem's form; steps are counted from 1."""
    rows: list[dict[str, Any]] = []
    anchors = {s.step: s for s in task.seen}
    for number, (step, action) in enumerate(zip(task.steps, task.actions, strict=True), 1):
        seen = anchors.get(number)
        status = [{"content_en": f"[context_info] {seen.wanted}: {seen.fact.value}"}] if seen else []
        rows.append(_row(number, _form(action, step.before.size), status, []))
    writings = []
    for seen in task.seen:
        number = len(rows) + 1
        writings.append(number)
        link = {"source": seen.step, "relation": "context_use", "is_critical": True}
        rows.append(_row(number, {"action": "text", "value": seen.fact.value}, [], [link]))
    links = [{"source": n, "relation": "prerequisite", "is_critical": True} for n in writings]
    rows.append(_row(len(rows) + 1, {"action": "finish"}, [{"content_en": "[finish] all is written"}], links))
    return {"task_id": task.id, "instruction_en": task.instruction, "primary_intent": "recall", "steps": rows}


def _row(number: int, form: dict[str, Any], status: list[Any], links: list[Any]) -> dict[str, Any]:
    extra = {"status": status, "links": links}
    return {"step_index": number, "image_name": f"{number}.png", "actionForm": form, "extra_info": extra}


def _form(action: Action, size: tuple[int, int]) -> dict[str, Any]:
    wide, high = size
    match action:
        case Tap() | LongPress():
            kind = "tap" if isinstance(action, Tap) else "long_press"
            target = action.target
            box = target.bounds if target is not None and target.bounds is not None else None
            x, y = action.at or (box.center if box else (0, 0))
            left, top, right, bottom = (
                (box.left, box.top, box.right, box.bottom) if box else (x - 20, y - 20, x + 20, y + 20)
            )
            spots = [left / wide, top / high, right / wide, bottom / high]
            told = {"bbox": [round(THOUSANDTHS * v) for v in spots]}
            return {
                "action": kind,
                "x": round(THOUSANDTHS * x / wide),
                "y": round(THOUSANDTHS * y / high),
                **told,
            }
        case Swipe():
            return {"action": "swipe", "direction": str(action.direction or "up")}
        case TypeText(text=text):
            return {"action": "text", "value": text}
        case Press(key=key):
            return {"action": key}
        case Launch(app=app):
            return {"action": "open_app", "app_value": app}
        case _:
            return {"action": "wait"}


MODES: dict[str, Callable[[dict[int, Screen]], TaskMemory]] = {
    "raw": lambda screens: FullReplay(),
    "last-3": lambda screens: LastActions(3),
    "summary": lambda screens: RunningSummary(tokens=TOKENS),
    "capped list": lambda screens: Capped(50),
    "ASM": lambda screens: Anchored(tokens=TOKENS, look=tree_look(screens)),
}


def predicted(
    task: Long, row: dict[str, Any], make: Callable[[dict[int, Screen]], TaskMemory]
) -> tuple[dict[tuple[str, int], dict[str, Any]], int]:
    """Act every step of a task by one memory; returns the actions, and the tokens told at the end."""
    screens: dict[int, Screen] = {}
    memory = make(screens)
    said: dict[tuple[str, int], dict[str, Any]] = {}
    for step in task.steps:
        screens[step.number] = step.after
        memory.note(step, task.instruction)
    tokens = 0
    for truth in row["steps"]:
        form = truth["actionForm"]
        if form["action"] == "text" and truth["extra_info"]["links"]:
            seen = task.seen[truth["step_index"] - len(task.steps) - 1]
            text = memory.told(f"write {seen.wanted}")
            tokens += len(text.encode()) // 4
            form = {"action": "text", "value": read_back(text, seen.fact.name, seen.page)}
        said[task.id, truth["step_index"]] = form
    return said, tokens // len(task.seen)


def measured(count: int, out: Path | None) -> dict[str, Any]:
    """Make so many tasks, act them with every memory, and score both."""
    tasks = [t for t in map(long_task, range(count * 6)) if t is not None][:count]
    rows = [as_androtmem(t) for t in tasks]
    truths = [read_task(r) for r in rows]
    table: dict[str, Any] = {}
    for name, make in MODES.items():
        acted = [predicted(t, r, make) for t, r in zip(tasks, rows, strict=True)]
        said = {k: v for actions, _ in acted for k, v in actions.items()}
        found = score(truths, said)["strict"]
        done = round(found.tcr * found.tasks / 100)
        table[name] = {
            "ams": found.ams,
            "tcr": found.tcr,
            "tcr_ci95": [round(100 * v, 1) for v in wilson(done, found.tasks)],
            "tokens": round(sum(t for _, t in acted) / len(acted)),
        }
        if out is not None:
            _write(
                out / f"{name.replace(' ', '_')}.jsonl",
                [{"task_id": t, "step_index": n, "actionForm": form} for (t, n), form in said.items()],
            )
    if out is not None:
        _write(out / "tasks.jsonl", rows)
    lengths = sorted(len(r["steps"]) for r in rows)
    links = sum(len(s["extra_info"]["links"]) for r in rows for s in r["steps"])
    return {
        "tasks": len(tasks),
        "steps": sum(lengths),
        "length": [lengths[0], lengths[len(lengths) // 2], lengths[-1]],
        "critical_links": links,
        "modes": table,
    }


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    found = measured(told.tasks, told.out)
    if told.json:
        print(json.dumps(found, indent=1))
        return
    print(f"{found['tasks']} tasks, {found['steps']} steps, {found['critical_links']} critical links")
    for name, row in found["modes"].items():
        print(f"{name:12} AMS {row['ams']:6}  TCR {row['tcr']:6} {row['tcr_ci95']}  {row['tokens']:5} tokens")


if __name__ == "__main__":
    main()
