"""Run every actor against a scripted endpoint on the embedded phone: policies in, what came of each out.

    python -m benchmarks.acting [--tasks 20] [--json]

The endpoint speaks the real wire; its wit is scripted (tests/actors/policies.py). So the table says what the
machinery makes of perfect, noisy, looping, lying, unparsable, slow and dropped replies, and nothing of any
model. `by_policy`: one bare actor each. `paired`: the noisy one, alone and with what wraps it, on the same
tasks and seeds, with 25 actions and with 6; `map` finds the page by the sentence, `way` is told the right
one. `tokens`: how the way is told to a perfect one.
"""

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.actors.policies import POLICIES, Endpoint, Oracle, Play, endpoint, way_to
from waypost.actors import (
    DIALECTS,
    Dual,
    Follower,
    HandOver,
    LoopBreaker,
    StepBudget,
    StopGate,
    Vision,
    verification_of,
)
from waypost.adapters.llm import Asking, Backoff, Ledger, Metered, OpenAiChat, Retrying
from waypost.adapters.llm import Endpoint as Address
from waypost.adapters.pocket import PocketDevice
from waypost.adapters.pocket.truth import ways
from waypost.bench import read_tasks
from waypost.bench.stats import bootstrap, mcnemar, wilson
from waypost.guidance import silent
from waypost.model import Episode, NodeId, Observation, Task
from waypost.navigate import arrival, navigate
from waypost.parts.acting import GuideMode, guide_for
from waypost.parts.exploring import explore
from waypost.parts.face import Map
from waypost.protocols import LLM, Actor, Guide

APP = "clock"
TASKS = Path(__file__).parent.parent / "src/waypost/adapters/pocket/tasks.yaml"


@dataclass(frozen=True, slots=True)
class Run:
    """One episode with the truth beside it."""

    task: str
    stop: str
    claimed: bool
    verified: bool
    there: bool
    """By the phone's own truth, the last page is the one that was asked for."""
    as_named: bool
    """By that truth, it is the page that the map took the task to mean; without a map, the one asked for."""
    actions: int
    tokens: int
    crashed: str = ""

    @property
    def success(self) -> bool:
        return self.claimed and self.there

    @property
    def false_finish(self) -> bool:
        """It claimed to be on a page that it was not on."""
        return self.claimed and not self.there and not self.as_named

    @property
    def wrong_page(self) -> bool:
        """It was where it said, and the map had taken the task to mean another page."""
        return self.claimed and not self.there and self.as_named


@dataclass(frozen=True, slots=True)
class Case:
    task: Task
    oracle: Oracle


class Bench:
    """Makes runs: a play on the endpoint, a fresh phone, a fresh actor."""

    def __init__(self, served: Endpoint, known: Map) -> None:
        self.served, self.known = served, known
        looks = ((page, way_to(APP, page)) for page in ways(APP))
        self._labels = {n: page for page, o in looks if o and (n := self._node(o)) is not None}
        """By page of the map, the page that it truly is."""

    def run(self, case: Case, policy: str, arm: str, *, limit: int, seed: int = 0) -> Run:
        device = PocketDevice(APP, seed=seed)
        self.served.play = Play(policy, case.oracle, device, seed)
        ledger = Ledger()
        address = Address("scripted", self.served.url, timeout=0.4 if policy == "slow" else 20.0)
        chat = Retrying(
            Metered(OpenAiChat(address), ledger, clock=time.monotonic),
            sleep=lambda s: None,
            backoff=Backoff(tries=3),
        )
        try:
            episode = self._episode(case, device, Asking(chat), arm, limit)
        except Exception as e:
            return Run(
                case.task.id, "crash", False, False, False, False, 0, 0, f"{type(e).__name__}: {e}"[:200]
            )
        there = device.where() == case.oracle.target
        named = there if episode.goal is None else device.where() == self._labels.get(episode.goal)
        spent = ledger.as_json()
        tokens = spent["tokens_sent"] + spent["tokens_received"]
        stop, claimed, verified = episode.stop.value, episode.claimed, episode.verified
        return Run(case.task.id, stop, claimed, verified, there, named, episode.actions, tokens)

    def _episode(self, case: Case, device: PocketDevice, llm: LLM, arm: str, limit: int) -> Episode:
        named, guide = self._way(case, arm)
        goal = named or self._node(case.oracle)
        actor = self._actor(llm, arm, limit, named)
        task = replace(case.task, app="")
        verify = arrival(self.known.mapper, goal) if goal else None
        return replace(navigate(task, device, actor, guide, verify=verify, limit=limit), goal=named)

    def _node(self, oracle: Oracle) -> NodeId | None:
        """Find a page on the map by the look of it: what a claim is checked against."""
        found = self.known.mapper.locate(Observation(oracle.look))
        return self.known.mapper.resolve(found.node) if found else None

    def _way(self, case: Case, arm: str) -> tuple[NodeId | None, Guide]:
        modes: dict[str, GuideMode] = {"block": "open", "direct": "none", "closed": "closed"}
        mode = modes.get(arm, "closed" if {"map", "way"} & set(arm.split("+")) else "none")
        if mode == "none" and arm != "direct":
            return None, silent
        record = self.known.find(case.task.instruction).record
        if "way" in arm.split("+"):
            record = next((r for r in self.known.records() if r.node == self._node(case.oracle)), None)
        if record is None:
            return None, silent
        guide = guide_for(self.known, case.task.instruction, record, mode)
        return self.known.mapper.resolve(record.node), guide

    def _actor(self, llm: LLM, arm: str, limit: int, goal: NodeId | None) -> Actor:
        actor: Actor = Vision(llm, DIALECTS["tree"])
        budget = StepBudget(limit)
        parts = arm.split("+")
        if "critic" in parts or "all" in parts:
            actor = Dual(actor, llm)
        if "breaker" in parts or "all" in parts:
            actor = LoopBreaker(actor, budget)
        if "gate" in parts or "all" in parts:
            actor = StopGate(actor, budget, verify=verification_of(llm))
        if arm == "direct" and goal is not None:
            known, page = self.known, goal
            actor = HandOver(lambda: Follower(known.mapper, known.planner, page), actor, known.mapper)
        return actor


def table(runs: Sequence[Run]) -> dict[str, Any]:
    """Sum up some runs."""
    n, good = len(runs), sum(r.success for r in runs)
    low, high = wilson(good, n)
    claims = [r for r in runs if r.claimed]
    false = sum(r.false_finish for r in claims)
    return {
        "n": n,
        "success": good,
        "ci": [round(low, 3), round(high, 3)],
        "claims": len(claims),
        "false_finishes": false,
        "wrong_page": sum(r.wrong_page for r in claims),
        "false_share": round(false / len(claims), 3) if claims else 0.0,
        "stops": dict(Counter(r.stop for r in runs)),
        "actions": round(sum(r.actions for r in runs) / max(1, n), 2),
        "tokens": round(sum(r.tokens for r in runs) / max(1, n)),
        "crashes": sum(bool(r.crashed) for r in runs),
        "verified_but_not_there": sum(r.verified and not r.as_named for r in runs),
    }


def paired(base: Sequence[Run], other: Sequence[Run]) -> dict[str, Any]:
    """Compare an arm with the bare one, task by task."""
    gained = sum(b.success and not a.success for a, b in zip(base, other, strict=True))
    lost = sum(a.success and not b.success for a, b in zip(base, other, strict=True))
    deltas = [float(b.success) - float(a.success) for a, b in zip(base, other, strict=True)]
    low, high = bootstrap(deltas)
    return table(other) | {
        "delta": round(sum(deltas) / max(1, len(deltas)), 3),
        "delta_ci": [round(low, 3), round(high, 3)],
        "gained": gained,
        "lost": lost,
        "p": round(mcnemar(gained, lost), 4),
    }


def cases(most: int) -> list[Case]:
    """Take the tasks of the app whose way the phone's truth can walk from a fresh start."""
    found = []
    for task in read_tasks(TASKS).tasks:
        if task.app == APP and task.target is not None and task.target.page:
            oracle = way_to(APP, task.target.page)
            if oracle is not None:
                found.append(Case(task, oracle))
    return found[:most]


def explored(folder: Path) -> Map:
    """Walk the app, and open the map of it."""
    return explore(f"pocket:{APP}", folder, actions=700)


def measured(most: int, repeats: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Run everything."""
    with tempfile.TemporaryDirectory() as home, endpoint(patience=1.0) as served:
        known = explored(Path(home) / "map")
        say(f"map: {len(known.pages())} pages")
        bench, all_ = Bench(served, known), cases(most)
        by_policy = {}
        every: list[Run] = []
        for policy in POLICIES:
            runs = [bench.run(c, policy, "bare", limit=20) for c in all_]
            every += runs
            by_policy[policy] = table(runs)
            say(f"{policy}: {by_policy[policy]['success']} of {len(runs)}")
        pairs = [(c, seed) for c in all_ for seed in range(repeats)]
        arms = {}
        for limit, arms_ in (
            (25, ("bare", "gate", "breaker", "critic", "map", "way", "all", "all+way")),
            (6, ("bare", "gate", "all")),
        ):
            base: list[Run] = []
            for arm in arms_:
                runs = [bench.run(c, "noisy", arm, limit=limit, seed=s) for c, s in pairs]
                base = base or runs
                every += runs
                arms[f"{arm}@{limit}"] = paired(base, runs)
                say(f"noisy, {arm}, {limit} actions: {arms[f'{arm}@{limit}']['success']} of {len(runs)}")
        tokens = {}
        for arm in ("none", "block", "closed", "direct"):
            runs = [bench.run(c, "perfect", arm, limit=20) for c in all_]
            every += runs
            tokens[arm] = table(runs)
        known.close()
        return {
            "crashes": sum(bool(r.crashed) for r in every),
            "crashed": sorted({r.crashed for r in every if r.crashed}),
            "false_finishes": sum(r.false_finish for r in every),
            "verified_but_not_there": sum(r.verified and not r.as_named for r in every),
            "episodes": len(every),
            "questions": served.calls,
            "by_policy": by_policy,
            "paired": arms,
            "tokens": tokens,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    found = measured(told.tasks, told.repeats, (lambda line: None) if told.json else print)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
