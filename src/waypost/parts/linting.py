"""Suites, and maps of their apps, in; every fault of their tasks out."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from waypost.bench.linting import Fault, Known, keyed, lint
from waypost.parts.face import Map, open_map
from waypost.parts.formats import HANDBOOK
from waypost.parts.suites import POCKET, Suite

__all__ = ["linted", "memory_texts"]


def linted(suite: Suite, maps: Iterable[str] = ()) -> list[Fault]:
    """Hold a suite against all that is known of its apps: pocket's own truth, and the maps that are named."""
    faults: list[Fault] = []
    if suite.tasks.world == POCKET or any(t.page for task in suite.tasks.tasks for t in task.targets):
        apps = sorted({t.app for t in suite.tasks.tasks if t.app})
        for app in apps:
            mine = replace(suite.tasks, tasks=tuple(t for t in suite.tasks.tasks if t.app == app))
            faults += lint(mine, _phone(app))
    else:
        faults += lint(suite.tasks)
    for name in maps:
        with open_map(name, readonly=True) as known:
            faults += [f for f in lint(suite.tasks, _mapped(known)) if f not in faults]
            faults += keyed(suite.tasks.tasks, memory_texts(known))
    return faults


def memory_texts(known: Map) -> list[str]:
    """Return every text that a map's memory may tell an actor."""
    manual = known.folder / HANDBOOK
    return [
        *(
            text
            for r in known.records()
            for text in (r.name, r.summary, *r.intents, *r.notes, *r.hints, *r.waypoints)
        ),
        *(manual.read_text(encoding="utf-8").splitlines() if manual.is_file() else ()),
    ]


def _phone(app: str) -> Known:
    from waypost.adapters.pocket.known import app_labels, app_truth

    return Known(labels=app_labels(app), reachable=app_truth(app).reachable, complete=True)


def _mapped(known: Map) -> Known:
    looks = {n.name or str(n.id): [k.observation.screen for k in n.looks] for n in known.pages()}
    labels: Mapping[str, list[str]] = {
        name: [e.label for s in screens for e in s.visible() if e.label and len(e.label) <= 60]
        for name, screens in looks.items()
    }
    reachable = frozenset(n.name or str(n.id) for n in known.pages() if n.depth >= 0)
    return Known(looks, labels, reachable)
