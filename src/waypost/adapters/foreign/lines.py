"""Waypost's own JSONL (`waypost export --format jsonl`) in, an imported map out."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from waypost.adapters.foreign.imported import Faults, Imported, Page, Way, one_file
from waypost.errors import UsageError
from waypost.model import PageKind, Screen
from waypost.model.codec import decode, decode_action

__all__ = ["import_jsonl"]


def import_jsonl(path: Path) -> Imported:
    """Read the lines of an export: map, pages with their looks, transitions, and the words of records."""
    file = one_file(path, ".jsonl")
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as e:
        raise UsageError(f"Cannot read {str(file)!r}: {e.strerror}") from e
    read = _Lines()
    faults = Faults()
    for number, text in enumerate(lines, 1):
        if text.strip():
            faults.tried(file, number, lambda number=number, text=text: read.add(number, text))  # type: ignore[misc]
    if not read.pages:
        raise UsageError(f"{str(file)!r} holds no page")
    ways = []
    for number, way in read.ways:
        if way.source in read.pages and way.target in read.pages:
            ways.append(way)
        else:
            faults.add(file, number, "a transition of an unknown page")
    pages = tuple(replace(p, **_told(read.words.get(p.id))) for p in read.pages.values())
    app, root, version = (str(read.head.get(k) or "") for k in ("app", "root", "version"))
    return Imported("jsonl", app, root, pages, tuple(ways), tuple(faults.found), version=version)


@dataclass
class _Lines:
    """What the lines so far have said."""

    head: dict[str, Any] = field(default_factory=dict)
    pages: dict[str, Page] = field(default_factory=dict)
    ways: list[tuple[int, Way]] = field(default_factory=list)
    words: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, number: int, text: str) -> None:
        row = _object(text)
        match row.get("type"):
            case "map":
                self.head = row
            case "page":
                page = _page(row)
                self.pages[page.id] = page
            case "transition":
                way = Way(str(row["source"]), decode_action(row["action"]), str(row["target"]))
                self.ways.append((number, way))
            case "record":
                self.words[str(row["node"])] = row
            case kind:
                raise ValueError(f"a line of an unknown type: {kind!r}")


def _told(row: dict[str, Any] | None) -> dict[str, Any]:
    """Return what a record's line says of its page."""
    if row is None:
        return {}
    return {"summary": str(row.get("summary") or ""), "intents": tuple(map(str, row.get("intents", ())))}


def _object(text: str) -> dict[str, Any]:
    row = json.loads(text)
    if not isinstance(row, dict):
        raise ValueError("not an object")
    return row


def _page(row: dict[str, Any]) -> Page:
    screens = tuple(decode(Screen, s) for s in row.get("screens", ()))
    return Page(str(row["id"]), str(row.get("name") or ""), screens, kind=PageKind(row.get("kind", "page")))
