"""MAP as the command line writes it in, a folder out."""

import os
import re
from pathlib import Path

from waypost.errors import UsageError

__all__ = ["known_maps", "map_folder", "maps_home"]


def maps_home() -> Path:
    """Return where named maps are kept: `$XDG_DATA_HOME/waypost/maps`."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "waypost" / "maps"


def map_folder(name: str | Path) -> Path:
    """Turn a map's name or folder into its folder; it need not exist. Raises UsageError.

    >>> map_folder("./somewhere/budget").name
    'budget'
    """
    if isinstance(name, Path) or "/" in name or os.sep in name or name.startswith((".", "~")):
        return Path(name).expanduser()
    if not re.fullmatch(r"[\w][\w .-]*", name):
        raise UsageError(f"{name!r} is no name for a map; use letters, digits, '.', '_' and '-', or a folder")
    return maps_home() / name


def known_maps() -> list[str]:
    """Return the names of the maps in `maps_home()`."""
    return sorted(p.parent.name for p in maps_home().glob("*/map.sqlite"))
