"""minimap's `.minimap/` folder (places and edges, a JSON file each) in, an imported map out, and back.

Its screens are three sets (selectors, short static texts, roles with counts); pages are rebuilt of them as
rows, which is enough to recognise one by its texts and ids.
"""

import json
import re
from pathlib import Path
from typing import Any

from waypost.adapters.foreign.imported import Faults, Imported, Page, Way, in_rows
from waypost.errors import UsageError
from waypost.model import (
    Action,
    Direction,
    Element,
    Evidence,
    LongPress,
    Press,
    Role,
    Screen,
    Swipe,
    Tap,
    TypeText,
)

__all__ = ["import_minimap"]

_SELECTOR = re.compile(r"^(text|id|resource_id|test_tag|desc|content_desc)=(.*)$", re.DOTALL)


def import_minimap(path: Path) -> Imported:
    """Read the places and edges of a `.minimap` folder, or of the project that holds one."""
    folder = path / ".minimap" if (path / ".minimap").is_dir() else path
    if not (folder / "places").is_dir():
        raise UsageError(f"{str(path)!r} holds no minimap: there is no folder 'places'")
    faults = Faults()
    app = _app(folder, faults)
    pages: dict[str, Page] = {}
    for file in sorted((folder / "places").rglob("*.json")):
        page = faults.tried(file, 0, lambda file=file: _place(json.loads(file.read_bytes()), app))  # type: ignore[misc]
        if page is not None:
            pages.setdefault(page.id, page)
    ways = []
    for file in sorted((folder / "edges").rglob("*.json")):
        row = faults.tried(file, 0, lambda file=file: _edge(json.loads(file.read_bytes()), pages))  # type: ignore[misc]
        if row is not None:
            ways.append(row)
    reached = {w.target for w in ways}
    root = next((p for p in pages if p not in reached), next(iter(pages), ""))
    home = next((p.id for p in pages.values() if p.name.casefold() in ("home", "start", "main")), root)
    return Imported("minimap", app, home, tuple(pages.values()), tuple(ways), tuple(faults.found))


def _app(folder: Path, faults: Faults) -> str:
    for name in ("config.json", "minimap.json", "project.json"):
        if (folder / name).is_file():
            row = faults.tried(folder / name, 0, lambda name=name: json.loads((folder / name).read_bytes()))  # type: ignore[misc]
            if isinstance(row, dict):
                found = next((row[k] for k in ("package", "app", "application_id") if row.get(k)), "")
                return str(found)
    return ""


def _place(row: dict[str, Any], app: str) -> Page:
    prints = [row["baseline"], *row.get("variants", [])]
    screens = tuple(_screen(p["fingerprint"], app) for p in prints)
    return Page(str(row["id"]), str(row.get("label") or row.get("slug") or row["id"]), screens)


def _screen(fingerprint: dict[str, Any], app: str) -> Screen:
    texts = [Element(Role.TEXT, text=str(t)) for t in fingerprint.get("texts", fingerprint.get("text", []))]
    named = [_selected(str(s)) for s in fingerprint.get("selectors", [])]
    known = {e.label for e in named}
    return in_rows([*named, *(t for t in texts if t.text not in known)], app)


def _selected(selector: str) -> Element:
    found = _SELECTOR.match(selector)
    kind, value = found.groups() if found else ("id", selector)
    if kind == "text":
        return Element(Role.BUTTON, text=value, clickable=True)
    if kind in ("desc", "content_desc"):
        return Element(Role.BUTTON, description=value, clickable=True)
    return Element(Role.BUTTON, resource_id=value, clickable=True)


def _edge(row: dict[str, Any], pages: dict[str, Page]) -> Way:
    source, target = str(row["from"]), str(row["to"])
    if missing := [p for p in (source, target) if p not in pages]:
        raise ValueError(f"an edge of an unknown place: {missing[0]}")
    recipe = row["recipe"]
    if len(recipe) != 1:
        raise ValueError(f"takes {len(recipe)} actions; the places in between are not told")
    return Way(source, _action(recipe[0], pages[source]), target)


def _action(step: dict[str, Any], page: Page) -> Action:
    kind = str(step["kind"])
    if kind == "back":
        return Press("back")
    if kind in ("scroll", "swipe"):
        return Swipe(Direction(str(step.get("direction", "up"))))
    at, target = _aim(step, page)
    match kind:
        case "tap":
            return Tap(at, target)
        case "long_press":
            return LongPress(at, target)
        case "type" | "text":
            return TypeText(str(step.get("text", "")), at, target)
    raise ValueError(f"an action of an unknown kind: {kind!r}")


def _aim(step: dict[str, Any], page: Page) -> tuple[tuple[int, int], Evidence | None]:
    if "selector" in step:
        e = _selected(str(step["selector"]))
        shown = page.screens[0].root.children
        like = next((s for s in shown if (s.label, s.resource_id) == (e.label, e.resource_id)), e)
        size = page.screens[0].size
        return like.bounds.center, Evidence(like.role, e.label, e.resource_id, bounds=like.bounds, size=size)
    x, y = step["point"]
    return (int(x), int(y)), None
