"""What comes of somebody else's map: pages, ways, and what of it could not be used, by file and line."""

import json
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from waypost.adapters.bounded import gunzipped
from waypost.errors import UsageError, WaypostError
from waypost.model import Action, Bounds, Element, PageKind, Role, Screen, TreeQuality

__all__ = ["Fault", "Faults", "Imported", "Page", "Way", "in_rows", "loaded", "one_file"]


T = TypeVar("T")
_BROKEN = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    OSError,
    RecursionError,
    SyntaxError,
)
"""What reading a broken value raises; the last is that of the standard XML parser."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that was left out."""

    file: str
    line: int
    """Counted from 1; 0 where the fault is the whole file's."""
    why: str


@dataclass(frozen=True, slots=True)
class Page:
    id: str
    name: str = ""
    screens: tuple[Screen, ...] = ()
    """Looks at it; none where the format keeps none."""
    summary: str = ""
    intents: tuple[str, ...] = ()
    kind: PageKind = PageKind.PAGE
    pictures: tuple[Path | None, ...] = ()
    """Screenshot of each look, where there is one."""


@dataclass(frozen=True, slots=True)
class Way:
    source: str
    action: Action
    target: str


@dataclass(frozen=True, slots=True)
class Imported:
    format: str
    app: str
    root: str
    """Id of the first page; empty where the source does not say, and nothing tells."""
    pages: tuple[Page, ...]
    ways: tuple[Way, ...] = ()
    faults: tuple[Fault, ...] = ()
    same_pages: bool = True
    """The source tells pages apart; otherwise its states are looks, of which several may be one page."""
    version: str = ""


@dataclass
class Faults:
    """Collects the faults of one source, and turns errors in a piece of it into one."""

    found: list[Fault] = field(default_factory=list)

    def add(self, file: Path | str, line: int, why: str) -> None:
        name = file.name if isinstance(file, Path) else file
        self.found.append(Fault(name, line, " ".join(why.split())[:300]))

    def tried(self, file: Path | str, line: int, read: Callable[[], T]) -> T | None:
        """Return what `read` gives; where it fails over what it reads, take that down and return None."""
        try:
            return read()
        except _BROKEN as e:
            self.add(file, line, f"has no {e}" if isinstance(e, KeyError) else f"{type(e).__name__}: {e}")
        except WaypostError as e:
            self.add(file, line, str(e))
        return None


def loaded(path: Path) -> Any:
    """Read a JSON file, compressed or not. Raises UsageError that names it."""
    try:
        raw = path.read_bytes()
        return json.loads(gunzipped(raw) if raw[:2] == b"\x1f\x8b" else raw)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as e:
        raise UsageError(f"Cannot read {str(path)!r} as JSON: {e}") from e


def one_file(path: Path, *endings: str) -> Path:
    """Return a file that was named, or the only one with such an ending in the folder. Raises UsageError."""
    if path.is_file():
        return path
    if not path.is_dir():
        raise UsageError(f"There is nothing at {str(path)!r} to import")
    files = sorted(f for f in path.iterdir() if f.name.endswith(endings))
    if len(files) != 1:
        found = ", ".join(f.name for f in files) or f"no {' or '.join(endings)}"
        raise UsageError(f"{str(path)!r} holds {found}; name one file")
    return files[0]


def in_rows(elements: Iterable[Element], app: str, *, size: tuple[int, int] = (1080, 2400)) -> Screen:
    """Lay elements that have no places out in rows: their order is all that is known."""
    shown = list(elements)
    height = max(1, (size[1] - 80) // max(12, len(shown)))
    placed = tuple(
        replace(e, bounds=Bounds(0, 80 + n * height, size[0], 80 + (n + 1) * height))
        for n, e in enumerate(shown)
    )
    root = Element(Role.GROUP, bounds=Bounds(0, 0, *size), children=placed)
    return Screen(root, app, size=size, quality=TreeQuality.FULL if placed else TreeQuality.NONE)
