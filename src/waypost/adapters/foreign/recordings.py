"""Recordings that are read as devices too (DroidBot, AutoDroid, trailblaze) in, imported maps out."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from waypost.adapters.foreign.imported import Fault, Faults, Imported, Page, Way, loaded, one_file
from waypost.adapters.recorded import Recording
from waypost.adapters.recorded.autodroid import read_autodroid
from waypost.adapters.recorded.droidbot import read_droidbot
from waypost.adapters.recorded.trailblaze import read_trailblaze, shortcuts
from waypost.errors import UsageError
from waypost.model import Screen

__all__ = ["import_autodroid", "import_droidbot", "import_trailblaze"]

_KINDS = {"touch", "long_touch", "scroll", "set_text", "key"}


def import_droidbot(path: Path) -> Imported:
    """Read a DroidBot run: its own folder (`states/`, `events/`, perhaps `utg.js`), or a normalised file."""
    faults = Faults()
    if path.is_dir() and (path / "states").is_dir():
        data, folder = _droidbot_folder(path, faults), path
    elif path.name == "utg.js" or (path.is_dir() and (path / "utg.js").is_file()):
        raise UsageError(
            f"{str(path)!r} holds utg.js alone; the folder 'states' beside it says what the pages show"
        )
    else:
        file = one_file(path, ".json", ".json.gz")
        data, folder = loaded(file), file.parent
    recording, _ = _sifted(data, lambda d: read_droidbot(d, folder), faults, path)
    return _imported("droidbot", recording, faults, same_pages=False)


def _droidbot_folder(path: Path, faults: Faults) -> dict[str, Any]:
    """Bring DroidBot's own files into the form that is read: states by their string, events as moves."""
    states: dict[str, Any] = {}
    first = ""
    for file in sorted((path / "states").glob("*.json")):
        state = faults.tried(file, 0, lambda file=file: _named(json.loads(file.read_bytes()), "state_str"))  # type: ignore[misc]
        if state is None:
            continue
        state["shot"] = f"screen_{state.get('tag', '')}.png"
        states.setdefault(str(state["state_str"]), state)
        first = first or str(state["state_str"])
    transitions = []
    for file in sorted((path / "events").glob("*.json")):
        row = faults.tried(file, 0, lambda file=file: _event(json.loads(file.read_bytes()), states))  # type: ignore[misc]
        if row is not None:
            transitions.append(row)
    sizes = [(s.get("width"), s.get("height")) for s in states.values()]
    size = next(((w, h) for w, h in sizes if isinstance(w, int) and isinstance(h, int)), (1080, 1920))
    return {"screen": list(size), "states": states, "transitions": transitions, "start": first}


def _named(row: Any, key: str) -> dict[str, Any]:
    if not isinstance(row, dict) or not isinstance(row.get(key), str):
        raise ValueError(f"no {key}")
    return row


def _event(row: Any, states: dict[str, Any]) -> dict[str, Any]:
    source, target, event = row["start_state"], row["stop_state"], row["event"]
    kind = str(event["event_type"])
    if kind not in _KINDS:
        raise ValueError(f"not an action on the interface: {kind}")
    action: dict[str, Any] = {"type": kind}
    view = event.get("view")
    if isinstance(view, dict):
        views = states[source]["views"] if source in states else []
        wanted = (view.get("view_str"), view.get("bounds"), view.get("class"))
        known = [(v.get("view_str"), v.get("bounds"), v.get("class")) for v in views]
        if wanted not in known:
            raise ValueError("its view is not on the state that it was made on")
        action["view"] = known.index(wanted)
    action |= {k: event[k] for k in ("text", "direction", "name") if k in event}
    return {"s": source, "a": action, "t": target, "n": 1}


def import_autodroid(path: Path) -> Imported:
    """Read an AutoDroid memory, with its page summaries and element tasks where it has some."""
    faults = Faults()
    file = one_file(path, ".json", ".json.gz")
    recording, states = _sifted(loaded(file), read_autodroid, faults, file)
    words: dict[str, tuple[str, tuple[str, ...]]] = {}
    for number, (name, state) in enumerate(states.items(), 1):
        said = faults.tried("states", number, lambda state=state: _words(state))  # type: ignore[misc]
        if said is not None:
            words[name] = said
    return _imported("autodroid", recording, faults, words=words)


def _words(state: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    summary = str(state.get("summary") or "")
    tasks = [str(t) for t in state.get("element_desc") or () if t]
    return _bare(summary), tuple(dict.fromkeys(_bare(t) for t in tasks if _bare(t) != _bare(summary)))


def _bare(text: str) -> str:
    """Take off what the format puts before every text."""
    head, colon, rest = text.partition(":")
    return (rest if colon and head.strip().casefold() in ("func", "task", "function") else text).strip()


def import_trailblaze(path: Path) -> Imported:
    """Read a trail map: waypoints with their descriptions, example looks where there are some, shortcuts."""
    if not (path / "waypoints").is_dir():
        raise UsageError(f"{str(path)!r} is no trail map: it has no folder 'waypoints'")
    faults = Faults()
    words: dict[str, tuple[str, tuple[str, ...]]] = {}
    for file in sorted((path / "waypoints").rglob("*.waypoint.yaml")):
        row = faults.tried(file, 0, lambda file=file: _waypoint(file))  # type: ignore[misc]
        if row is not None:
            words[row[0]] = (row[1], ())
    recording = read_trailblaze(path)
    notes = [n for n in recording.notes if ".shortcut.yaml" not in n]
    # A waypoint without a look is a page all the same: it is described, and shortcuts lead to it.
    blind = {n: Screen() for n in words if n not in recording.screens}
    moves = shortcuts(path, blind | recording.screens, notes)
    whole = replace(recording, moves=tuple(moves), notes=tuple(notes))
    found = _imported("trailblaze", whole, faults, words=words)
    unseen = tuple(Page(n, _last(n), summary=words[n][0]) for n in blind)
    return replace(found, pages=found.pages + unseen)


def _waypoint(file: Path) -> tuple[str, str]:
    try:
        row = _named(yaml.safe_load(file.read_text(encoding="utf-8")), "id")
    except yaml.YAMLError as e:
        raise ValueError(f"not YAML: {e}") from e
    return row["id"], str(row.get("description") or "")


def _last(name: str) -> str:
    return name.rsplit("/", 1)[-1].replace("_", " ")


def _sifted(
    data: Any, read: Callable[[dict[str, Any]], Recording], faults: Faults, file: Path
) -> tuple[Recording, dict[str, Any]]:
    """Read what can be read, each state and move on its own where need be; also return the states that were.

    Raises UsageError where no state is left.
    """
    states = data.get("states") if isinstance(data, dict) else None
    if not isinstance(states, dict):
        raise UsageError(f"{str(file)!r} holds no recorded states")
    rows = data.get("transitions")
    whole = {"screen": [1080, 1920], **data, "transitions": rows if isinstance(rows, list) else []}
    recording = Faults().tried(file, 0, lambda: read(whole)) if states else None
    if recording is not None:
        return recording, states
    good: dict[str, Any] = {}
    for number, (name, state) in enumerate(states.items(), 1):
        one = {**whole, "states": {name: state}, "transitions": [], "start": name}
        if faults.tried("states", number, lambda one=one: read(one)) is not None:  # type: ignore[misc]
            good[name] = state
    if not good:
        raise UsageError(f"{str(file)!r} holds no state that can be read")
    moves = []
    for number, row in enumerate(whole["transitions"], 1):
        ends = {n: good[n] for n in _ends(row) if n in good}
        one = {**whole, "states": ends or dict(list(good.items())[:1]), "transitions": [row], "start": ""}
        seen = faults.tried("transitions", number, lambda one=one: read(one))  # type: ignore[misc]
        if seen is not None and seen.notes:
            faults.add("transitions", number, seen.notes[0])
        elif seen is not None:
            moves.append(row)
    return read({**whole, "states": good, "transitions": moves, "start": ""}), good


def _ends(row: Any) -> list[str]:
    return [str(row.get(k)) for k in ("s", "t")] if isinstance(row, dict) else []


def _imported(
    format: str,
    recording: Recording,
    faults: Faults,
    *,
    words: dict[str, tuple[str, tuple[str, ...]]] | None = None,
    same_pages: bool = True,
) -> Imported:
    told = words or {}
    pages = tuple(
        Page(
            id=name,
            name=_last(name) if format == "trailblaze" else "",
            screens=(screen,),
            summary=told.get(name, ("", ()))[0],
            intents=told.get(name, ("", ()))[1],
            pictures=(recording.pictures.get(name),),
        )
        for name, screen in recording.screens.items()
    )
    ways = tuple(Way(m.source, m.action, m.target) for m in recording.moves)
    left = tuple(Fault(format, 0, note) for note in recording.notes)
    return Imported(
        format, recording.app, recording.start, pages, ways, (*faults.found, *left), same_pages=same_pages
    )
