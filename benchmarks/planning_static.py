"""The static map of a real package against an exploration of it: counts, time, and what became of the claims.

No Android is at hand, so the app that is explored is a stand-in: it shows the layouts that the package
holds and follows the steps that the package claims, but for a share of them that it breaks (they lead
elsewhere) and a share that it hides from the explorer's budget. So it proves the merging, not the app.
"""

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from waypost.adapters.apk import read_apk, static_graph
from waypost.exploration import ExploreConfig, explore
from waypost.mapping import Mapper, reconciled
from waypost.model import (
    Action,
    AppGraph,
    NodeId,
    Observation,
    Press,
    Screen,
    Tap,
)
from waypost.parts.static import Static, aliases_of, claims_tried

__all__ = ["Served", "static"]

_ACTIONS = 150
_BROKEN = 0.1


class Served:
    """An app that does what a static map claims; `broken` steps lead to the root."""

    def __init__(self, graph: AppGraph, broken: frozenset[tuple[NodeId, str]] = frozenset()) -> None:
        assert graph.root is not None
        self._graph, self._broken, self._root = graph, broken, graph.root
        self._stack = [graph.root]
        self._clock = 0.0
        self.name, self.settles = "served", True

    @property
    def here(self) -> NodeId:
        return self._stack[-1]

    def observe(self, *, pixels: bool = False) -> Observation:
        self._clock += 1.0
        screen = self._graph.nodes[self.here].looks[0].observation.screen
        # A phone says activities short where it can.
        activity = screen.activity.replace(self._graph.app, "", 1)
        shown = Screen(screen.root, app=screen.app, activity=activity, size=screen.size)
        return Observation(shown, seen_at=self._clock)

    def perform(self, action: Action) -> None:
        if isinstance(action, Press) and len(self._stack) > 1:
            self._stack.pop()
        if not isinstance(action, Tap):
            return
        screen = self._graph.nodes[self.here].looks[0].observation.screen
        for element in screen.root.children:
            if element.bounds.contains(*action.at):
                self._follow(element.label, element.resource_id)

    def _follow(self, label: str, name: str) -> None:
        for step in self._graph.leaving(self.here):
            target = getattr(step.action, "target", None)
            if target is None:
                continue
            told = target.resource_id == name if name and target.resource_id else target.label == label
            if told:
                broken = (step.source, step.key) in self._broken
                self._stack = [self._root] if broken else [*self._stack, step.target]
                return

    def restart(self, app: str = "") -> None:
        self._stack = [self._root]

    def close(self) -> None:
        return


def static(seed: int = 0) -> dict[str, Any]:
    """Return counts, seconds and the fate of the claims before and after they were tried."""
    apk = _apk()
    if apk is None:
        return {"missing": "the package could not be installed; run worlds/apidemos/fetch.py"}
    began = time.perf_counter()
    app = read_apk(apk)
    claimed = static_graph(app)
    seconds = time.perf_counter() - began
    rng = random.Random(seed)
    steps = sorted((t.source, t.key) for t in claimed.transitions.values())
    broken = frozenset(rng.sample(steps, round(_BROKEN * len(steps))))
    device = Served(claimed, broken)
    mapper = Mapper(AppGraph(app.package))
    ticks = iter(range(10**9))
    config = ExploreConfig(actions=_ACTIONS, pictures=False, seed=seed)
    explore(device, mapper, config, clock=lambda: float(next(ticks)))
    aliases = aliases_of(app)
    before = reconciled(mapper.graph, claimed, aliases)
    after = claims_tried(mapper, claimed, device, aliases)
    return {
        "seconds": round(seconds, 1),
        **{k: v for k, v in Static(app, claimed).as_json().items() if isinstance(v, int)},
        "explored": {
            "actions": _ACTIONS,
            "broken_steps": len(broken),
            "pages": sum(1 for _ in mapper.graph.pages()),
            "before": {**before.counts, "seen": len(before.seen), "missed": len(before.missed)},
            "after": {**after.counts, "seen": len(after.seen), "missed": len(after.missed)},
            "merged_pages": len(after.graph.nodes),
        },
    }


def _apk() -> Path | None:
    script = Path(__file__).resolve().parents[1] / "worlds" / "apidemos" / "fetch.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    return Path(done.stdout.strip()) if done.returncode == 0 else None
