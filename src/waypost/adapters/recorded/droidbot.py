"""DroidBot runs (flat views with parent and child numbers) in, a `Recording` out."""

from pathlib import Path
from typing import Any

from waypost.adapters.recorded.recording import Move, Recording, start_of
from waypost.adapters.roles import role_of
from waypost.model import (
    Action,
    Bounds,
    Direction,
    Element,
    Evidence,
    LongPress,
    Press,
    Role,
    Screen,
    Swipe,
    Tap,
    TreeQuality,
    TypeText,
)

__all__ = ["read_droidbot"]

# Where DroidBot scrolls to is where the finger does not go.
_DRAGS = {"UP": Direction.DOWN, "DOWN": Direction.UP, "LEFT": Direction.RIGHT, "RIGHT": Direction.LEFT}


def read_droidbot(data: dict[str, Any], folder: Path) -> Recording:
    """Read a normalised DroidBot run; intents and kills are no actions on the interface and are left out."""
    size = (int(data["screen"][0]), int(data["screen"][1]))
    states: dict[str, Any] = data["states"]
    screens = {name: _screen(state, size) for name, state in states.items()}
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


def _screen(state: dict[str, Any], size: tuple[int, int]) -> Screen:
    views: list[dict[str, Any]] = state["views"]
    package, _, activity = str(state.get("activity", "")).partition("/")
    kids = {n for v in views for n in v.get("children", ())}
    roots = [n for n in range(len(views)) if n not in kids]
    seen: set[int] = set()
    elements = [e for n in roots if (e := _element(views, n, size, seen)) is not None]
    whole = Bounds(0, 0, *size)
    root = elements[0] if len(elements) == 1 else Element(bounds=whole, children=tuple(elements))
    lost = len(views) - len(seen)
    quality = TreeQuality.NONE if not views else TreeQuality.PARTIAL if lost else TreeQuality.FULL
    foreground = str(views[roots[0]].get("package", package)) if roots else package
    return Screen(root, foreground or package, activity or package, size=size, quality=quality)


def _element(
    views: list[dict[str, Any]], number: int, size: tuple[int, int], seen: set[int]
) -> Element | None:
    if number in seen or not 0 <= number < len(views):
        return None  # a view that is its own ancestor, or a number that stands for none
    seen.add(number)
    view = views[number]
    children = tuple(e for n in view.get("children", ()) if (e := _element(views, n, size, seen)) is not None)
    class_name = str(view.get("class") or "")
    bounds = clipped(view.get("bounds"), size)
    return Element(
        role=Role.FIELD if view.get("editable") else role_of(class_name),
        class_name=class_name,
        text=str(view.get("text") or ""),
        description=str(view.get("content_description") or ""),
        resource_id=str(view.get("resource_id") or ""),
        bounds=bounds,
        clickable=bool(view.get("clickable")),
        long_clickable=bool(view.get("long_clickable")),
        scrollable=bool(view.get("scrollable")),
        checkable=bool(view.get("checkable")),
        checked=bool(view.get("checked")),
        selected=bool(view.get("selected")),
        focused=bool(view.get("focused")),
        enabled=bool(view.get("enabled", True)),
        password=bool(view.get("is_password")),
        visible=bool(view.get("visible", True)) and bounds.area > 0,
        children=children,
    )


def clipped(pair: Any, size: tuple[int, int]) -> Bounds:
    """Turn `[[l, t], [r, b]]` into bounds inside the screen; inverted or missing ones are empty.

    >>> clipped([[-10, 5], [2000, 50]], (1080, 2400))
    Bounds(left=0, top=5, right=1080, bottom=50)
    >>> clipped([[9, 9], [3, 3]], (1080, 2400)).area
    0
    """
    if not pair:
        return Bounds(0, 0, 0, 0)
    (left, top), (right, bottom) = pair
    if right <= left or bottom <= top:
        return Bounds(0, 0, 0, 0)
    return Bounds(left, top, right, bottom).clip(Bounds(0, 0, *size))


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
        bounds=clipped(view.get("bounds"), size),
        size=size,
    )
