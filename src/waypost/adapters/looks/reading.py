"""A folder in, the looks that lie in it out, by the names of their files."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from waypost.adapters.bounded import opened_picture
from waypost.adapters.trees import Dialect, Parsed, parse
from waypost.errors import TreeError, UsageError
from waypost.model import Screen, TreeQuality

__all__ = ["Looks", "read_looks"]

_SIZES = ("size", "screen", "viewport", "device", "width")
LABELS = ("labels.json", "labels.yaml", "labels.yml")


@dataclass(frozen=True, slots=True)
class Looks:
    """Looks by name, the stem of the file that each was read from."""

    screens: dict[str, Screen]
    app: str
    """Package or origin that most looks have."""
    pictures: dict[str, Path] = field(default_factory=dict)
    """Screenshot files, where there are some."""
    labels: dict[str, str | None] | None = None
    """The page of each look, None for what is no page of the app; None where nobody said."""
    causes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What makes a look differ from others of its page: `scroll`, `keyboard`, `theme` and so on."""
    faults: dict[str, str] = field(default_factory=dict)
    """Files that could not be read, and why."""


def read_looks(folder: Path) -> Looks:
    """Read every `*.json` of a folder. Files that cannot be read are `faults`; UsageError where none can.

    Sizes that no look states are taken from pictures as wide as the tree, and from the other looks: a
    dialog's window is smaller than the screen.
    """
    if not folder.is_dir():
        raise UsageError(f"There is no folder {str(folder)!r}")
    faults: dict[str, str] = {}
    rows: dict[str, Mapping[str, Any]] = {}
    for path in sorted(folder.glob("*.json")):
        if path.name not in LABELS:
            _read(path, rows, faults)
    found: dict[str, Parsed] = {}
    for name, row in rows.items():
        try:
            found[name] = parse(row)
        except TreeError as e:
            faults[f"{name}.json"] = str(e)
    if not found:
        why = "; ".join(f"{n}: {w}" for n, w in list(faults.items())[:3]) or "it holds no .json file"
        raise UsageError(f"No look can be read in {str(folder)!r}: {why}")
    pictures = {n: p for n in found if (p := _picture(folder, rows[n])) is not None}
    screens = {
        n: _screen(rows[n], found[n] if found[n].screen.size == size else parse(rows[n], size=size))
        for n, size in _sizes(found, rows, pictures).items()
    }
    labels, causes = _labels(folder, screens)
    return Looks(screens, _main(screens, labels), pictures, labels, causes, faults)


def _read(path: Path, rows: dict[str, Mapping[str, Any]], faults: dict[str, str]) -> None:
    try:
        data = json.loads(path.read_bytes())
    except OSError as e:
        faults[path.name] = e.strerror or str(e)
        return
    except (ValueError, RecursionError) as e:
        faults[path.name] = f"is not JSON: {str(e)[:80]}"
        return
    if isinstance(data, Mapping):
        rows[path.stem] = data
    elif isinstance(data, list) and data and isinstance(data[0], Mapping):
        rows[path.stem] = {"root": data}
    else:
        faults[path.name] = f"holds a {type(data).__name__}, where a look is an object"


def _picture(folder: Path, row: Mapping[str, Any]) -> Path | None:
    """Return the screenshot that a look names; only a file of the folder."""
    name = row.get("screenshot")
    if not isinstance(name, str) or not name or len(name) > 500:
        return None
    path = folder / name
    inside = folder.resolve() in path.resolve().parents
    return path if inside and path.is_file() else None


def _sizes(
    found: dict[str, Parsed], rows: Mapping[str, Mapping[str, Any]], pictures: Mapping[str, Path]
) -> dict[str, tuple[int, int]]:
    """Return the size of each look's screen: its own word, else that of most looks where it fits into it."""
    told = {n: _told(p, rows[n], pictures.get(n)) for n, p in found.items()}
    whole = {n: told[n] or p.screen.size for n, p in found.items()}
    seen = [whole[n] for n, p in found.items() if p.screen.quality is not TreeQuality.NONE]
    counts = Counter(seen or whole.values())
    common = max(sorted(counts), key=lambda s: counts[s])
    return {
        n: common if told[n] is None and size[0] <= common[0] and size[1] <= common[1] else size
        for n, size in whole.items()
    }


def _told(parsed: Parsed, row: Mapping[str, Any], picture: Path | None) -> tuple[int, int] | None:
    """Return a look's own size where it is known: as it says, or of a picture that is as wide as its tree."""
    if parsed.dialect is not Dialect.NEUTRAL or any(k in row for k in _SIZES):
        return parsed.screen.size
    if picture is None:
        return None
    from PIL import UnidentifiedImageError

    try:
        with opened_picture(picture) as image:
            size = image.size
    except (OSError, UnidentifiedImageError, ValueError):
        return None
    bare = parsed.screen.quality is TreeQuality.NONE
    return size if bare or size[0] == parsed.screen.size[0] else None


def _screen(row: Mapping[str, Any], parsed: Parsed) -> Screen:
    """Add what a look says beside its tree."""
    screen = parsed.screen
    title, overlay = row.get("title"), row.get("overlay")
    quality = next((q for q in TreeQuality if q.value == row.get("quality")), screen.quality)
    return replace(
        screen,
        title=title if isinstance(title, str) else screen.title,
        overlay=overlay if isinstance(overlay, str) else screen.overlay,
        keyboard=screen.keyboard or row.get("keyboard") is True,
        quality=quality,
    )


def _labels(
    folder: Path, screens: Mapping[str, Screen]
) -> tuple[dict[str, str | None] | None, dict[str, tuple[str, ...]]]:
    """Read the manifest: looks to pages, plainly, or under `labels` with `causes` beside it."""
    path = next((folder / n for n in LABELS if (folder / n).is_file()), None)
    if path is None:
        return None, {}
    try:
        # JSON is YAML, but for the tabs that it may be indented by.
        text = path.read_text(encoding="utf-8")
        data = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except (OSError, ValueError, yaml.YAMLError) as e:
        raise UsageError(f"Cannot read the labels {str(path)!r}: {str(e)[:120]}") from e
    if not isinstance(data, dict):
        raise UsageError(f"{str(path)!r} wants a mapping of looks to pages")
    held = data.get("labels")
    given = held if isinstance(held, dict) else data
    causes = data.get("causes") if isinstance(held, dict) else None
    pages = {str(k).removesuffix(".json"): v if v is None else str(v) for k, v in given.items()}
    if unknown := sorted(pages.keys() - screens.keys()):
        raise UsageError(f"{str(path)!r} labels {unknown[0]!r}, and there is no such look")
    return pages, {str(k): _several(v) for k, v in (causes or {}).items()}


def _several(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


def _main(screens: Mapping[str, Screen], labels: Mapping[str, str | None] | None) -> str:
    """Return the app that most looks are of, of the labelled ones where some are labelled."""
    pages = [s.app for n, s in screens.items() if labels and labels.get(n)]
    counts = Counter(a for a in pages or (s.app for s in screens.values()) if a)
    return max(sorted(counts), key=lambda a: counts[a], default="")
