"""Maps that other tools made: a file or folder in, an `Imported` out; what is broken is told and skipped."""

from collections.abc import Callable
from pathlib import Path

from waypost.adapters.foreign.colorbench import import_colorbench
from waypost.adapters.foreign.imported import Fault, Imported, Page, Way
from waypost.adapters.foreign.lines import import_jsonl
from waypost.adapters.foreign.minimap import import_minimap
from waypost.adapters.foreign.mobilegpt import import_mobilegpt
from waypost.adapters.foreign.recordings import import_autodroid, import_droidbot, import_trailblaze
from waypost.errors import UsageError

__all__ = ["IMPORTERS", "Fault", "Imported", "Page", "Way"]

_READERS: tuple[tuple[str, Callable[[Path], Imported]], ...] = (
    ("autodroid", import_autodroid),
    ("colorbench", import_colorbench),
    ("droidbot", import_droidbot),
    ("jsonl", import_jsonl),
    ("minimap", import_minimap),
    ("mobilegpt", import_mobilegpt),
    ("trailblaze", import_trailblaze),
)


def _with_pages(read: Callable[[Path], Imported]) -> Callable[[Path], Imported]:
    def checked(path: Path) -> Imported:
        found = read(path)
        if not found.pages:
            why = f"; {found.faults[0].file}: {found.faults[0].why}" if found.faults else ""
            raise UsageError(f"{str(path)!r} holds no page that can be read{why}")
        return found

    return checked


IMPORTERS: dict[str, Callable[[Path], Imported]] = {name: _with_pages(read) for name, read in _READERS}
"""Readers by the name that `waypost import` takes. Each raises UsageError where nothing can be had at all."""
