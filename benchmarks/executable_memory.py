"""EAM's report on the embedded phone: what explorations cover, and what acting by groups saves.

    python -m benchmarks.executable_memory [--app clock] [--actions 300] [--json]

Each policy explores the app with the same number of actions. A task is a page of the app; its gold path is
the shortest by the phone's own truth. Of up to five ways that the map plans to it, one covers the task
*strictly* where it comes by the gold path's pages in their order, and *covers* it where it does, or where it
ends by the gold path's last step (EAM's two rates). The map of `state_dfs` is then acted on: pieces of ways
that recur are mined, and run in one go; where none fits, a model is asked (a scripted endpoint that knows the
way: its tokens are real, its wit is not). Beside it the model asked at every step, and the same told the way.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.actors.policies import Endpoint, Oracle, Play, PocketTruth, endpoint, way_to
from waypost.actors import DIALECTS, GroupRunner, Vision
from waypost.adapters.llm import Asking, Ledger, Metered, OpenAiChat
from waypost.adapters.llm import Endpoint as Address
from waypost.adapters.pocket import PocketDevice
from waypost.adapters.pocket.truth import ways
from waypost.bench.stats import wilson
from waypost.guidance import silent
from waypost.model import NodeId, Observation, Plan, Task
from waypost.navigate import arrival, navigate
from waypost.parts.acting import guide_for
from waypost.parts.exploring import ExploreRequest, surveyed
from waypost.parts.face import Map
from waypost.planning import ShortestPath, chains, live, mined
from waypost.protocols import LLM, Actor

POLICIES = ("state_dfs", "frontier", "auto_bfs", "random")
_WAYS = 5
_LIMIT = 20


def oracles(app: str) -> dict[str, Oracle]:
    """Return the gold path of every page but the start."""
    found = {page: way_to(app, page) for page in ways(app)}
    return {page: o for page, o in found.items() if o is not None and o.actions}


class Labelled:
    """Which page of the phone each page of a map truly is, by the look of the gold paths' pages."""

    def __init__(self, known: Map, gold: dict[str, Oracle]) -> None:
        self.known = known
        self.node: dict[str, NodeId] = {}
        for page, oracle in gold.items():
            at = known.mapper.locate(Observation(oracle.look))
            if at is not None:
                self.node[page] = known.mapper.resolve(at.node)

    def pages(self, plan: Plan) -> list[NodeId]:
        assert self.known.graph.root is not None
        resolve = self.known.mapper.resolve
        return [self.known.graph.root, *(resolve(t) for t in plan.expected)]


def coverage(labelled: Labelled, gold: dict[str, Oracle]) -> dict[str, Any]:
    """Count the tasks that a plan of the map covers, and covers strictly."""
    known, planner = labelled.known, ShortestPath()
    assert known.graph.root is not None
    covered = strict = 0
    seconds = 0.0
    for page, oracle in gold.items():
        goal = labelled.node.get(page)
        if goal is None:
            continue
        began = time.perf_counter()
        plans = list(planner.alternatives(known.graph, known.graph.root, goal, k=_WAYS))
        seconds += time.perf_counter() - began
        path = [labelled.node.get(p) for p in (*oracle.pages[1:], page)]
        whole = any(_within(path, labelled.pages(p)) for p in plans if p.found)
        ends = [labelled.node.get(oracle.pages[-1], known.graph.root), goal]
        last = any(labelled.pages(p)[-2:] == ends for p in plans if p.found)
        strict += whole
        covered += whole or last
    return {
        "tasks": len(gold), "on_map": len(labelled.node),
        "covered": covered, "covered_share": _share(covered, len(gold)),
        "strictly_covered": strict, "strictly_share": _share(strict, len(gold)),
        "planning_ms": round(1000 * seconds / max(1, len(labelled.node)), 2),
    }  # fmt: skip


def _within(wanted: Sequence[NodeId | None], path: Sequence[NodeId]) -> bool:
    """Whether the pages stand in a path in their order."""
    rest = iter(path)
    return all(page is not None and page in rest for page in wanted)


def _share(good: int, n: int) -> list[float]:
    return [round(v, 3) for v in (good / max(1, n), *wilson(good, max(1, n)))]


class Acting:
    """Runs a task by one arm, with the scripted model behind it."""

    def __init__(self, app: str, labelled: Labelled, served: Endpoint) -> None:
        self._app, self._labelled, self._served = app, labelled, served
        known = labelled.known
        self.groups = live(mined(chains(known.steps(), known.graph), known.graph), known.graph)

    def row(self, arm: str, gold: dict[str, Oracle]) -> dict[str, Any]:
        """Do every task that the map has a page for, and sum up."""
        good = tokens = actions = asked = by_groups = 0
        seconds = 0.0
        tasks = [p for p in gold if p in self._labelled.node]
        for page in tasks:
            ledger = Ledger()
            device = PocketDevice(self._app)
            self._served.play = Play("perfect", gold[page], PocketTruth(device))
            llm = Asking(
                Metered(OpenAiChat(Address("scripted", self._served.url)), ledger, clock=time.monotonic)
            )
            began = time.perf_counter()
            episode, grouped = self._run(arm, page, device, llm)
            seconds += time.perf_counter() - began
            spent = ledger.as_json()
            good += episode.claimed and device.where() == page
            tokens += spent["tokens_sent"] + spent["tokens_received"]
            asked += spent["calls"]
            actions += episode.actions
            by_groups += grouped
        n = max(1, len(tasks))
        return {
            "tasks": len(tasks), "done": good, "share": _share(good, n), "actions": round(actions / n, 2),
            "by_groups": round(by_groups / max(1, actions), 3), "questions": round(asked / n, 2),
            "tokens": round(tokens / n), "ms_a_step": round(1000 * seconds / max(1, actions), 1),
        }  # fmt: skip

    def _run(self, arm: str, page: str, device: PocketDevice, llm: LLM) -> tuple[Any, int]:
        known, goal = self._labelled.known, self._labelled.node[page]
        vision: Actor = Vision(llm, DIALECTS["tree"])
        actor, guide = vision, silent
        if arm == "groups":
            actor = GroupRunner(vision, known.mapper, known.planner, goal, self.groups)
        elif arm == "told the way":
            record = known.record_of(goal)
            guide = guide_for(known, page, record, "closed") if record is not None else silent
        task = Task(page, "", f"show {page}")
        episode = navigate(task, device, actor, guide, verify=arrival(known.mapper, goal), limit=_LIMIT)
        return episode, getattr(actor, "done", 0)


def measured(app: str, actions: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Explore by each policy, and act on the first one's map."""
    gold = oracles(app)
    told: dict[str, Any] = {"app": app, "actions": actions, "explored": {}, "acted": {}}
    with tempfile.TemporaryDirectory() as home, endpoint() as served:
        for policy in POLICIES:
            request = ExploreRequest(actions=actions, policy=policy, pictures=False)
            began = time.perf_counter()
            with surveyed(PocketDevice(app), Path(home) / policy, request.config()) as known:
                seconds = time.perf_counter() - began
                labelled = Labelled(known, gold)
                told["explored"][policy] = coverage(labelled, gold) | {"seconds": round(seconds, 1)}
                say(f"{policy}: {told['explored'][policy]}")
                if policy != POLICIES[0]:
                    continue
                acting = Acting(app, labelled, served)
                told["groups"] = len(acting.groups)
                for arm in ("groups", "every step", "told the way"):
                    told["acted"][arm] = acting.row(arm, gold)
                    say(f"  {arm}: {told['acted'][arm]}")
    return told


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--app", default="clock", help="an app of the embedded phone")
    parser.add_argument("--actions", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = measured(asked.app, asked.actions, (lambda line: None) if asked.json else print)
    if asked.json:
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
