"""A person's judgements: stored runs in, a page to label them on out; the file it saves in, grades out.

`{"format": 1, "who": "ann", "labels": [{"key": {...}, "grade": 5, "note": ""}]}`. The page shows the request
and the last screen, never who acted, by which memory, or what was claimed.
"""

import base64
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from waypost.bench.report import shrunk
from waypost.bench.store import Key, Run
from waypost.errors import UsageError

__all__ = ["Labels", "labelling_page", "read_labels"]


@dataclass(frozen=True, slots=True)
class Labels:
    who: str
    grades: dict[Key, int]
    """1 to 5; 4 and 5 pass."""
    notes: dict[Key, str]


def read_labels(path: Path) -> Labels:
    """Read what a person graded. Raises UsageError that names the fault."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        rows = data["labels"]
        if data.get("format") != 1:
            raise ValueError(f"format {data.get('format')!r} is not known")
        graded = {Key(**row["key"]): int(row["grade"]) for row in rows}
        notes = {Key(**row["key"]): str(row.get("note") or "") for row in rows}
        who = str(data.get("who") or "somebody")
    except OSError as e:
        raise UsageError(f"Cannot read the labels {str(path)!r}: {e.strerror}") from e
    except (ValueError, TypeError, KeyError, AttributeError) as e:
        raise UsageError(f"{str(path)!r} is no file of labels: {type(e).__name__}: {e}") from e
    if wrong := [g for g in graded.values() if not 1 <= g <= 5]:
        raise UsageError(f"{str(path)!r}: {wrong[0]} is no grade; they go from 1 to 5")
    return Labels(who, graded, notes)


def labelling_page(runs: Sequence[Run], *, seed: int = 0) -> str:
    """Write a page of its own to grade runs on, in an order that says nothing of arms."""
    from jinja2 import Environment

    shown = [r for r in runs if r.episode.final is not None]
    random.Random(seed).shuffle(shown)
    source = files("waypost.bench").joinpath("labels.html.j2").read_text(encoding="utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(source)
    return template.render(items=[_item(r) for r in shown], count=len(shown))


def _item(run: Run) -> dict[str, Any]:
    final, task = run.episode.final, run.episode.task
    assert final is not None
    labels = dict.fromkeys(e.label for e in final.screen.visible() if e.label and not e.password)
    return {
        "key": json.dumps(asdict(run.key), ensure_ascii=False),
        "say": task.instruction,
        "src": _source(final.image),
        "labels": list(labels)[:60],
        "address": final.screen.activity,
    }


def _source(png: bytes) -> str:
    return "data:image/webp;base64," + base64.b64encode(shrunk(png, 360)).decode() if png else ""
