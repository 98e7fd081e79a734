"""Names in, labelled sets of looks out: folders, the embedded phone's apps, recordings beside a checkout."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from waypost.adapters.looks import read_looks, write_labels, write_look
from waypost.adapters.pocket.faults import Faults
from waypost.adapters.recorded.load import load_recording
from waypost.adapters.trees import parse
from waypost.bench.labelled import LabelledLook, LabelledSet
from waypost.errors import UsageError
from waypost.model import ImageStatus, Observation, Screen
from waypost.parts.tapping import tapped

__all__ = ["Load", "builtin_sets", "folder_sets", "keep"]

Load = Callable[[], LabelledSet]
"""Collects the looks of a set."""
_ROOT = Path(__file__).parents[3]
_APPS = ("mail", "chat", "clock", "music", "settings", "shop")
_FAULTY = "mail"
"""The app that is walked once more with looks whose tree is missing or cut short."""
_RECORDINGS: Mapping[str, tuple[str, ...]] = {
    "calendar_android": ("calendar_android",),
    "a2dp_vol": ("a2dp_vol",),
    "qqmusic": ("qqmusic/qqmusic.json.gz", "qqmusic/qqmusic_run2.json.gz"),
}
_MEMORIES = "autodroid_mit"
"""The folder of AutoDroid's apps, a file each, whose sets are named after them."""
_DUMPS: Mapping[str, str] = {"simple_calendar": "mobilegpt_memory/memory", "android_settings": "xml_shirates"}
"""Folders of single dumps, each known by its place there."""
_NONE = "none"
"""What labels call looks that are no page of the app."""


def builtin_sets(actions: int, seed: int) -> dict[str, Load]:
    """Return what makes each set, by name; recordings only where they lie beside a checkout."""
    sets: dict[str, Load] = {f"pocket-{a}": _pocket(a, actions, seed) for a in _APPS}
    broken = Faults(seed, no_tree=0.05, truncated=0.05)
    sets[f"pocket-{_FAULTY}-faults"] = _pocket(_FAULTY, actions, seed, broken)
    labels = _ROOT / "benchmarks" / "identity_labels.yaml"
    shared = Path(os.environ.get("WAYPOST_SHARED", _ROOT.parent / "shared")) / "data"
    if labels.is_file():
        told = yaml.safe_load(labels.read_text(encoding="utf-8"))
        memories = {n: (_memory(n),) for n in told if n.startswith("autodroid-")}
        for name, files in {**_RECORDINGS, **memories}.items():
            if all((shared / f).exists() for f in files):
                sets[name] = _recording(name, [shared / f for f in files], told)
        for name, folder in _DUMPS.items():
            if (shared / folder).is_dir():
                sets[name] = _dumps(name, shared / folder, told)
    return sets


def _memory(name: str) -> str:
    return f"{_MEMORIES}/{name.removeprefix('autodroid-')}.json.gz"


def _pocket(app: str, actions: int, seed: int, faults: Faults | None = None) -> Load:
    def load() -> LabelledSet:
        rows = enumerate(tapped(app, actions, seed, faults=faults))
        looks = tuple(
            LabelledLook(f"{n:04d}", r.seen.screen, r.page, r.seen.image, r.causes) for n, r in rows
        )
        package = next(k.screen.app for k in looks if k.page is not None)
        return LabelledSet(f"pocket-{app}{'-faults' if faults else ''}", package, looks)

    return load


def _recording(name: str, files: list[Path], told: Mapping[str, Any]) -> Load:
    def load() -> LabelledSet:
        recordings = [load_recording(f) for f in files]
        pages = _pages(name, told)
        found: dict[str, LabelledLook] = {}
        for recording in recordings:
            for full, screen in recording.screens.items():
                look = full.rsplit("/", 1)[-1]
                # A look of the app that is not listed is a page of its own.
                page = pages.get(look, look if screen.app == recording.app else _NONE)
                picture = recording.pictures.get(full, b"")
                found.setdefault(look, _look(name, look, screen, page, picture, told))
        return LabelledSet(name, recordings[0].app, tuple(found.values()))

    return load


def _dumps(name: str, folder: Path, told: Mapping[str, Any]) -> Load:
    def load() -> LabelledSet:
        looks = []
        for file, page in sorted(_pages(name, told).items()):
            path = folder / file
            screen = parse(path.read_text(encoding="utf-8")).screen
            beside = path.parent.parent / "screenshots" / f"{path.stem}.jpg"
            shown = next((p for p in (beside, path.parent / "screenshot.jpg") if p.is_file()), b"")
            looks.append(_look(name, file, screen, page, shown, told))
        app = Counter(k.screen.app for k in looks).most_common(1)[0][0]
        return LabelledSet(name, app, tuple(replace(k, name=k.name.replace("/", "-")) for k in looks))

    return load


def _pages(name: str, told: Mapping[str, Any]) -> dict[str, str]:
    """Return the labels of a set, by look."""
    return {str(look): str(page) for page, looks in told[name].items() for look in looks}


def _look(
    name: str, look: str, screen: Screen, page: str, picture: bytes | Path, told: Mapping[str, Any]
) -> LabelledLook:
    causes = told.get("causes", {}).get(name, {})
    why = tuple(cause for cause, looks in causes.items() if look in map(str, looks))
    return LabelledLook(look, screen, None if page == _NONE else page, picture, why)


def folder_sets(folder: Path) -> Iterator[tuple[str, Load]]:
    """Yield what makes the set of a labelled folder, or of each folder in it. Raises UsageError."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {str(folder)!r}")
    inner = [p for p in sorted(folder.iterdir()) if p.is_dir() and next(p.glob("*.json"), None)]
    if any(p.name != "labels.json" for p in folder.glob("*.json")) or not inner:
        inner = [folder]
    for path in inner:
        yield path.resolve().name, lambda path=path: _folder(path)  # type: ignore[misc]


def _folder(path: Path) -> LabelledSet:
    looks = read_looks(path)
    if looks.labels is None:
        raise UsageError(f"{str(path)!r} has no labels; write a labels.json: {{look: page or null}}")
    rows = tuple(
        LabelledLook(
            name,
            screen,
            looks.labels[name],
            looks.pictures.get(name, b""),
            looks.causes.get(name, ()),
        )
        for name, screen in looks.screens.items()
        if name in looks.labels
    )
    return LabelledSet(path.resolve().name, looks.app, rows)


def keep(labelled: LabelledSet, folder: Path) -> None:
    """Write a set as a labelled folder, pictures and all."""
    place = folder / labelled.name
    for look in labelled.looks:
        image = look.image()
        status = ImageStatus.SHOWN if image else ImageStatus.NOT_ASKED
        write_look(place, look.name, Observation(look.screen, image, status))
    write_labels(
        place,
        {look.name: look.page for look in labelled.looks},
        {look.name: look.causes for look in labelled.looks if look.causes},
    )
