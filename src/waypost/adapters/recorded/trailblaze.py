"""A trailblaze trail map (waypoints with example looks, shortcuts) in, a `Recording` out."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

from waypost.adapters.recorded.recording import Move, Recording, start_of
from waypost.adapters.trees import parse
from waypost.errors import TreeError, UsageError
from waypost.model import Action, Element, Evidence, Press, Screen, Tap

__all__ = ["read_trailblaze", "shortcuts"]

_ENDS = (".example.json", ".waypoint.yaml", ".shortcut.yaml")


def read_trailblaze(folder: Path) -> Recording:
    """Read a trail map's example looks and shortcuts; a byte-identical copy under another name is dropped."""
    screens: dict[str, Screen] = {}
    pictures: dict[str, Path] = {}
    notes: list[str] = []
    twins: dict[bytes, str] = {}
    for path in sorted((folder / "waypoints").rglob(f"*{_ENDS[0]}")):
        try:
            data = json.loads(path.read_bytes())
            name, screen = str(data["waypointId"]), parse(data).screen
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, TreeError) as e:
            notes.append(f"{path.name}: {type(e).__name__}: {e}")
            continue
        look = json.dumps(data.get("trailblazeNodeTree") or data["viewHierarchy"]).encode()
        if look in twins:
            notes.append(f"{path.name}: the same look as {twins[look]}")
            continue
        twins[look] = name
        screens[name] = screen
        shot = Path(str(data.get("screenshotFile") or "")).name
        if shot and (path.parent / shot).is_file():
            pictures[name] = path.parent / shot
    moves = tuple(shortcuts(folder, screens, notes))
    app = _app(folder, screens)
    if not screens:
        raise UsageError(f"{str(folder)!r} holds no example looks")
    return Recording(app, start_of(screens, moves, app), screens, moves, pictures, tuple(notes))


def _app(folder: Path, screens: dict[str, Screen]) -> str:
    found = re.findall(r"^\s+- ([\w.]+\.[\w.]+)\s*$", _text(folder / "trailmap.yaml"), re.MULTILINE)
    packages = [s.app for s in screens.values() if s.app]
    return found[0] if found else max(sorted(set(packages)), key=packages.count, default="")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def shortcuts(folder: Path, screens: dict[str, Screen], notes: list[str]) -> list[Move]:
    """Read the shortcuts between pages that have a look; what cannot be used is added to `notes`."""
    moves = []
    for path in sorted((folder / "shortcuts").rglob(f"*{_ENDS[2]}")):
        try:
            moves.append(_move(yaml.safe_load(path.read_text(encoding="utf-8")), screens))
        except ValueError as e:
            notes.append(f"{path.name}: {e}")
        except (OSError, yaml.YAMLError, KeyError, TypeError, AttributeError, RecursionError) as e:
            notes.append(f"{path.name}: {type(e).__name__}: {e}")
    return moves


def _move(data: Any, screens: dict[str, Screen]) -> Move:
    """Raises ValueError that says why a shortcut cannot be used."""
    source, target = data["shortcut"]["from"], data["shortcut"]["to"]
    tools: list[dict[str, Any]] = data["tools"]
    if source not in screens or target not in screens:
        raise ValueError("one of its pages has no look")
    if len(tools) != 1:
        raise ValueError(f"takes {len(tools)} actions, of which only the last look was kept")
    action = _action(tools[0], screens[source])
    if action is None:
        raise ValueError(f"its selector fits nothing on the look of {source}")
    return Move(source, action, target)


def _action(tool: dict[str, Any], screen: Screen) -> Action | None:
    if "pressBack" in tool:
        return Press("back")
    selector = tool.get("tapOnElementBySelector", {}).get("nodeSelector", {}).get("androidAccessibility")
    if not isinstance(selector, dict):
        return None
    fits = [e for e in screen.visible() if _fits(selector, e)]
    if not fits:
        return None
    found = min(fits, key=lambda e: e.bounds.area)
    target = Evidence(
        role=found.role,
        label=found.label,
        resource_id=found.resource_id,
        class_name=found.class_name,
        bounds=found.bounds,
        size=screen.size,
    )
    return Tap(found.bounds.center, target)


def _fits(selector: dict[str, Any], element: Element) -> bool:
    values = {
        "textRegex": element.text,
        "contentDescriptionRegex": element.description,
        "resourceIdRegex": element.resource_id,
        "classNameRegex": element.class_name,
    }
    try:
        return all(re.fullmatch(str(p), values[k]) is not None for k, p in selector.items() if k in values)
    except re.error:
        return False
