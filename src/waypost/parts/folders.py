"""MAP as the command line writes it in, a folder out.

A map on a PostgreSQL server has a folder here as well, for what is this machine's: corrections, records,
caches. The folder is named by the map's address, so that it says which map it belongs to.
"""

import os
import re
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

from waypost.errors import UsageError

__all__ = ["known_maps", "map_folder", "maps_home", "shared_at"]

_SERVERS = ("postgresql://", "postgres://")
_NAME = r"[a-z_][a-z0-9_]{0,40}"
_LONGEST = 200
"""Characters of a server's address: it is a folder's name, and a file system takes 255 bytes."""


def maps_home() -> Path:
    """Return where named maps are kept: `$XDG_DATA_HOME/waypost/maps`."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "waypost" / "maps"


def map_folder(name: str | Path) -> Path:
    """Turn a map's name, folder or address into its folder; it need not exist. Raises UsageError.

    >>> map_folder("./somewhere/budget").name
    'budget'
    """
    if isinstance(name, str) and name.startswith(_SERVERS):
        return _shared(name)
    if isinstance(name, Path) or "/" in name or os.sep in name or name.startswith((".", "~")):
        return Path(name).expanduser()
    if not re.fullmatch(r"[\w][\w .-]*", name):
        raise UsageError(f"{name!r} is no name for a map; use letters, digits, '.', '_' and '-', or a folder")
    return maps_home() / name


def known_maps() -> list[str]:
    """Return the names of the maps in `maps_home()`."""
    return sorted(p.parent.name for p in maps_home().glob("*/map.sqlite"))


def shared_at(folder: Path) -> tuple[str, str] | None:
    """Return the server and the name of the map that a folder belongs to; None for a map of this machine.

    >>> shared_at(map_folder("postgresql://me@db.example/waypost#mail"))
    ('postgresql://me@db.example/waypost', 'mail')
    """
    folder = folder.absolute()
    return (unquote(folder.parent.name), folder.name) if folder.parent.parent == _shared_home() else None


def _shared(address: str) -> Path:
    server, _, name = address.partition("#")
    if not re.fullmatch(_NAME, name):
        raise UsageError(
            f"{address!r} names no map; write postgresql://USER@HOST/DATABASE#MAP, MAP of small letters, "
            "digits and _"
        )
    parts = urlsplit(server)
    if parts.password or "password" in parse_qs(parts.query):
        # Others on this machine can read what was typed; and it would become the folder's name.
        raise UsageError("Leave the password out of the address: PostgreSQL reads ~/.pgpass and PGPASSWORD")
    said = quote(server, safe="")
    if len(said) > _LONGEST:
        raise UsageError("The address is too long; name its parts in a service (~/.pg_service.conf)")
    return _shared_home() / said / name


def _shared_home() -> Path:
    return maps_home().parent.absolute() / "shared"
