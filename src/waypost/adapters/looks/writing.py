"""Looks and their labels in, files in the neutral form out."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from waypost.model import Element, Observation, Screen, TreeQuality

__all__ = ["write_labels", "write_look"]

_FLAGS = (
    "clickable",
    "long_clickable",
    "scrollable",
    "checkable",
    "checked",
    "selected",
    "focused",
    "password",
)
_NAME = re.compile(r"[\w][\w. -]*")


def write_look(folder: Path, name: str, look: Observation) -> Path:
    """Write a look as `NAME.json`, its picture as `NAME.png` beside it; the folder is made where missing.

    What is read again is the screen as it was, but for its rotation. Raises ValueError for a name that is
    none of a file.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be the name of a file; use letters, digits, '.', '_' and '-'")
    folder.mkdir(parents=True, exist_ok=True)
    row = _row(look.screen)
    if look.image:
        (folder / f"{name}.png").write_bytes(look.image)
        row["screenshot"] = f"{name}.png"
    path = folder / f"{name}.json"
    path.write_text(json.dumps(row, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    return path


def write_labels(
    folder: Path,
    labels: Mapping[str, str | None],
    causes: Mapping[str, Sequence[str]] | None = None,
) -> Path:
    """Write which page each look is, and why looks of a page differ, as `labels.json`."""
    path = folder / "labels.json"
    data = {"labels": dict(labels), "causes": {k: list(v) for k, v in (causes or {}).items()}}
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def _row(screen: Screen) -> dict[str, Any]:
    web = "://" in screen.app
    place = (
        {"url": f"{screen.app}{screen.activity}"}
        if web
        else {
            "package": screen.app,
            "activity": screen.activity,
        }
    )
    row: dict[str, Any] = {**place, "size": list(screen.size)}
    for name in ("title", "overlay", "keyboard"):
        if getattr(screen, name):
            row[name] = getattr(screen, name)
    if screen.quality is not TreeQuality.FULL:
        row["quality"] = screen.quality.value
    if screen.quality is not TreeQuality.NONE:
        row["root"] = _node(screen.root)
    return row


def _node(element: Element) -> dict[str, Any]:
    """Write an element; what is empty or false is left out."""
    box = element.bounds
    flags = [f for f in _FLAGS if getattr(element, f)]
    flags += [] if element.enabled else ["disabled"]
    flags += [] if element.visible else ["hidden"]
    row: dict[str, Any] = {
        "class": element.class_name,
        "role": element.role.value,
        "text": element.text,
        "desc": element.description,
        "hint": element.hint,
        "id": element.resource_id,
        "href": element.href,
        "bounds": [box.left, box.top, box.right, box.bottom],
        "flags": flags,
        "children": [_node(c) for c in element.children],
    }
    return {k: v for k, v in row.items() if v or k == "bounds"}
