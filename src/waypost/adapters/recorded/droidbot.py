"""DroidBot runs (flat views with parent and child numbers) in, a `Recording` out."""

from pathlib import Path
from typing import Any

from waypost.adapters.recorded.recording import Move, Recording, start_of
from waypost.adapters.roles import role_of
from waypost.adapters.trees import box_of, parse, placed
from waypost.model import (
    Action,
    Direction,
    Evidence,
    LongPress,
    Press,
    Role,
    Screen,
    Swipe,
    Tap,
    TypeText,
)

__all__ = ["read_droidbot"]

# Where DroidBot scrolls to is where the finger does not go.
_DRAGS = {"UP": Direction.DOWN, "DOWN": Direction.UP, "LEFT": Direction.RIGHT, "RIGHT": Direction.LEFT}


def read_droidbot(data: dict[str, Any], folder: Path) -> Recording:
    """Read a normalised DroidBot run; intents and kills are no actions on the interface and are left out."""
    size = (int(data["screen"][0]), int(data["screen"][1]))
    states: dict[str, Any] = data["states"]
    screens = {name: parse(state, size=size).screen for name, state in states.items()}
    moves: list[Move] = []
    notes: list[str] = []
    for row in data.get("transitions", ()):
        if row["s"] not in states or row["t"] not in states:
            notes.append(f"a transition of an unknown state: {row['s']} to {row['t']}")
            continue
        action = _action(row["a"], states[row["s"]]["views"], size)
        if action is None:
            notes.append(f"not an action on the interface: {row['a']['type']}")
            continue
        moves.append(Move(row["s"], action, row["t"], int(row.get("n", 1))))
    app = _main_package(screens, str(data.get("app", "")))
    start = data.get("start") or ""
    return Recording(
        app=app,
        start=start if start in screens else start_of(screens, tuple(moves), app),
        screens=screens,
        moves=tuple(moves),
        pictures={n: p for n, s in states.items() if (p := _picture(s, folder)) is not None},
        notes=tuple(notes),
    )


def _main_package(screens: dict[str, Screen], app: str) -> str:
    """Return the package that most looks are of."""
    packages = [s.app for s in screens.values()]
    return max(sorted(set(packages)), key=packages.count, default=app)


def _picture(state: dict[str, Any], folder: Path) -> Path | None:
    name = state.get("shot")
    if not name:
        return None
    stem = Path(name).stem
    return (
        next((p for p in (folder / "shots").glob(f"{stem}.*")), None) if (folder / "shots").is_dir() else None
    )


def _action(row: dict[str, Any], views: list[dict[str, Any]], size: tuple[int, int]) -> Action | None:
    kind = row["type"]
    if kind == "key":
        name = str(row.get("name", "")).upper()
        return Press("back") if name == "BACK" else Press("home") if name == "HOME" else None
    number = row.get("view")
    if not isinstance(number, int) or not 0 <= number < len(views):
        return None
    target = _evidence(views[number], size)
    if kind == "touch":
        return Tap(target.bounds.center, target)
    if kind == "long_touch":
        return LongPress(target.bounds.center, target)
    if kind == "scroll":
        return Swipe(_DRAGS.get(str(row.get("direction", "DOWN")).upper(), Direction.UP), target=target)
    if kind == "set_text":
        return TypeText(str(row.get("text", "")), target.bounds.center, target)
    return None


def _evidence(view: dict[str, Any], size: tuple[int, int]) -> Evidence:
    class_name = str(view.get("class") or "")
    return Evidence(
        role=Role.FIELD if view.get("editable") else role_of(class_name),
        label=str(view.get("text") or view.get("content_description") or ""),
        resource_id=str(view.get("resource_id") or ""),
        class_name=class_name,
        bounds=placed(box_of(view.get("bounds")), size),
        size=size,
    )
