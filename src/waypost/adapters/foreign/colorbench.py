"""ColorBench's graph (screenshots' names, and the actions between them) in, an imported map out."""

from pathlib import Path
from typing import Any

from waypost.adapters.foreign.imported import Faults, Imported, Page, Way, loaded, one_file
from waypost.errors import UsageError
from waypost.model import Action, Bounds, Direction, Evidence, Launch, LongPress, Swipe, Tap, TypeText, Wait

__all__ = ["import_colorbench"]


def import_colorbench(path: Path) -> Imported:
    """Read `graph.json`: pages have names alone: ways can be planned, but no page recognised."""
    file = one_file(path, "graph.json", "graph.json.gz")
    data = loaded(file)
    if not isinstance(data, dict):
        raise UsageError(f"{str(file)!r} is no graph: it wants an object of pages")
    faults = Faults()
    names: dict[str, None] = dict.fromkeys(data)
    ways: list[Way] = []
    for number, (source, targets) in enumerate(data.items(), 1):
        if not isinstance(targets, dict):
            faults.add(file, number, f"the ways from {source!r} are no object")
            continue
        for target, rows in targets.items():
            names.setdefault(target)
            if not isinstance(rows, list) or not rows:
                faults.add(file, number, f"{source} to {target}: no action is told")
                continue
            for row in rows:
                action = faults.tried(file, number, lambda row=row: _action(row))  # type: ignore[misc]
                if action is not None:
                    ways.append(Way(source, action, target))
    pages = tuple(Page(name, name.rsplit(".", 1)[0]) for name in names)
    return Imported("colorbench", "colorbench", "", pages, tuple(ways), tuple(faults.found))


def _action(row: dict[str, Any]) -> Action:
    kind = row["action_type"]
    match kind:
        case "click" | "long_press":
            left, top, right, bottom = map(int, row["bbox"])
            box = Bounds(left, top, max(left, right), max(top, bottom))
            at = (int(row["x"]), int(row["y"])) if "x" in row else box.center
            target = Evidence(bounds=box, size=(1080, 2400))
            return Tap(at, target) if kind == "click" else LongPress(at, target)
        case "type":
            return TypeText(str(row["text"]))
        case "swipe":
            ends = [int(row[k]) for k in ("x1", "y1", "x2", "y2")] if "x1" in row else []
            direction = Direction(str(row["direction"]))
            return Swipe(direction, (ends[0], ends[1]), (ends[2], ends[3])) if ends else Swipe(direction)
        case "open":
            return Launch(str(row["app"]))
        case "wait":
            return Wait()
    raise ValueError(f"an action of an unknown type: {kind!r}")
