"""Plans on recorded graphs: milestone chains against a stated optimum, others against a second search.

ColorBench states for each task how many steps the shortest solution takes, and the pages it has to pass.
Its graph leaves the home key out on most pages, as on a phone it is always there: both are planned. Where a
plan takes more steps than stated, or there is none, the cause is found by planning anew with the home key,
then with the back key too, put in.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
from benchmarks.retrieval_sets import autodroid, calendar, shared

from waypost.model import AppGraph, Goal, Hypernode, NodeId, Press, Tap, Transition, TransitionKind
from waypost.planning import Costs, ProductSearch

__all__ = ["colorbench", "recorded"]

_EVERY_STEP_ONE = Costs(hits=1.0, trials=1.0, relaunch=float("inf"))
_PLANNER = ProductSearch(costs=_EVERY_STEP_ONE)


def recorded() -> dict[str, Any]:
    """Return the figures of all recorded graphs; says so where the recordings are not there."""
    folder = shared()
    if folder is None:
        return {"missing": "no recordings beside the checkout; set WAYPOST_SHARED"}
    data = folder / "data"
    worlds = [*autodroid(data), calendar(data)]
    return {
        "colorbench": {
            "as_recorded": colorbench(data / "colorbench", home_key=False),
            "with_home_key": colorbench(data / "colorbench", home_key=True),
        },
        "others": [_against_bfs(w.name, w.graph, [c.right for c in w.cases]) for w in worlds],
    }


def colorbench(folder: Path, *, home_key: bool) -> dict[str, Any]:
    """Plan every task's chain of milestones from the home screen, in order, and compare the step counts."""
    raw = json.loads((folder / "graph.json").read_text(encoding="utf-8"))
    tasks = json.loads((folder / "tasks_fixed.json").read_text(encoding="utf-8"))
    graph = _colour_graph(raw, ("home",) if home_key else ())
    changed = [
        ("home key", _colour_graph(raw, ("home",))),
        ("home and back keys", _colour_graph(raw, ("home", "back"))),
    ]
    off: Counter[int] = Counter()
    why: Counter[str] = Counter()
    rows = []
    for task in tasks:
        groups = [frozenset(map(NodeId, m["page_node"])) for m in task["milestone"] if m.get("page_node")]
        stated, steps = task["optimal_steps"], _steps(graph, groups)
        reason = _reason(steps, stated, groups, graph, changed)
        why[reason] += 1
        if steps is not None:
            off[steps - stated] += 1
        if steps != stated:
            rows.append({"task": task["task_id"], "stated": stated, "planned": steps, "why": reason})
    return {
        "tasks": len(tasks),
        "planned": sum(off.values()),
        "same": off[0],
        "same_but_for_the_report": off[0] + off[-1],
        "within_2": sum(n for d, n in off.items() if abs(d) <= 2),
        "share_same": round(off[0] / len(tasks), 4),
        "share_within_2": round(sum(n for d, n in off.items() if abs(d) <= 2) / len(tasks), 4),
        "deviations": {str(d): n for d, n in sorted(off.items())},
        "why": dict(why.most_common()),
        "tasks_off": rows,
    }


def _steps(graph: AppGraph, groups: list[frozenset[NodeId]]) -> int | None:
    """Return how many steps visit a page of each group in order; None where there is no way."""
    assert graph.root is not None
    plan = _PLANNER.plan(graph, graph.root, Goal(tuple(groups), ordered=True))
    return len(plan.steps) if plan.found else None


def _reason(
    steps: int | None,
    stated: int,
    groups: list[frozenset[NodeId]],
    graph: AppGraph,
    changed: list[tuple[str, AppGraph]],
) -> str:
    """Say why a plan differs: what of `changed` graphs would have made it as short as stated."""
    if steps == stated:
        return "same"
    if steps == stated - 1:
        return "one step less: fits a stated count that holds the report at the end, which is no edge"
    if steps is not None and steps < stated:
        return "shorter: the graph's own edges beat the stated count"
    if not all(g & graph.nodes.keys() for g in groups):
        return "no way: a milestone page is not on the graph"
    kind, most = ("no way", None) if steps is None else ("longer", stated)
    for what, other in changed:
        pressed = _steps(other, groups)
        if pressed is not None and (most is None or pressed <= most):
            return f"{kind}: the graph leaves the {what} out"
    if steps is None and any(_steps(other, [g]) is None for g in groups for _, other in changed[-1:]):
        return "no way: nothing recorded leads to a milestone page"
    return f"{kind}: no recorded way is as short as stated, whatever keys are pressed"


def _colour_graph(raw: dict[str, Any], keys: tuple[str, ...]) -> AppGraph:
    # The home screen is the page with the most ways on: it opens every app.
    home = NodeId(max(raw, key=lambda n: len(raw[n])))
    graph = AppGraph("colorbench", root=home)
    for source, targets in raw.items():
        for node in (source, *targets):
            graph.nodes[NodeId(node)] = Hypernode(NodeId(node))
        for i, target in enumerate(targets):
            _add(graph, Transition(NodeId(source), Tap((0, 0)), NodeId(target), f"{source}|{i}"))
            if "back" in keys and source != home:
                back = Press("back")
                _add(graph, Transition(NodeId(target), back, NodeId(source), f"back|{target}|{source}"))
    for node in list(graph.nodes) if "home" in keys else ():
        if node != home:
            _add(graph, Transition(node, Press("home"), home, f"home|{node}", TransitionKind.SYSTEM))
    return graph


def _add(graph: AppGraph, step: Transition) -> None:
    graph.transitions[step.source, step.key, step.target] = step


def _against_bfs(name: str, graph: AppGraph, goals: list[frozenset[NodeId]]) -> dict[str, Any]:
    """Plan from the root to every page and to those that sentences mean; a second search counts the steps."""
    assert graph.root is not None
    plain = AppGraph(graph.app, root=graph.root, nodes=dict(graph.nodes))
    for i, t in enumerate(graph.transitions.values()):
        # Every step for one, ways back too: it is step counts that are compared here.
        step = Transition(t.source, Tap((0, 0)), t.target, f"{i}")
        plain.transitions[step.source, step.key, step.target] = step
    net: nx.DiGraph[str] = nx.DiGraph((t.source, t.target) for t in plain.transitions.values())
    net.add_nodes_from(plain.nodes)
    hops = nx.single_source_shortest_path_length(net, graph.root)
    off: Counter[str] = Counter()
    for node in plain.nodes:
        plan = _PLANNER.plan(plain, graph.root, node)
        off["same" if (len(plan.steps) if plan.found else None) == hops.get(node) else "off"] += 1
    meant = [g for g in goals if g]
    plans = [_PLANNER.plan(plain, graph.root, Goal.either(g)) for g in meant]
    best = [min((hops[p] for p in g if p in hops), default=None) for g in meant]
    told = [len(p.steps) if p.found else None for p in plans]
    return {
        "graph": name,
        "pages": len(plain.nodes),
        "reachable": len(hops),
        "same": off["same"],
        "off": off["off"],
        "sentences": len(meant),
        "sentences_same": sum(a == b for a, b in zip(told, best, strict=True)),
        "sentences_without_a_way": sum(t is None for t in told),
    }
