"""Score page identity on labelled looks: sets in, pair precision, recall, F1, B-cubed, split and merge out.

    python benchmarks/identity.py [--set pocket-mail] [--json]

Two ways of sorting are scored: `looks` knows nothing but the looks (`mapping.cluster`), `steps` also knows
how each was reached (`Mapper`). Sets: each app of the embedded phone under a seeded tapper with all its
disturbances (labels by construction), and the calendar recording beside the checkout, labelled by
`identity_labels.yaml`. Split: share of pages whose looks lie in several groups. Merge: share of pages that
share a group with another. Nothing here is used to set a threshold.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import yaml

from waypost.adapters.pocket import PocketDevice
from waypost.adapters.recorded.load import load_recording
from waypost.mapping import Mapper, action_key, cluster, controls, dismissal, settled
from waypost.model import AppGraph, PageKind, Press, Screen

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


@dataclass(frozen=True, slots=True)
class Scores:
    looks: int
    pages: int
    groups: int
    pair_precision: float
    pair_recall: float
    pair_f1: float
    b3_f1: float
    split: float
    merge: float


@dataclass(frozen=True, slots=True)
class Labelled:
    """Looks with their true pages, and the page that the mapper put each into where it saw the steps."""

    app: str
    screens: tuple[Screen, ...]
    truth: tuple[str, ...]
    steps: tuple[str | None, ...] = ()


def score(truth: Sequence[str], found: Sequence[object]) -> Scores:
    """Compare two partitions of the same looks; a look that was put nowhere is a group of its own."""
    groups = [g if g is not None else f"alone {i}" for i, g in enumerate(found)]
    both = Counter(zip(truth, groups, strict=True))
    pages, found_groups = Counter(truth), Counter(groups)
    hit = sum(n * (n - 1) for n in both.values())
    claimed = sum(n * (n - 1) for n in found_groups.values())
    real = sum(n * (n - 1) for n in pages.values())
    precision, recall = hit / claimed if claimed else 1.0, hit / real if real else 1.0
    total = len(truth)
    b3_p = sum(n * n / found_groups[g] for (_, g), n in both.items()) / total
    b3_r = sum(n * n / pages[p] for (p, _), n in both.items()) / total
    groups_of: dict[str, set[object]] = defaultdict(set)
    pages_of: dict[object, set[str]] = defaultdict(set)
    for page, group in both:
        groups_of[page].add(group)
        pages_of[group].add(page)
    merged = {p for ps in pages_of.values() if len(ps) > 1 for p in ps}
    return Scores(
        total,
        len(pages),
        len(found_groups),
        precision,
        recall,
        _f1(precision, recall),
        _f1(b3_p, b3_r),
        sum(1 for gs in groups_of.values() if len(gs) > 1) / len(pages),
        len(merged) / len(pages),
    )


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def tapped(app: str, actions: int, seed: int) -> Labelled:
    """Walk an app of the embedded phone at random; looks at side states are left out."""
    device = PocketDevice(app, seed=seed)
    dice = random.Random(seed)
    seen = settled(device)
    mapper = Mapper(AppGraph(app=seen.screen.app))
    at = mapper.enter(seen)
    rows = [(seen, at)]
    tried: Counter[tuple[str, str]] = Counter()
    for _ in range(actions):
        offered = [
            c for c in controls(seen.screen) if not getattr(getattr(c.action, "target", None), "hazard", "")
        ]
        if mapper.graph.nodes[at].kind is not PageKind.PAGE:
            action = dismissal(seen.screen) or Press("back")
        elif offered and dice.random() < 0.9:
            chances = [(tried[at, c.key] + 2 * dice.random(), i) for i, c in enumerate(offered)]
            action = offered[min(chances)[1]].action
        else:
            action = Press("back")
        key = action_key(action)
        tried[at, key] += 1
        device.perform(action)
        seen = settled(device)
        at = mapper.extend(at, action, key, seen).target
        rows.append((seen, at))
        if seen.screen.app != mapper.graph.app and mapper.graph.nodes[at].kind is PageKind.EXTERNAL:
            device.restart()
            seen = settled(device)
            at = mapper.enter(seen)
    rows = [(o, n) for o, n in rows if not device.label(o.seen_at).startswith(("side:", "launcher"))]
    return Labelled(
        mapper.graph.app,
        tuple(o.screen for o, _ in rows),
        tuple(device.label(o.seen_at) for o, _ in rows),
        tuple(mapper.resolve(n) for _, n in rows),
    )


def calendar() -> Labelled:
    """Read the calendar recording, its looks labelled by the rule of what a page is."""
    recording = load_recording(SHARED / "calendar_android")
    labels = yaml.safe_load((Path(__file__).parent / "identity_labels.yaml").read_text(encoding="utf-8"))
    page_of = {look: page for page, looks in labels["calendar_android"].items() for look in looks}
    names = [n for n, s in recording.screens.items() if s.app == recording.app]
    truth = tuple(page_of.get(n.rsplit("/", 1)[-1], n) for n in names)
    return Labelled(recording.app, tuple(recording.screens[n] for n in names), truth)


def sets(actions: int, seed: int) -> Iterator[tuple[str, Callable[[], Labelled]]]:
    """Yield the sets by name; the recording only where it is at hand."""
    for app in ("mail", "chat", "clock", "music", "settings", "shop"):
        yield f"pocket-{app}", lambda app=app: tapped(app, actions, seed)  # type: ignore[misc]
    if SHARED.is_dir():
        yield "calendar", calendar


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", default="")
    parser.add_argument("--actions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    table: dict[str, dict[str, dict[str, float]]] = {}
    for name, load in sets(asked.actions, asked.seed):
        if asked.set and asked.set not in name:
            continue
        labelled = load()
        ways: dict[str, Sequence[object]] = {"looks": cluster(labelled.screens, labelled.app)}
        if labelled.steps:
            ways["steps"] = labelled.steps
        table[name] = {way: asdict(score(labelled.truth, found)) for way, found in ways.items()}
        if not asked.json:
            for way, s in table[name].items():
                print(f"{name:16} {way:6} " + " ".join(f"{k} {v:.3g}" for k, v in s.items()), flush=True)
    if asked.json:
        print(json.dumps({"sets": table}, indent=1))


if __name__ == "__main__":
    main()
