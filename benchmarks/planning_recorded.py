"""Plans on recorded graphs: milestone chains against a stated optimum, others against a second search.

ColorBench states for each task how many steps the shortest solution takes, and the pages it has to pass.
Its graph leaves the home key out on most pages, as on a phone it is always there: both are planned.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
from benchmarks.retrieval_sets import autodroid, calendar, shared

from waypost.model import AppGraph, Goal, Hypernode, NodeId, Plan, Press, Tap, Transition, TransitionKind
from waypost.planning import Costs, ProductSearch

__all__ = ["colorbench", "recorded"]

_EVERY_STEP_ONE = Costs(hits=1.0, trials=1.0, relaunch=float("inf"))


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
    graph = _colour_graph(raw, home_key)
    assert graph.root is not None
    planner = ProductSearch(costs=_EVERY_STEP_ONE)
    off: Counter[int] = Counter()
    why: Counter[str] = Counter()
    rows = []
    for task in tasks:
        groups = [frozenset(map(NodeId, m["page_node"])) for m in task["milestone"] if m.get("page_node")]
        plan = planner.plan(graph, graph.root, Goal(tuple(groups), ordered=True))
        reason = _reason(plan, task["optimal_steps"], groups, graph)
        why[reason] += 1
        if plan.found:
            off[len(plan.steps) - task["optimal_steps"]] += 1
        if not plan.found or len(plan.steps) != task["optimal_steps"]:
            rows.append(
                {
                    "task": task["task_id"],
                    "stated": task["optimal_steps"],
                    "planned": len(plan.steps) if plan.found else None,
                    "why": reason,
                }
            )
    planned = sum(off.values())
    return {
        "tasks": len(tasks),
        "planned": planned,
        "same": off[0],
        "within_2": sum(n for d, n in off.items() if abs(d) <= 2),
        "share_same": round(off[0] / len(tasks), 4),
        "share_within_2": round(sum(n for d, n in off.items() if abs(d) <= 2) / len(tasks), 4),
        "deviations": {str(d): n for d, n in sorted(off.items())},
        "why": dict(why.most_common()),
        "tasks_off": rows,
    }


def _reason(plan: Plan, stated: int, groups: list[frozenset[NodeId]], graph: AppGraph) -> str:
    if not plan.found:
        if not all(g & graph.nodes.keys() for g in groups):
            return "no way: a milestone page is not on the graph"
        if any(not any(True for p in g for _ in graph.entering(p)) for g in groups):
            return "no way: nothing on the graph leads to a milestone page"
        return "no way: the graph breaks off between milestones"
    off = len(plan.steps) - stated
    if off == 0:
        return "same"
    if off == -1:
        return "one step less: fits a stated count that includes the report at the end, which is no edge"
    if off < 0:
        return "shorter: the graph has a shorter chain through the same milestones than the stated walk"
    return "longer: the stated walk takes a step that the graph does not have"


def _colour_graph(raw: dict[str, Any], home_key: bool) -> AppGraph:
    # The home screen is the page with the most ways on: it opens every app.
    home = NodeId(max(raw, key=lambda n: len(raw[n])))
    graph = AppGraph("colorbench", root=home)
    for source, targets in raw.items():
        for node in (source, *targets):
            graph.nodes[NodeId(node)] = Hypernode(NodeId(node))
        for i, target in enumerate(targets):
            step = Transition(NodeId(source), Tap((0, 0)), NodeId(target), f"{source}|{i}")
            graph.transitions[step.source, step.key, step.target] = step
    if home_key:
        for node in list(graph.nodes):
            if node != home:
                step = Transition(node, Press("home"), home, f"home|{node}", TransitionKind.SYSTEM)
                graph.transitions[step.source, step.key, step.target] = step
    return graph


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
    planner = ProductSearch(costs=_EVERY_STEP_ONE)
    off: Counter[str] = Counter()
    for node in plain.nodes:
        plan = planner.plan(plain, graph.root, node)
        off["same" if (len(plan.steps) if plan.found else None) == hops.get(node) else "off"] += 1
    meant = [g for g in goals if g]
    plans = [planner.plan(plain, graph.root, Goal.either(g)) for g in meant]
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
