"""`waypost static`: a package and, perhaps, an explored map and a device in; a map of what it claims out."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.adapters.apk import StaticApp, read_apk, static_graph
from waypost.errors import UsageError
from waypost.mapping import Mapper, Reconciled, action_key, reconciled, regrounded, worth_trying
from waypost.model import AppGraph, Tap
from waypost.parts.folders import map_folder
from waypost.parts.gating import Walk
from waypost.parts.stores import new_store, opened_store
from waypost.protocols import Device

__all__ = ["Static", "aliases_of", "claims_tried", "static_map"]

_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Static:
    """What a package claims, and what became of it."""

    app: StaticApp
    graph: AppGraph
    """The claims alone; with an explored map, both."""
    merged: Reconciled | None = None

    def as_json(self) -> dict[str, Any]:
        app, graph = self.app, self.graph
        found = {
            "app": app.package,
            "version": app.version,
            "launcher": app.launcher,
            "activities": sum(not a.target for a in app.activities),
            "aliases": sum(bool(a.target) for a in app.activities),
            "listed": sum(bool(a.listed and a.label) for a in app.activities),
            "with_layout": len(app.shown),
            "leads": len(app.leads),
            **app.counts,
            "pages": len(graph.nodes),
            "transitions": len(graph.transitions),
            "unverified": sum(bool(t.unverified) for t in graph.transitions.values()),
        }
        if self.merged is not None:
            found["claims"] = dict(self.merged.counts)
            found["seen"], found["missed"] = len(self.merged.seen), list(self.merged.missed)
            found["unknown"] = list(self.merged.unknown)
        return found

    def text(self) -> str:
        """Say it in a few lines."""
        told = self.as_json()
        lines = [
            f"{told['activities']} activities, {told['layouts']} layouts, {told['menus']} menus, "
            f"{told['strings']} strings, {told['click_handlers']} click handlers in {told['app']}",
            f"{told['pages']} pages and {told['transitions']} steps, {told['unverified']} of them unverified",
        ]
        if self.merged is not None:
            fate = ", ".join(f"{n} {verdict}" for verdict, n in sorted(self.merged.counts.items()))
            lines.append(f"claims: {fate}; {told['seen']} activities seen, {len(told['missed'])} missed")
        return "\n".join(lines)


def aliases_of(app: StaticApp) -> dict[str, str]:
    """Return the activities that stand for others, by their own names."""
    return {a.name: a.target for a in app.activities if a.target}


def static_map(apk: Path, *, explored: str | Path | None = None, out: str | Path | None = None) -> Static:
    """Read a package, merge it with an explored map of the app, and write the result as a map of its own.

    Raises UsageError where the two are of different apps, MapError where `out` is a map already.
    """
    app = read_apk(apk)
    claimed = static_graph(app)
    found = Static(app, claimed)
    if explored is not None:
        store = opened_store(map_folder(explored), readonly=True)
        try:
            known = store.load()
        finally:
            store.close()
        if known.app != app.package:
            raise UsageError(f"{str(explored)!r} is a map of {known.app}, and the package is {app.package}")
        merged = reconciled(known, claimed, aliases_of(app))
        found = Static(app, merged.graph, merged)
    if out is not None:
        made = new_store(map_folder(out), app.package, app.version, "static")
        try:
            made.save_all(found.graph)
        finally:
            made.close()
    return found


def claims_tried(mapper: Mapper, claimed: AppGraph, device: Device, aliases: dict[str, str]) -> Reconciled:
    """Try on a device what the package claims and exploration has not done: each claim is verified or struck.

    What they lead to is on the map afterwards, so that claims that start there can be tried as well.
    """
    tried: set[tuple[str, str]] = set()
    for _ in range(_ROUNDS):
        found = reconciled(mapper.graph, claimed, aliases)
        steps = [s for s in worth_trying(found.claims, mapper.graph) if (s.source, s.key) not in tried]
        if not steps:
            break
        walk = Walk(device, mapper.graph)  # Anew: it walks by the map as it was when it was made.
        for step in steps:
            tried.add((step.source, step.key))
            if not walk.go(step.source):
                continue
            before = walk.look()
            action = regrounded(step.action, before.screen)
            if not isinstance(action, Tap) or action.target is None or action.target.hazard:
                continue
            device.perform(action)
            mapper.extend(step.source, action, action_key(action), walk.uncovered(), before=before)
        mapper.commit()
    return reconciled(mapper.graph, claimed, aliases)
