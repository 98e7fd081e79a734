"""Recordings beside the checkout as maps and sentences for `benchmarks.retrieval`: files in, `Case`s out."""

import csv
import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from waypost.adapters.recorded.load import load_recording
from waypost.model import (
    AppGraph,
    Bounds,
    Element,
    Evidence,
    Hypernode,
    Look,
    NodeId,
    Observation,
    Press,
    Role,
    Screen,
    Tap,
    Transition,
    TransitionKind,
)

__all__ = ["Case", "World", "absent", "autodroid", "calendar", "pocket", "shared"]

_ROLES = {"button": Role.BUTTON, "input": Role.FIELD, "checkbox": Role.CHECKBOX, "p": Role.TEXT}


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, and the pages that are right for it; none where the map has no such page."""

    sentence: str
    right: frozenset[NodeId]


@dataclass(frozen=True, slots=True)
class World:
    name: str
    graph: AppGraph
    cases: tuple[Case, ...]


def shared() -> Path | None:
    """Return the folder of recordings, or None where this machine has none."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    path = Path(os.environ.get("WAYPOST_SHARED", beside))
    return path if (path / "data").is_dir() else None


def autodroid(folder: Path) -> Iterator[World]:
    """Yield the apps that have both a map and labelled sentences."""
    labels = _labels()
    with (folder / "autodroid_mit" / "tasks.csv").open(encoding="utf-8-sig", newline="") as file:
        sentences = {
            row[2].removeprefix("output/"): [" ".join(t.split()) for t in row[3:]]
            for row in csv.reader(file)
            if row and row[0]
        }
    for app, (sheet, marks) in labels["autodroid"].items():
        with gzip.open(folder / "autodroid_mit" / f"{app}.json.gz", "rt", encoding="utf-8") as packed:
            raw = json.load(packed)
        graph = _graph(app, raw)
        cases = []
        for sentence, mark in zip(sentences[sheet], marks, strict=False):
            if mark != "?":
                wanted = str(mark).split() if mark != "-" else []
                right = frozenset(n for n in graph.nodes if any(n.startswith(w) for w in wanted))
                if wanted and not right:
                    raise ValueError(f"{app}: no state {mark!r}")
                cases.append(Case(sentence, right))
        yield World(app, graph, tuple(cases))


def _graph(app: str, raw: dict[str, Any]) -> AppGraph:
    graph = AppGraph(app=app)
    for state, row in raw["states"].items():
        node = NodeId(state)
        graph.nodes[node] = Hypernode(node, looks=(Look(Observation(_screen(app, row))),), visits=1)
        graph.root = graph.root or node
    for step in raw["transitions"]:
        source, target = NodeId(step["s"]), NodeId(step["t"])
        if source not in graph.nodes or target not in graph.nodes:
            continue
        elements = {e["id"]: e for e in raw["states"][source]["elements"]}
        chosen = elements.get(step["choice"])
        if chosen is None or chosen["text"] == "go back":
            transition = Transition(source, Press("back"), target, "back", TransitionKind.SYSTEM)
        else:
            label = (chosen["text"] or "").split("<br>")[0].strip()
            evidence = Evidence(_ROLES.get(chosen["tag"], Role.BUTTON), label)
            key = f"tap:{chosen['tag']}|{label}|{step['choice']}"
            transition = Transition(source, Tap((0, 0), evidence), target, key)
        graph.transitions.setdefault((source, transition.key, target), transition)
    return graph


def _screen(app: str, row: dict[str, Any]) -> Screen:
    elements, top = [], 0
    for e in row["elements"]:
        text = (e["text"] or "").strip()
        if not text or text == "go back":
            continue
        lines = [t.strip() for t in text.split("<br>") if t.strip()]
        box = Bounds(0, top, 1080, top + 100)
        role = _ROLES.get(e["tag"], Role.BUTTON)
        kids = tuple(Element(Role.TEXT, text=t, bounds=box) for t in lines) if len(lines) > 1 else ()
        elements.append(
            Element(
                role,
                text="" if kids else text,
                bounds=box,
                clickable=role is not Role.TEXT,
                checkable=role is Role.CHECKBOX,
                checked=bool(e["checked"]),
                children=kids,
            )
        )
        top += 100
    size = (1080, max(2400, top))
    return Screen(Element(bounds=Bounds(0, 0, *size), children=tuple(elements)), app=app, size=size)


def calendar(folder: Path) -> World:
    """Return the recorded calendar app; entries that were not recorded are taken to lead from the root."""
    recording = load_recording(folder / "calendar_android")
    graph = AppGraph(app=recording.app, root=NodeId(recording.start))
    for name, screen in recording.screens.items():
        node = NodeId(name)
        graph.nodes[node] = Hypernode(node, looks=(Look(Observation(screen)),), visits=1)
        key = f"unrecorded:{name}"
        step = Transition(NodeId(recording.start), Tap((0, 0)), node, key)
        graph.transitions[step.source, key, node] = step
    for i, move in enumerate(recording.moves):
        step = Transition(NodeId(move.source), move.action, NodeId(move.target), f"move:{i}")
        graph.transitions[step.source, step.key, step.target] = step
    cases = []
    for sentence, starts in _labels()["calendar"]:
        wanted = tuple(starts.split()) if starts != "-" else ()
        right = frozenset(n for n in graph.nodes if wanted and n.rsplit("/", 1)[-1].startswith(wanted))
        if bool(wanted) == bool(right):
            cases.append(Case(sentence, right))
    return World("calendar_android", graph, tuple(cases))


def _labels() -> dict[str, Any]:
    text = (Path(__file__).parent / "retrieval_labels.yaml").read_text(encoding="utf-8")
    labels: dict[str, Any] = yaml.safe_load(text)
    return labels


_FAR = """
airbnb amazon bolt booking.com deliveroo expedia google_maps linkedin quora temu yelp espn bbc youtube reddit
instagram facebook dictionary_merriam_webster
"""


def absent(folder: Path, most: int = 24) -> tuple[str, ...]:
    """Return sentences asked of apps of quite other kinds than the recorded ones, evenly chosen.

    What any app may have (its settings, a search) is left out: a map is right to answer that.
    """
    with (folder / "spabench" / "single-app-ENG.csv").open(encoding="utf-8-sig", newline="") as file:
        found = [
            r["task_description"].split(". ")[0]
            for r in csv.DictReader(file)
            if r["task_app"] in _FAR.split()
        ]
    anywhere = ("setting", "search", "dark", "theme")
    kept = [s for s in dict.fromkeys(found) if not any(w in s.lower() for w in anywhere)]
    return tuple(kept[:: max(1, len(kept) // most)][:most])


def pocket(*, dev: bool) -> list[World]:
    """Explore the apps of the embedded phone, and return its tasks: those for looking at, or the others."""
    from waypost.adapters.pocket import PocketDevice
    from waypost.adapters.pocket.known import gate_recipe
    from waypost.exploration import ExploreConfig, StartRecipe, explore
    from waypost.mapping import Mapper

    package = resources.files("waypost.adapters.pocket")
    tasks = yaml.safe_load((package / "tasks.yaml").read_text(encoding="utf-8"))["tasks"]
    worlds = []
    for app in sorted({t["app"] for t in tasks}):
        device = PocketDevice(app)
        mapper = Mapper(AppGraph(app=device.observe().screen.app))
        lines = gate_recipe(app)
        start = StartRecipe.parse(lines, {}) if lines else None
        explore(device, mapper, ExploreConfig(actions=6000, minutes=None), start=start, clock=lambda: 0.0)
        graph = mapper.graph
        pages: dict[str, set[NodeId]] = {}
        for node in graph.pages():
            for look in node.looks[:1]:
                pages.setdefault(device.label(look.observation.seen_at), set()).add(node.id)
        cases = tuple(
            # A page that exploration missed counts as not found.
            Case(
                t["say"],
                frozenset(pages.get(t["target"], {NodeId("not explored")})) if t["target"] else frozenset(),
            )
            for t in tasks
            if t["app"] == app and bool(t.get("dev")) == dev
        )
        worlds.append(World(f"pocket:{app}", graph, cases))
    return worlds
