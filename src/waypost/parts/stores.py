"""A map's folder in, its open store out, wherever its tables and its pictures lie."""

import json
from contextlib import closing
from pathlib import Path

from waypost.errors import MapError, UsageError
from waypost.mapping import MapStore
from waypost.mapping.pictures import FolderPictures, Pictures
from waypost.parts.folders import maps_home, shared_at

__all__ = ["lay_pictures", "made_store", "new_store", "opened_store", "stored"]


def stored(folder: Path) -> bool:
    """Whether there is a map. Raises MapError where a server does not answer."""
    shared = shared_at(folder)
    if shared is None:
        return (folder / "map.sqlite").is_file()
    from waypost.adapters.pgmap import there

    return there(*shared)


def opened_store(folder: Path, *, readonly: bool = False) -> MapStore:
    """Open a map that is there. Raises MapError with the cure, UsageError."""
    shared = shared_at(folder)
    if shared is None:
        return _with_pictures(MapStore.open(folder, readonly=readonly))
    from waypost.parts.shared import open_shared

    return _with_pictures(open_shared(*shared, folder, readonly=readonly))


def made_store(folder: Path, app: str = "", version: str = "", profile: str = "") -> MapStore:
    """Open a map for writing, which is made where there is none. Raises MapError, UsageError."""
    shared = shared_at(folder)
    if shared is None:
        return _with_pictures(MapStore.open_or_create(folder, app, version, profile))
    from waypost.parts.shared import make_shared

    return _with_pictures(make_shared(*shared, folder, app, version, profile))


def new_store(folder: Path, app: str, version: str = "", profile: str = "") -> MapStore:
    """Make a map. Raises MapError where there is one already."""
    if stored(folder):
        raise MapError(f"There is a map {folder.name!r} already; choose another name")
    return made_store(folder, app, version, profile)


def lay_pictures(folder: Path, address: str) -> int:
    """Copy a map's pictures to another store, which they are kept in from now on; return how many.

    An empty address is the map's own folder. What lay where they were stays there. The address is this
    user's note and no part of the map: a map from elsewhere must not say where screenshots are sent.
    """
    with closing(opened_store(folder)) as store:
        target = _pictures(address) if address else FolderPictures(folder / "screens")
        count = 0
        try:
            for name in store.pictures.names():
                target.keep(name, store.pictures.read(name))
                count += 1
        except OSError as e:
            raise MapError(f"The pictures of {folder.name!r} cannot be copied: {e}") from e
        _note(folder, address)
    return count


def _with_pictures(store: MapStore) -> MapStore:
    address = _noted().get(str(store.folder.absolute()), "")
    if address:
        try:
            store.pictures = _pictures(address)
        except UsageError:
            store.close()
            raise
    return store


def _pictures(address: str) -> Pictures:
    from waypost.adapters.fsspec_pictures import FsspecPictures

    return FsspecPictures(address)


def _notes() -> Path:
    return maps_home().parent / "pictures.json"


def _noted() -> dict[str, str]:
    path = _notes()
    try:
        read = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, ValueError) as e:
        raise MapError(f"{str(path)!r} cannot be read ({e}); mend it, or delete it") from e
    return read if isinstance(read, dict) else {}


def _note(folder: Path, address: str) -> None:
    key, path = str(folder.absolute()), _notes()
    notes = {k: v for k, v in _noted().items() if k != key} | ({key: address} if address else {})
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".part")
    aside.write_text(json.dumps(notes, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    aside.replace(path)
