"""MobileGPT's memory of one app (pages, subtasks, recorded actions) in, an imported map out."""

import csv
import json
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from waypost.adapters.bounded import plain_xml
from waypost.adapters.foreign.imported import Faults, Imported, Page, Way, in_rows
from waypost.adapters.roles import role_of
from waypost.errors import UsageError
from waypost.model import Action, Element, Evidence, LongPress, Press, Role, Screen, Swipe, Tap, TypeText

__all__ = ["import_mobilegpt"]

_TAGS = {
    "button": Role.BUTTON,
    "input": Role.FIELD,
    "checker": Role.CHECKBOX,
    "p": Role.TEXT,
    "img": Role.IMAGE,
}


def import_mobilegpt(path: Path) -> Imported:
    """Read one app's folder of a MobileGPT memory: `pages.csv`, `tasks.csv` and `pages/N/actions.csv`.

    The order in which a recorded task came by its pages says which way leads on to which.
    """
    if not (path / "pages.csv").is_file():
        raise UsageError(f"{str(path)!r} is no app of a MobileGPT memory: it has no pages.csv")
    faults = Faults()
    app = path.name
    pages: dict[str, Page] = {}
    elements: dict[str, dict[str, Element]] = {}
    for line, row in _rows(path / "pages.csv", faults):
        read = faults.tried(path / "pages.csv", line, lambda row=row: _page(row, app))  # type: ignore[misc]
        if read is not None:
            pages[read[0].id], elements[read[0].id] = read
    if not pages:
        raise UsageError(f"{str(path)!r} remembers no page")
    actions = {n: _actions(path, n, elements[n], pages[n], faults) for n in pages}
    ways: dict[tuple[str, str, str], Way] = {}
    for line, row in _rows(path / "tasks.csv", faults):
        told = faults.tried(path / "tasks.csv", line, lambda row=row: _steps(row))  # type: ignore[misc]
        for (source, subtasks), (target, _) in pairwise(told or []):
            action = next(
                (actions[source][s] for s in reversed(subtasks) if s in actions.get(source, {})), None
            )
            if action is None or target not in pages:
                faults.add(path / "tasks.csv", line, f"the way from page {source} to {target} is not told")
            else:
                ways[source, str(action), target] = Way(source, action, target)
    root = next(iter(pages))
    return Imported("mobilegpt", app, root, tuple(pages.values()), tuple(ways.values()), tuple(faults.found))


def _rows(path: Path, faults: Faults) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield a table's rows with their line numbers; a missing table has none."""
    if not path.is_file():
        faults.add(path, 0, "is missing")
        return
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        reader = csv.DictReader(file)
        try:
            for row in reader:
                yield reader.line_num, row
        except csv.Error as e:
            faults.add(path, reader.line_num, f"not a table from here on: {e}")


def _page(row: dict[str, str], app: str) -> tuple[Page, dict[str, Element]]:
    subtasks = json.loads(row["available_subtasks"])
    by_index: dict[str, Element] = {}
    shown = list(_elements(ElementTree.fromstring(plain_xml(row["screen"])), by_index))
    screen = in_rows(shown, app)
    placed = dict(zip(by_index, _placed(screen, shown, by_index), strict=True))
    intents = tuple(str(s["description"]) for s in subtasks)
    return Page(str(int(row["index"])), screens=(screen,), intents=intents), placed


def _placed(screen: Screen, shown: list[Element], by_index: dict[str, Element]) -> Iterator[Element]:
    where = {id(e): n for n, e in enumerate(shown)}
    yield from (screen.root.children[where[id(e)]] for e in by_index.values())


def _elements(node: ElementTree.Element, by_index: dict[str, Element]) -> Iterator[Element]:
    said = node.attrib
    text = said.get("text") or (node.text or "").strip()
    if text or said.get("description") or node.tag in _TAGS:
        name = said.get("class", "")
        element = Element(
            _TAGS.get(node.tag, role_of(name)),
            name,
            text,
            said.get("description", ""),
            resource_id=said.get("id", ""),
            clickable=node.tag in ("button", "input", "checker"),
            long_clickable=said.get("long-clickable") == "true",
        )
        by_index[said.get("index", f"#{len(by_index)}")] = element
        yield element
    for child in node:
        yield from _elements(child, by_index)


def _steps(row: dict[str, str]) -> list[tuple[str, list[str]]]:
    return [(str(page), [str(s) for s in subtasks]) for page, subtasks in json.loads(row["path"]).items()]


def _actions(
    path: Path, page: str, elements: dict[str, Element], known: Page, faults: Faults
) -> dict[str, Action]:
    """Return what each subtask of a page does there: its last recorded step that is an action."""
    found: dict[str, Action] = {}
    file = path / "pages" / page / "actions.csv"
    for line, row in _rows(file, faults):
        action = faults.tried(file, line, lambda row=row: _action(json.loads(row["action"]), elements, known))  # type: ignore[misc]
        if action is not None:
            found[row["subtask_name"]] = action
    return found


def _action(row: dict[str, Any], elements: dict[str, Element], known: Page) -> Action | None:
    told = row["parameters"]
    match row["name"]:
        case "finish":
            return None
        case "back":
            return Press("back")
        case "scroll":
            return Swipe()
        case "click" | "long-click" | "input":
            target = _target(told, elements, known)
            if row["name"] == "input":
                return TypeText(str(told.get("input_text", "")), target.bounds.center, target)
            kind = Tap if row["name"] == "click" else LongPress
            return kind(target.bounds.center, target)
    raise ValueError(f"an action of an unknown name: {row['name']!r}")


def _target(told: dict[str, Any], elements: dict[str, Element], known: Page) -> Evidence:
    """Find the element by what it is called; its number belongs to another parse of the screen."""
    called = str(told.get("description") or told.get("text") or "")
    label = called.casefold()
    fits = [e for e in elements.values() if label and e.label.casefold() == label]
    if not fits and str(told.get("index")) in elements:
        fits = [elements[str(told["index"])]]
    if not fits:
        return Evidence(label=called, size=known.screens[0].size)
    e = fits[0]
    return Evidence(e.role, e.label, e.resource_id, e.class_name, bounds=e.bounds, size=known.screens[0].size)
