"""Score our sorting on looks as other toolkits would tell them, and without each kind of evidence.

    python -m benchmarks.identity_toolkits [--sets DIR] [--only SET] [--toolkit flutter] [--json]
    python -m benchmarks.identity_toolkits --ablate [--sets DIR]

Android's own widgets have classes and ids; Compose, Flutter and React Native draw all by themselves, and
tell little but texts, boxes and what can be tapped. Each rewriting keeps what the toolkit's
accessibility tree keeps: no ids, one activity, and of a dialog a window of its own or a barrier behind it.
Looks that were rewritten are no recordings: the real trees are odder. No threshold is set here.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from waypost.adapters.trees import parse
from waypost.bench.labelled import LabelledSet
from waypost.bench.partition import PartitionScores, partition_scores
from waypost.mapping import cluster, match
from waypost.mapping.knowledge import Knowledge
from waypost.mapping.layers import LayerKind, active_layer
from waypost.mapping.signature import Signature
from waypost.model import Element, Role, Screen, TreeQuality
from waypost.parts.identity_sets import builtin_sets, folder_sets
from waypost.protocols import Reason

Row = dict[str, Any]
_LEAVES = {
    Role.BUTTON: "android.widget.Button",
    Role.FIELD: "android.widget.EditText",
    Role.CHECKBOX: "android.widget.CheckBox",
    Role.SWITCH: "android.widget.Switch",
    Role.RADIO: "android.widget.RadioButton",
    Role.IMAGE: "android.widget.ImageView",
    Role.SLIDER: "android.widget.SeekBar",
}
_TEXTS = dict.fromkeys((Role.TEXT, Role.HEADING), "android.widget.TextView")
_FLAGS = ("clickable", "long_clickable", "scrollable", "checkable", "checked", "selected", "focused")
REASONS = (
    *("selected", "title", "frame", "body", "panes", "grid", "unfolded", "controls", "further", "texts"),
    *("rows", "little", "route", "way", "entries", "answers", "fields", "holder", "structure"),
)


def _row(e: Element, class_name: str, children: list[Row]) -> Row:
    box = e.bounds
    flags = [f for f in _FLAGS if getattr(e, f)] + ([] if e.enabled else ["disabled"])
    at = [box.left, box.top, box.right, box.bottom]
    said = e.text or (e.hint if e.role is Role.FIELD else "")
    return {
        "class": class_name,
        "text": said,
        "desc": e.description,
        "bounds": at,
        "flags": flags,
        "children": children,
    }


def _drawn(e: Element, bare: str, classes: Mapping[Role, str]) -> Row:
    name = bare if e.scrollable else classes.get(e.role, bare)
    return _row(e, name, [_drawn(c, bare, classes) for c in e.children if c.visible])


def _semantics(e: Element) -> list[Row]:
    """Return Flutter's nodes: only what says or does something; what can be tapped says all that it holds."""
    below = [row for c in e.children if c.visible for row in _semantics(c)]
    if not (e.clickable or e.label or e.scrollable or e.role in _LEAVES):
        return below
    name = "android.widget.ScrollView" if e.scrollable else _LEAVES.get(e.role, "android.view.View")
    row = _row(e, name, below)
    if e.role is not Role.FIELD:
        row["text"], row["desc"] = "", e.label
    if e.clickable and not e.scrollable:
        told = [r for r in below if "clickable" not in r["flags"]]
        row["desc"] = "\n".join(filter(None, (row["desc"], *(r["desc"] for r in told))))
        row["children"] = [r for r in below if r not in told or "checkable" in r["flags"]]
    return [row]


def _compose(s: Screen) -> Row:
    return _drawn(_window(s), "android.view.View", _LEAVES | _TEXTS)


def _react(s: Screen) -> Row:
    kept = {r: c for r, c in _LEAVES.items() if r in (Role.FIELD, Role.SWITCH, Role.IMAGE)}
    return _drawn(_window(s), "android.view.ViewGroup", kept | _TEXTS)


def _window(s: Screen) -> Element:
    """Return what the window in front holds: a dialog or menu has one of its own, a drawer has not."""
    layer = active_layer(s)
    return layer.root if layer.modal and layer.kind is not LayerKind.DRAWER else s.root


def _flutter(s: Screen) -> Row:
    layer = active_layer(s)
    whole = {"class": "android.view.View", "bounds": [0, 0, *s.size]}
    shown = _semantics(layer.root if layer.modal else s.root)
    if layer.modal:
        held = _row(layer.root, "android.view.View", shown) | {"text": "", "desc": "", "flags": []}
        shown = [whole | {"desc": "Dismiss", "flags": ["clickable"]}, held]
    return whole | {"children": shown}


TOOLKITS: Mapping[str, Callable[[Screen], Row]] = {
    "compose": _compose,
    "flutter": _flutter,
    "react-native": _react,
}


def rewritten(s: Screen, toolkit: str) -> Screen:
    """Return a look as an app made with a toolkit would have told it; one without a tree as it is."""
    if s.quality is TreeQuality.NONE:
        return replace(s, activity=".MainActivity")
    shown = TOOLKITS[toolkit](s)
    # The window of Compose's dialog is no larger than the dialog.
    box = shown["bounds"] if toolkit == "compose" else [0, 0, *s.size]
    frame = {"class": "android.widget.FrameLayout", "bounds": box, "children": [shown]}
    told = {"package": s.app, "activity": ".MainActivity", "size": list(s.size), "root": frame}
    found = parse(told, size=s.size).screen
    return replace(found, overlay=s.overlay, keyboard=s.keyboard, quality=s.quality)


@contextmanager
def without(name: str) -> Iterator[None]:
    """Leave one kind of evidence out of every judgement."""
    judge = match.judge

    def rest(a: Signature, b: Signature, known: Knowledge, leaning: match.Leaning) -> Iterator[Reason]:
        return (r for r in judge(a, b, known, leaning) if r.name != name)

    with patch.object(match, "judge", rest):
        yield


def score(labelled: LabelledSet, toolkit: str = "") -> PartitionScores:
    """Sort the looks of a set, as they are or rewritten; pictures are not asked."""
    screens = [rewritten(k.screen, toolkit) if toolkit else k.screen for k in labelled.looks]
    found = cluster(screens, labelled.app)
    both = [(k.page, page) for k, page in zip(labelled.looks, found, strict=True) if k.page is not None]
    return partition_scores([str(t) for t, _ in both], [f for _, f in both], resamples=200)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sets", type=Path, default=None, help="labelled folders beside the built-in sets")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--toolkit", action="append", choices=sorted(TOOLKITS), default=[])
    parser.add_argument("--ablate", action="store_true", help="leave out each kind of evidence in turn")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    loads = builtin_sets(300, 7) | dict(folder_sets(asked.sets) if asked.sets else ())
    sets = [load() for name, load in loads.items() if not asked.only or name in asked.only]
    table: dict[str, dict[str, PartitionScores]] = {"as it is": {s.name: score(s) for s in sets}}
    if asked.ablate:
        for reason in REASONS:
            with without(reason):
                table[f"without {reason}"] = {s.name: score(s) for s in sets}
    else:
        for toolkit in asked.toolkit or TOOLKITS:
            table[toolkit] = {s.name: score(s, toolkit) for s in sets if "://" not in s.app}
    if asked.json:
        print(
            json.dumps({k: {n: s.as_json() for n, s in rows.items()} for k, rows in table.items()}, indent=1)
        )
        return
    for kind, rows in table.items():
        mean = [sum(getattr(s, f) for s in rows.values()) / len(rows) for f in ("pair_f1", "split", "merge")]
        told = " ".join(f"{n} {s.pair_f1:.3f}" for n, s in rows.items())
        print(f"{kind:18} F1 {mean[0]:.4f} split {mean[1]:.4f} merge {mean[2]:.4f} | {told}")


if __name__ == "__main__":
    main()
