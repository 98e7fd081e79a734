"""Tasks behind gates on the embedded phone: explored, the gates learned, every page gone to from nothing.

Two planners, one follower, one map: with facts, and the shortest path alone. Nobody tells what opens a
gate; the phone says whether the page was really reached.
"""

import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from waypost.actors import Follower
from waypost.adapters.pocket import PocketDevice
from waypost.adapters.pocket.load import load_file
from waypost.adapters.pocket.spec import Spec
from waypost.bench.stats import wilson
from waypost.guidance import silent
from waypost.mapping import StepSeen
from waypost.model import NodeId, Task
from waypost.navigate import arrival, navigate
from waypost.parts.exploring import ExploreRequest, surveyed
from waypost.parts.face import Map
from waypost.parts.gating import learned
from waypost.planning import ShortestPath, Staged
from waypost.protocols import Planner

__all__ = ["gates"]

_FILE = Path(__file__).with_suffix(".yaml")
_ACTIONS = 400
_SEEDS = (0, 1, 2)


def gates() -> list[dict[str, Any]]:
    """Return a row for each exploration and planner; the last rows sum them up."""
    spec, rows = load_file(_FILE), []
    total: Counter[tuple[str, str]] = Counter()
    for seed in _SEEDS:
        with tempfile.TemporaryDirectory(prefix="waypost-gates-") as folder:
            rows += _one(spec, seed, Path(folder), total)
    for arm in ("with_facts", "shortest_path"):
        for kind in ("gated", "open"):
            reached, tasks = total[arm, f"{kind}_reached"], total[arm, f"{kind}_tasks"]
            low, high = wilson(reached, tasks)
            rows.append(
                {
                    "planner": arm,
                    "tasks": kind,
                    "reached": reached,
                    "of": tasks,
                    "share": round(reached / tasks, 4),
                    "interval": [round(low, 4), round(high, 4)],
                    "steps": total[arm, f"{kind}_steps"],
                }
            )
    return rows


def _one(spec: Spec, seed: int, folder: Path, total: Counter[tuple[str, str]]) -> list[dict[str, Any]]:
    places: dict[float, str] = {}
    device = _Watched(spec, seed, places)

    def fresh() -> PocketDevice:
        return _Watched(spec, seed, places)

    seen: dict[NodeId, Counter[str]] = {}

    def noted(step: StepSeen) -> None:
        if step.after_at in places:
            seen.setdefault(step.target, Counter())[places[step.after_at]] += 1

    request = ExploreRequest(actions=_ACTIONS, seed=seed, pictures=False)
    with surveyed(device, folder / "map", request.config(), listener=noted) as known:
        found = learned(known, fresh=fresh)
        truth = {known.mapper.resolve(n): c.most_common(1)[0][0] for n, c in seen.items()}
        gated = _gated(spec)
        rows = [
            {
                "seed": seed,
                "pages": len(truth),
                "guesses_tested": len(found),
                "guesses_held": sum(f.holds for f in found),
                "facts": len(known.graph.facts),
            }
        ]
        for page, place in sorted(truth.items()):
            kind = "gated" if place in gated else "open"
            for arm, planner in (("with_facts", Staged()), ("shortest_path", ShortestPath())):
                fresh = PocketDevice("depot", seed=seed + 100, specs=[spec])
                reached, steps = _go(known, planner, page, place, fresh)
                total[arm, f"{kind}_tasks"] += 1
                total[arm, f"{kind}_reached"] += reached
                total[arm, f"{kind}_steps"] += steps
        return rows


def _go(known: Map, planner: Planner, page: NodeId, place: str, device: PocketDevice) -> tuple[bool, int]:
    follower = Follower(known.mapper, planner, page)
    task = Task("gate", "", "go there")
    episode = navigate(task, device, follower, silent, verify=arrival(known.mapper, page))
    return device.where() == place, len(episode.steps)


def _gated(spec: Spec) -> frozenset[str]:
    """Name the pages that nobody reaches from a fresh start without opening a gate."""
    from waypost.adapters.pocket.edges import edges

    shut = {page.id for page in spec.pages.values() if page.requires}
    onward: dict[str, set[str]] = {}
    for edge in edges(spec):
        onward.setdefault(edge.source, set()).add(edge.target)
    reached, waiting = {spec.start}, [spec.start]
    while waiting:
        for target in onward.get(waiting.pop(), set()) - reached - shut:
            if target in spec.pages:
                reached.add(target)
                waiting.append(target)
    return frozenset(spec.full(p) for p in spec.pages if p not in reached)


class _Watched(PocketDevice):
    """A phone that notes by the time of a look which page it truly showed."""

    def __init__(self, spec: Spec, seed: int, places: dict[float, str]) -> None:
        super().__init__(spec.app, seed=seed, specs=[spec])
        self._places = places
        # Every phone's clock starts alike; a look's time has to name it among those of all phones.
        self._later = 1e6 * len(places)

    def observe(self, *, pixels: bool = False) -> Any:
        seen = super().observe(pixels=pixels)
        seen = replace(seen, seen_at=seen.seen_at + self._later)
        self._places[seen.seen_at] = self.where()
        return seen
