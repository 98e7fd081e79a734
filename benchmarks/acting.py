"""Run every actor against a scripted endpoint: worlds and policies in, what came of each out.

    python -m benchmarks.acting [--world pocket] [--world ihatemoney] [--tasks 20] [--json]

Worlds are the embedded phone and real web apps in a real browser (`ihatemoney`, `fava`; they are fetched on
first use). The endpoint speaks the real wire; its wit is scripted (tests/actors/policies.py). So the table
says what the machinery makes of perfect, noisy, looping, lying, unparsable, slow and dropped replies, and
nothing of any model. `by_policy`: the bare text actor. `by_actor`: every grammar and every composed actor
under every policy, and those without a model. `paired`: the noisy one, alone and with what wraps it, on the
same tasks and seeds, with 25, 15 and 6 actions; `map` finds the page by the sentence, `way` is told the
right one. `tokens`: how the way is told to a perfect one. Three statuses are kept apart: claimed (the
actor), verified (the map, from a fresh look) and judged (the world's truth); `mixed` counts runs whose
statuses contradict why they ended.
"""

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.acting_table import Run, paired, table, totals
from benchmarks.acting_worlds import WORLDS, Case, World, world

from tests.actors.policies import POLICIES, Endpoint, Play, endpoint
from waypost.actors import (
    DIALECTS,
    Dual,
    Follower,
    HandOver,
    Lexical,
    LoopBreaker,
    Noisy,
    Remembering,
    StepBudget,
    StopGate,
    Vision,
    verification_of,
)
from waypost.adapters.llm import Asking, Backoff, Ledger, Metered, OpenAiChat, Retrying
from waypost.adapters.llm import Endpoint as Address
from waypost.adapters.marking import marked
from waypost.anchors import Anchored
from waypost.guidance import silent
from waypost.model import Episode, NodeId, Observation
from waypost.navigate import NavigateConfig, arrival, navigate
from waypost.parts.acting import GuideMode, guide_for
from waypost.protocols import LLM, Actor, Device, Guide

BARE = ("marks", "uitars", "uitars-1000", "qwen", "qwen-pixels", "agentcpm")
COMPOSED = ("tree+critic", "marks+memory+breaker+gate")
UNASKED = ("follower", "lexical", "noisy")
"""Actors that ask no model."""
_GUIDES: dict[str, GuideMode] = {"block": "open", "closed": "closed", "map": "closed", "way": "closed"}


@dataclass(frozen=True, slots=True)
class Arm:
    """An actor by its parts: `marks+gate`; the grammar is `tree` where none is named."""

    name: str

    @property
    def parts(self) -> frozenset[str]:
        return frozenset(self.name.split("+"))

    @property
    def dialect(self) -> str:
        return next((p for p in self.name.split("+") if p in DIALECTS), "tree")

    @property
    def mode(self) -> GuideMode:
        return next((_GUIDES[p] for p in self.name.split("+") if p in _GUIDES), "none")

    @property
    def follows(self) -> bool:
        """It goes by the map itself."""
        return bool(self.parts & {"direct", "follower"})

    def has(self, part: str) -> bool:
        return bool(self.parts & {part, "all"})


class Bench:
    """Makes runs: a play on the endpoint, a fresh phone, a fresh actor."""

    def __init__(self, served: Endpoint, where: World, skill: Mapping[str, float] | None = None) -> None:
        """`skill` is how well the endpoint plays (`known`, `claims` and `wrong` of `Play`)."""
        self.served, self.where, self.skill = served, where, dict(skill or {})
        self.runs: list[Run] = []

    def run(self, case: Case, policy: str, arm: str, *, limit: int, seed: int = 0) -> Run:
        device = self.where.fresh(seed)
        try:
            run = self._run(case, policy, Arm(arm), device, limit, seed)
        except Exception as e:
            told = f"{arm}, {policy}: {type(e).__name__}: {e}"[:200]
            run = Run(case.task.id, "crash", False, False, False, False, 0, 0, told)
        finally:
            self.where.done(device)
        self.runs.append(run)
        return run

    def each(self, cases: Sequence[Case], policy: str, arm: str, limit: int) -> list[Run]:
        return [self.run(c, policy, arm, limit=limit) for c in cases]

    def _run(self, case: Case, policy: str, arm: Arm, device: Device, limit: int, seed: int) -> Run:
        truth = self.where.truth(device, case)
        self.served.play = Play(policy, case.oracle, truth, seed, dialect=arm.dialect, **self.skill)
        ledger = Ledger()
        address = Address("scripted", self.served.url, timeout=0.4 if policy == "slow" else 20.0)
        chat = Retrying(
            Metered(OpenAiChat(address), ledger, clock=time.monotonic),
            sleep=lambda s: None,
            backoff=Backoff(tries=3),
        )
        episode = self._episode(case, device, Asking(chat), arm, limit)
        there = truth.where() == case.oracle.target
        named = there or (episode.goal is not None and self.where.named(device, episode.goal))
        spent = ledger.as_json()
        tokens = spent["tokens_sent"] + spent["tokens_received"]
        stop, claimed, verified = episode.stop.value, episode.claimed, episode.verified
        return Run(case.task.id, stop, claimed, verified, there, named, episode.actions, tokens)

    def _episode(self, case: Case, device: Device, llm: LLM, arm: Arm, limit: int) -> Episode:
        named, guide = self._way(case, arm)
        goal = named or self._node(case)
        actor = self._actor(llm, arm, limit, goal)
        task = replace(case.task, app="")
        verify = arrival(self.where.known.mapper, goal) if goal else None
        config = NavigateConfig(pixels=DIALECTS[arm.dialect].eyes)
        episode = navigate(task, device, actor, guide, verify=verify, limit=limit, config=config)
        return replace(episode, goal=goal)

    def _node(self, case: Case) -> NodeId | None:
        """Find a page on the map by the look of it: what a claim is checked against."""
        known = self.where.known
        found = known.mapper.locate(Observation(case.oracle.look))
        return known.mapper.resolve(found.node) if found else None

    def _way(self, case: Case, arm: Arm) -> tuple[NodeId | None, Guide]:
        known = self.where.known
        if arm.mode == "none" and not arm.follows:
            return None, silent
        record = known.find(case.task.instruction).record
        if "way" in arm.parts:
            record = next((r for r in known.records() if r.node == self._node(case)), None)
        if record is None:
            return None, silent
        guide = guide_for(known, case.task.instruction, record, arm.mode)
        return known.mapper.resolve(record.node), guide

    def _actor(self, llm: LLM, arm: Arm, limit: int, goal: NodeId | None) -> Actor:
        known = self.where.known
        if "lexical" in arm.parts or "noisy" in arm.parts:
            return Noisy(Lexical()) if "noisy" in arm.parts else Lexical()
        if arm.follows and goal is not None:
            follow = lambda: Follower(known.mapper, known.planner, goal)  # noqa: E731
            if "follower" in arm.parts:
                return follow()
            return HandOver(follow, Vision(llm, DIALECTS["tree"]), known.mapper)
        actor: Actor = Vision(llm, DIALECTS[arm.dialect], draw=marked)
        budget = StepBudget(limit)
        if "memory" in arm.parts:
            actor = Remembering(actor, Anchored())
        if arm.has("critic"):
            actor = Dual(actor, llm)
        if arm.has("breaker"):
            actor = LoopBreaker(actor, budget)
        return StopGate(actor, budget, verify=verification_of(llm)) if arm.has("gate") else actor


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is run in a world."""

    tasks: int
    each: int
    """Tasks of every pair of actor and policy: those with the longest ways."""
    repeats: int
    paired: tuple[tuple[int, tuple[str, ...]], ...]
    """By actions allowed, the arms of the noisy one; the first is what the others are compared with."""


WRAPS = ("bare", "gate", "breaker", "critic", "map", "way", "all", "all+way")
PLANS = {
    "pocket": Plan(20, 3, 2, ((25, WRAPS), (15, ("bare", "gate", "all")), (6, ("bare", "gate", "all")))),
    "web": Plan(6, 1, 1, ((25, ("bare", "gate", "all+way")),)),
}


def acted(bench: Bench, plan: Plan, say: Callable[[str], None]) -> dict[str, Any]:
    """Run everything in one world."""
    cases = bench.where.cases
    far = sorted(cases, key=lambda c: len(c.oracle.actions))[-plan.each :]
    by_policy, by_actor, arms, tokens = {}, {}, {}, {}
    for policy in POLICIES:
        by_policy[policy] = table(bench.each(cases, policy, "bare", 20))
        say(f"{policy}: {by_policy[policy]['success']} of {len(cases)}")
    for name in (*BARE, *COMPOSED):
        by_actor[name] = {p: table(bench.each(far, p, name, 20)) for p in POLICIES}
        say(f"{name}: " + ", ".join(f"{p} {t['success']}" for p, t in by_actor[name].items()))
    for name in UNASKED:
        by_actor[name] = {"": table(bench.each(cases, "perfect", name, 20))}
        say(f"{name}: {by_actor[name]['']['success']} of {len(cases)}")
    for limit, names in plan.paired:
        base: list[Run] = []
        for name in names:
            runs = [
                bench.run(c, "noisy", name, limit=limit, seed=s) for c in cases for s in range(plan.repeats)
            ]
            base = base or runs
            arms[f"{name}@{limit}"] = paired(base, runs)
            say(f"noisy, {name}, {limit} actions: {arms[f'{name}@{limit}']['success']} of {len(runs)}")
    for name in ("none", "block", "closed", "direct"):
        tokens[name] = table(bench.each(cases, "perfect", name, 20))
    return {"by_policy": by_policy, "by_actor": by_actor, "paired": arms, "tokens": tokens}


def measured(names: Sequence[str], most: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Run everything, world by world."""
    every: list[Run] = []
    worlds: dict[str, Any] = {}
    with endpoint(patience=1.0) as served:
        for name in names:
            plan = PLANS["pocket" if name == "pocket" else "web"]
            with world(name, min(most, plan.tasks)) as where:
                say(f"{name}: {len(where.cases)} tasks, {len(where.known.pages())} pages on the map")
                bench = Bench(served, where)
                told = acted(bench, plan, say)
                worlds[name] = totals(bench.runs) | told
                every += bench.runs
    by_policy = {name: told["by_policy"] for name, told in worlds.items()}
    return totals(every) | {"questions": served.calls, "by_policy": by_policy, "worlds": worlds}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--world", action="append", choices=WORLDS, help="default: pocket and ihatemoney")
    parser.add_argument("--tasks", type=int, default=20, help="tasks a world at most")
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    say: Callable[[str], None] = (lambda line: None) if told.json else print
    print(json.dumps(measured(told.world or ("pocket", "ihatemoney"), told.tasks, say), indent=1))


if __name__ == "__main__":
    main()
