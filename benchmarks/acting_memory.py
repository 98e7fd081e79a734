"""Compare memories inside one task on long tasks across apps: seeds in, values remembered and their cost out.

    python -m benchmarks.acting_memory [--tasks 25] [--json]

Each task walks the embedded phone for 20 to 60 steps over several apps. A value is seen early and asked for
at the end; in between stands what makes agents stumble: the same name on another page, the value changed, an
interruption (the memory is written down and read back), an action that fails, a text too long to be noted
whole. One scripted reader answers from the text of each memory alone; it knows nothing else.
"""

import argparse
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from waypost.adapters.pocket import PocketDevice
from waypost.anchors import (
    Anchored,
    AnchorMemory,
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
from waypost.bench.stats import bootstrap, mcnemar, wilson
from waypost.mapping import controls, settled
from waypost.model import Action, Anchor, Launch, Observation, Screen, Swipe, Tap
from waypost.model.codec import decode, encode
from waypost.model.wording import describe

APPS = tuple(f"com.pocket.{a}" for a in ("settings", "clock", "shop", "music", "chat", "mail"))
KINDS = ("plain", "elsewhere", "changed", "interrupted", "failed", "long")
TOKENS = 400
_LINE = re.compile(r'step (\d+), on "([^"]*)": (.*)')
_CHANGED = re.compile(r"^(.*) was .*, now (.*?)(?: \[\w+\].*)?$")


@dataclass(frozen=True, slots=True)
class Long:
    """A long task as it went: its steps, what is asked in the end, and the true answer."""

    seed: int
    kind: str
    steps: tuple[Happened, ...]
    name: str
    page: str
    truth: str

    @property
    def wanted(self) -> str:
        return f"In the end, write {self.name} as {self.page} shows it"


class Walker:
    """Walks a phone without doing harm, and keeps what happened."""

    def __init__(self, seed: int) -> None:
        self.device = PocketDevice("", seed=seed)
        self.random = random.Random(seed)
        self.steps: list[Happened] = []
        self.device.restart()
        self.seen = settled(self.device)

    def do(self, action: Action) -> Observation:
        before = self.seen
        self.device.perform(action)
        self.seen = settled(self.device)
        self.steps.append(Happened(len(self.steps), before.screen, describe(action), self.seen.screen))
        return self.seen

    def wander(self, steps: int, *, barred: str = "") -> None:
        """Tap what is harmless and switches nothing, here and there."""
        for _ in range(steps):
            offers = [
                c.action
                for c in controls(self.seen.screen)
                if isinstance(c.action, (Tap, Swipe))
                and c.action.target is not None
                and not c.action.target.hazard
                and c.action.target.role not in ("switch", "checkbox", "radio")
                and c.action.target.label != barred
            ]
            if not offers or self.random.random() < 0.12:
                self.do(Launch(self.random.choice(APPS)))
            else:
                self.do(self.random.choice(offers))


def long_task(seed: int) -> Long | None:
    """Make one; None where this seed meets nothing worth asking for."""
    kind = KINDS[seed % len(KINDS)]
    walker = Walker(seed)
    app = APPS[walker.random.randrange(3) if kind != "changed" else 0]
    walker.do(Launch(app))
    for _ in range(6):
        fact = _askable(walker, kind)
        if fact is not None:
            break
        walker.wander(1)
    else:
        return None
    page, name, truth = page_name(walker.seen.screen), fact.name, fact.value
    home = len(walker.steps)
    if kind == "changed":
        truth = _changed(walker, fact)
        if not truth:
            return None
    if kind == "failed":
        walker.do(Tap((5, 5)))
    walker.wander(walker.random.randint(18, 50), barred=name)
    now = _last(walker.steps[home - 1 :], page, name)
    if kind == "elsewhere" and not _elsewhere(walker.steps, page, name, truth):
        return None
    return Long(seed, kind, tuple(walker.steps), name, page, now or truth)


def _askable(walker: Walker, kind: str) -> Fact | None:
    """Choose a fact that this kind of task can ask for."""
    found = [f for f in facts(walker.seen.screen) if not f.doubted and any(c.isalpha() for c in f.name)]
    if kind == "changed":
        found = [f for f in found if f.value in ("on", "off")]
    elif kind == "long":
        found = [f for f in found if len(f.value) > 40]
    elif kind == "elsewhere":
        found = [f for f in found if len(f.name.split()) <= 2]
    return walker.random.choice(found) if found else None


def _changed(walker: Walker, fact: Fact) -> str:
    """Switch what was seen, and return its new value; empty where it does not switch."""
    walker.do(Tap(fact.bounds.center))
    after = [f.value for f in facts(walker.seen.screen) if f.name == fact.name]
    return after[0] if after and after[0] != fact.value else ""


def _last(steps: list[Happened], page: str, name: str) -> str:
    """Return the value as it was last seen on its page."""
    for step in reversed(steps):
        if page_name(step.after) == page:
            values = [f.value for f in facts(step.after) if f.name == name]
            if len(values) == 1:
                return values[0]
    return ""


def _elsewhere(steps: list[Happened], page: str, name: str, truth: str) -> bool:
    """Whether a thing of that name has another value on another page."""
    return any(
        f.name == name and f.value != truth and page_name(s.after) != page
        for s in steps
        for f in facts(s.after)
    )


def tasks(count: int) -> list[Long]:
    """Make so many, of all kinds that the phone offers, from ascending seeds."""
    found: list[Long] = []
    each: dict[str, int] = {}
    for seed in range(count * 40):
        kind = KINDS[seed % len(KINDS)]
        if each.get(kind, 0) >= -(-count // len(KINDS)) or len(found) >= count:
            continue
        task = long_task(seed)
        if task is not None:
            found.append(task)
            each[kind] = each.get(kind, 0) + 1
    return found


def read_back(text: str, name: str, page: str) -> str:
    """Answer from a memory's text: the value of that name, of that page if any says so, from the latest step.

    >>> read_back('step 1, on "A": Seats: 4 [context_info]', "Seats", "A")
    '4'
    """
    rows = [(int(n), where, value) for n, where, said in _LINE.findall(text) for value in _values(said, name)]
    mine = [row for row in rows if row[1] == page] or rows
    return max(mine, key=lambda r: r[0])[2] if mine else ""


def _values(said: str, name: str) -> Iterator[str]:
    changed = _CHANGED.match(said)
    if changed and changed.group(1) == name:
        yield changed.group(2)
        return
    for part in re.split(r"; |: (?=shown)|shown: |Earlier: ", said):
        if part.startswith(f"{name}: "):
            yield re.sub(
                r"(?: \[\w+\])?(?: \(not sure: read it again\))?$", "", part[len(name) + 2 :]
            ).strip()


def played(task: Long, make: Callable[[dict[int, Screen]], TaskMemory]) -> tuple[bool, int, int]:
    """Take a task in step by step; return whether the answer is right, and the tokens told: last, in all."""
    screens: dict[int, Screen] = {}
    memory = make(screens)
    total = 0
    for step in task.steps:
        screens[step.number] = step.after
        memory.note(step, task.wanted)
        if (
            task.kind == "interrupted"
            and step.number == len(task.steps) // 2
            and isinstance(memory, Anchored)
        ):
            kept = decode(_Kept, encode(_Kept(memory.memory.anchors)))
            memory.memory = AnchorMemory(kept.anchors)
        total += len(memory.told(task.wanted).encode()) // 4
    text = memory.told(task.wanted)
    answer = read_back(text, task.name, task.page)
    return answer == task.truth, len(text.encode()) // 4, total


@dataclass(frozen=True, slots=True)
class _Kept:
    anchors: tuple[Anchor, ...]


MEMORIES: dict[str, Callable[[dict[int, Screen]], TaskMemory]] = {
    "anchors, look-back": lambda screens: Anchored(tokens=TOKENS, look=tree_look(screens)),
    "anchors": lambda screens: Anchored(tokens=TOKENS),
    "full replay": lambda screens: FullReplay(),
    "last three": lambda screens: LastActions(3),
    "running summary": lambda screens: RunningSummary(tokens=TOKENS),
    "capped 50": lambda screens: Capped(50),
}


def _share(kind: str, good: list[bool], all_: list[Long]) -> str:
    mine = [right for right, task in zip(good, all_, strict=True) if task.kind == kind]
    return f"{sum(mine)}/{len(mine)}"


def measured(count: int) -> dict[str, Any]:
    """Play every task with every memory."""
    all_ = tasks(count)
    rows = {name: [played(task, make) for task in all_] for name, make in MEMORIES.items()}
    base = [right for right, _, _ in rows["anchors, look-back"]]
    table = {}
    for name, runs in rows.items():
        good = [right for right, _, _ in runs]
        deltas = [float(b) - float(g) for b, g in zip(base, good, strict=True)]
        low, high = bootstrap(deltas)
        gained, lost = sum(d > 0 for d in deltas), sum(d < 0 for d in deltas)
        table[name] = {
            "right": sum(good),
            "n": len(good),
            "ci": [round(v, 3) for v in wilson(sum(good), len(good))],
            "tokens_at_the_end": round(sum(t for _, t, _ in runs) / len(runs)),
            "tokens_a_task": round(sum(t for _, _, t in runs) / len(runs)),
            "ours_minus_it": [round(sum(deltas) / len(deltas), 3), round(low, 3), round(high, 3)],
            "p": round(mcnemar(gained, lost), 4),
            "by_kind": {k: _share(k, good, all_) for k in KINDS},
        }
    steps = sorted(len(t.steps) for t in all_)
    apps = [len({s.after.app for s in t.steps}) for t in all_]
    return {
        "tasks": len(all_),
        "steps": [steps[0], steps[len(steps) // 2], steps[-1]],
        "apps_a_task": round(sum(apps) / len(apps), 1),
        "memories": table,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tasks", type=int, default=25)
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    found = measured(told.tasks)
    if told.json:
        print(json.dumps(found, indent=1))
        return
    print(
        f"{found['tasks']} tasks of {found['steps']} steps (least, median, most), {found['apps_a_task']} apps"
    )
    for name, row in found["memories"].items():
        print(f"{name:20} {row['right']:3}/{row['n']}  {row['tokens_at_the_end']:6} tokens  {row['by_kind']}")


if __name__ == "__main__":
    main()
