"""Episodes to look at: a comparison and its store in, the steps and pictures of some of them out."""

import base64
from collections import defaultdict
from typing import Any

from waypost.bench.report import shrunk
from waypost.bench.store import EpisodeStore
from waypost.bench.summary import Scored, Summary
from waypost.model.wording import describe

__all__ = ["players"]

_EACH = 6
"""Episodes shown of each class of misses, and of those that arrived."""
_FRAMES = 14


def players(summary: Summary, store: EpisodeStore) -> list[dict[str, Any]]:
    """Choose some episodes of each class that have pictures, one a task, spread over suites and arms."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for row in summary.scored:
        if row.run.episode.final is not None or row.run.episode.steps:
            groups[row.miss.kind if row.miss else "arrived"].append(row)
    pictures = store.all_pictures()
    shown = []
    for kind in sorted(groups):
        for row in _spread([r for r in groups[kind] if any(pictures.get(r.run.key, ()))]):
            shown.append(_told(row, kind, pictures[row.run.key], store))
    return shown


def _spread(rows: list[Scored]) -> list[Scored]:
    """Take in turn from each suite and arm, and no task twice."""
    lanes: dict[tuple[str, str], list[Scored]] = defaultdict(list)
    for row in rows:
        lanes[row.run.key.suite, row.run.key.arm].append(row)
    chosen: list[Scored] = []
    tasks: set[str] = set()
    while len(chosen) < _EACH and any(lanes.values()):
        for lane in lanes.values():
            while lane:
                row = lane.pop(0)
                if row.run.key.task not in tasks:
                    tasks.add(row.run.key.task)
                    chosen.append(row)
                    break
    return chosen[:_EACH]


def _told(row: Scored, kind: str, pictures: list[str], store: EpisodeStore) -> dict[str, Any]:
    key, episode = row.run.key, row.run.episode
    words = [describe(s.decision.action) for s in episode.steps]
    frames = [
        {
            "src": _source(store.picture(name)) if name else "",
            "words": words[n] if n < len(words) else "the last look",
            "why": episode.steps[n].decision.thought if n < len(episode.steps) else row.trial.reason,
        }
        for n, name in enumerate(pictures)
    ]
    return {
        "kind": kind,
        "say": row.trial.task.instruction,
        "where": f"{key.suite}, {key.arm}, {key.actor}" + (f", seed {key.seed}" if key.seed else ""),
        "evidence": row.miss.evidence if row.miss else row.trial.reason,
        "frames": [*frames[: _FRAMES - 1], frames[-1]] if len(frames) > _FRAMES else frames,
        "told": list(row.run.told[:1]),
    }


def _source(png: bytes) -> str:
    return "data:image/webp;base64," + base64.b64encode(shrunk(png, 240)).decode() if png else ""
