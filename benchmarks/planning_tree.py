"""Tree search, shortest path and a greedy walk on maps that are unsure: success, steps, Q's learning curve.

Made-up apps whose pages are called by what they are about; the agent's map lacks a share of the edges
(their controls are known, not where they lead) and every edge fails as often as its own chance says. All
arms walk the same apps with the same luck. Tasks that the value model learned from are never asked.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from waypost.bench.stats import bootstrap, mcnemar, wilson
from waypost.model import AppGraph, Evidence, Hypernode, NodeId, Role, Tap, Transition
from waypost.planning import Sample, ShortestPath, TreeConfig, TreeSearch, ValueModel, trained
from waypost.planning.value import features

__all__ = ["tree"]

_WORDS = """
sound display network battery storage account privacy language keyboard backup camera location mail
calendar contact message photo music video note folder search history profile payment address order
basket review delivery coupon theme font wallpaper alarm timer clock weather map travel ticket hotel
"""
_TOPICS = tuple(_WORDS.split())
_KINDS = ("list", "details", "settings", "editor", "help", "options")
_PAGES, _UNKNOWN, _STEPS = 40, 0.35, 25
_ITERATIONS = 120
_TRAIN_APPS, _TEST_APPS, _TASKS = 12, 24, 6

Choose: TypeAlias = Callable[[AppGraph, NodeId, NodeId], str | None]
"""Map, page, goal to the key of the next action."""


@dataclass(frozen=True)
class _App:
    truth: AppGraph
    chances: dict[tuple[NodeId, str], float]
    known: AppGraph
    tasks: tuple[NodeId, ...]


def tree() -> dict[str, Any]:
    """Return the arms' figures and the learning curve."""
    train = [_app(seed) for seed in range(_TRAIN_APPS)]
    test = [_app(1000 + seed) for seed in range(_TEST_APPS)]
    curve, model = _learned(train, test)
    arms: dict[str, Callable[[_App], Choose]] = {
        "tree_search_q": lambda app: _tree_arm(model),
        "tree_search": lambda app: _tree_arm(None),
        "shortest_path": lambda app: _shortest_arm(),
        "greedy": lambda app: _greedy,
    }
    runs = {name: _runs(test, arm) for name, arm in arms.items()}
    rows = [_figures(name, found) for name, found in runs.items()]
    mine = [ok for ok, _ in runs["tree_search_q"]]
    for row in rows[1:]:
        other = [ok for ok, _ in runs[row["arm"]]]
        gained = sum(a and not b for a, b in zip(mine, other, strict=True))
        lost = sum(b and not a for a, b in zip(mine, other, strict=True))
        row["against_q"] = {"gained": gained, "lost": lost, "p": round(mcnemar(gained, lost), 4)}
    return {"apps": _TEST_APPS, "tasks": len(mine), "unknown_edges": _UNKNOWN, "arms": rows, "curve": curve}


def _app(seed: int) -> _App:
    rng = random.Random(seed)
    topics = rng.sample(_TOPICS, 10)
    truth = AppGraph("app", root=NodeId("0"))
    names = ["home", *(f"{rng.choice(topics)} {rng.choice(_KINDS)}" for _ in range(_PAGES - 1))]
    for i, name in enumerate(names):
        truth.nodes[NodeId(str(i))] = Hypernode(NodeId(str(i)), name)
    for i in range(1, _PAGES):
        # Pages about one thing hang together more often than not, as they do in apps.
        kin = [j for j in range(i) if names[j].split()[0] == names[i].split()[0]]
        parent = rng.choice(kin) if kin and rng.random() < 0.7 else rng.randrange(min(i, 6))
        _join(truth, parent, i, names[i], rng)
        _join(truth, i, parent, "up", rng)
        if rng.random() < 0.5:
            other = rng.randrange(_PAGES)
            _join(truth, i, other, names[other], rng)
    chances = {(t.source, t.key): rng.choice([0.95, 0.95, 0.8, 0.5, 0.2]) for t in truth.transitions.values()}
    known = AppGraph("app", root=truth.root, nodes=dict(truth.nodes))
    untried: dict[NodeId, list[str]] = {}
    for at, step in truth.transitions.items():
        if rng.random() < _UNKNOWN:
            untried.setdefault(step.source, []).append(step.key)
        else:
            tries = rng.randint(1, 8)
            hits = sum(rng.random() < chances[step.source, step.key] for _ in range(tries))
            known.transitions[at] = replace(step, tries=tries, successes=max(1, hits))
    known.untried = {node: tuple(keys) for node, keys in untried.items()}
    tasks = tuple(NodeId(str(i)) for i in rng.sample(range(6, _PAGES), _TASKS))
    return _App(truth, chances, known, tasks)


def _join(graph: AppGraph, a: int, b: int, label: str, rng: random.Random) -> None:
    if a == b:
        return
    # A control says in a word where it leads, not always the right one.
    said = label if rng.random() < 0.6 else label.split()[0] if rng.random() < 0.7 else rng.choice(_TOPICS)
    key = f"tap:button|{said}|{a}.{b}"
    step = Transition(NodeId(str(a)), Tap((0, 0), Evidence(Role.BUTTON, said)), NodeId(str(b)), key)
    graph.transitions[step.source, key, step.target] = step


def _runs(apps: list[_App], arm: Callable[[_App], Choose]) -> list[tuple[bool, int]]:
    found = []
    for n, app in enumerate(apps):
        for task in app.tasks:
            found.append(_walk(app, task, arm(app), random.Random(f"{n} {task}")))
    return found


def _walk(app: _App, goal: NodeId, choose: Choose, rng: random.Random) -> tuple[bool, int]:
    """Walk until the goal, learning the map on the way as every arm does."""
    known = replace(app.known, transitions=dict(app.known.transitions), untried=dict(app.known.untried))
    here = NodeId("0")
    for steps in range(_STEPS):
        if here == goal:
            return True, steps
        key = choose(known, here, goal)
        if key is None:
            return False, steps
        if key == "launch":
            here = NodeId("0")
            continue
        (step,) = (t for t in app.truth.transitions.values() if (t.source, t.key) == (here, key))
        landed = rng.random() < app.chances[here, key]
        _note(known, step, landed)
        here = step.target if landed else here
    return here == goal, _STEPS


def _note(known: AppGraph, step: Transition, landed: bool) -> None:
    at = (step.source, step.key, step.target)
    old = known.transitions.get(at)
    if old is None and not landed:
        return
    base = old or replace(step, tries=0, successes=0)
    known.transitions[at] = replace(base, tries=base.tries + 1, successes=base.successes + landed)
    left = known.untried.get(step.source, ())
    known.untried[step.source] = tuple(k for k in left if k != step.key)


def _tree_arm(model: ValueModel | None) -> Choose:
    def choose(known: AppGraph, here: NodeId, goal: NodeId) -> str | None:
        config = TreeConfig(iterations=_ITERATIONS, untried=True, depth=12, c=0.5)
        ranked = TreeSearch(value=model, config=config).ranked(known, here, goal)
        return ranked[0].key if ranked else None

    return choose


def _shortest_arm() -> Choose:
    planner = ShortestPath()

    def choose(known: AppGraph, here: NodeId, goal: NodeId) -> str | None:
        plan = planner.plan(known, here, goal)
        if plan.steps:
            return plan.steps[0].key
        # Where the map has no way, the nearest page with something untried is gone to, and it is tried.
        if known.untried.get(here):
            return known.untried[here][0]
        plans = [planner.plan(known, here, page) for page, keys in known.untried.items() if keys]
        ways = [p for p in plans if p.steps]
        return min(ways, key=lambda p: p.cost).steps[0].key if ways else None

    return choose


def _greedy(known: AppGraph, here: NodeId, goal: NodeId) -> str | None:
    """Take the control whose words are most like the goal's; a known one that leads there first."""
    wanted = known.nodes[goal].name
    told: dict[str, float] = {}
    for step in known.leaving(here):
        told[step.key] = 2.0 if step.target == goal else _likeness(wanted, step.key)
    for key in known.untried.get(here, ()):
        told[key] = _likeness(wanted, key)
    return max(told, key=lambda k: (told[k], k)) if told else None


def _likeness(wanted: str, key: str) -> float:
    return float(features(wanted, "", (), key.split("|")[1], "", 0, 0, 0, 0, 0, 0)[2])


def _figures(name: str, found: list[tuple[bool, int]]) -> dict[str, Any]:
    reached = sum(ok for ok, _ in found)
    low, high = wilson(reached, len(found))
    steps = [float(n) for _, n in found]
    few, many = bootstrap(steps, resamples=2_000)
    return {
        "arm": name,
        "reached": reached,
        "of": len(found),
        "share": round(reached / len(found), 4),
        "interval": [round(low, 4), round(high, 4)],
        "steps": round(float(np.mean(steps)), 2),
        "steps_interval": [round(few, 2), round(many, 2)],
    }


def _learned(train: list[_App], test: list[_App]) -> tuple[list[dict[str, Any]], ValueModel]:
    """Train on more and more apps; score each model on tasks of apps that none of them saw."""
    samples = [_samples(app, i) for i, app in enumerate(train)]
    held = [s for i, app in enumerate(test[:4]) for s in _samples(app, 500 + i)]
    scored = [s for i, app in enumerate(test[4:12]) for s in _samples(app, 900 + i)]
    curve, model = [], None
    for count in (1, 2, 4, 8, _TRAIN_APPS):
        learned = [s for some in samples[:count] for s in some]
        model = trained(learned, held_out=held)
        values = model.values(np.array([s.inputs for s in scored]))
        targets = np.array([s.target for s in scored])
        curve.append(
            {
                "apps": count,
                "samples": len(learned),
                "auc": round(_auc(values, targets > 0.5), 4),
                "brier": round(float(np.mean((values - targets) ** 2)), 4),
            }
        )
    assert model is not None
    return curve, model


def _samples(app: _App, number: int) -> list[Sample]:
    """Search the app's true map, labelled as the agent sees it, and take the tree's targets."""
    search = TreeSearch(config=TreeConfig(iterations=150, depth=8, c=1.5))
    return [
        s
        for task in app.tasks
        for s in search.samples(app.truth, NodeId("0"), task, f"{number}:{app.truth.nodes[task].name}")
    ]


def _auc(values: np.ndarray[Any, Any], good: np.ndarray[Any, Any]) -> float:
    order = np.argsort(np.argsort(values, kind="stable"), kind="stable") + 1
    n, m = int(good.sum()), int((~good).sum())
    return float((order[good].sum() - n * (n + 1) / 2) / (n * m)) if n and m else float("nan")
