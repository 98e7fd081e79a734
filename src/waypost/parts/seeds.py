"""Maps that come with the package: a name in, maps in the user's folder out; and a map packed as one."""

import io
import json
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from waypost.errors import MapError, UsageError
from waypost.parts.folders import known_maps, map_folder

__all__ = ["Seed", "install", "pack", "seeds"]

_WIDTH = 270
"""Pixels of a packed picture."""
_COLORS = 16
_KEPT = ("map.sqlite", "records.jsonl", "meta.json", "pages.yaml")
"""What a packed map holds beside its pictures; the rest is a cache."""


@dataclass(frozen=True, slots=True)
class Seed:
    """A map that can be had from the package itself."""

    name: str
    about: str
    pages: int
    bytes: int


def seeds() -> list[Seed]:
    """List what comes with the package."""
    index = json.loads((_folder() / "index.json").read_text(encoding="utf-8"))
    return [Seed(name, row["about"], row["pages"], _size(name)) for name, row in sorted(index.items())]


def install(name: str, *, again: bool = False) -> list[Path]:
    """Put a map into the user's folder; a name before a dash stands for all that begin so.

    A map that is there already is left alone, unless `again`. Raises UsageError.
    """
    known = [s.name for s in seeds()]
    wanted = [n for n in known if n == name or n.startswith(f"{name}-")]
    if not wanted:
        raise UsageError(f"No map {name!r} comes with the package; there are: {', '.join(known)}")
    there = [n for n in wanted if n in known_maps()]
    if there and not again:
        raise UsageError(f"There is a map {there[0]!r} already; --again puts the package's in its place")
    return [_unpacked(n, map_folder(n)) for n in wanted]


def pack(folder: Path) -> bytes:
    """Return a map as it is shipped: pictures small and in few colours, caches left out. Raises MapError."""
    if not (folder / "map.sqlite").is_file():
        raise MapError(f"No map in {str(folder)!r}")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name in _KEPT:
            if name == "map.sqlite":
                _put(packed, name, _whole(folder / name))
            elif (folder / name).is_file():
                _put(packed, name, (folder / name).read_bytes())
        for path in sorted((folder / "screens").glob("*.png")):
            _put(packed, f"screens/{path.name}", _small(path.read_bytes()))
    return out.getvalue()


def _put(packed: zipfile.ZipFile, name: str, data: bytes) -> None:
    # The same map always makes the same file: no clock enters.
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
    packed.writestr(entry, data)


def _whole(path: Path) -> bytes:
    """Return a database as one file, what stands in its journal included."""
    with tempfile.TemporaryDirectory() as aside:
        copy = Path(aside) / "map.sqlite"
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
            target.execute("VACUUM")
        return copy.read_bytes()


def _small(png: bytes) -> bytes:
    """Return a picture that is known by its old name still, at a fraction of its size."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        height = max(1, round(picture.height * _WIDTH / picture.width))
        out = io.BytesIO()
        picture.convert("RGB").resize((_WIDTH, height)).quantize(_COLORS).save(out, "PNG", optimize=True)
    return out.getvalue()


def _unpacked(name: str, folder: Path) -> Path:
    """Unpack aside and move into place: a map is there whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as aside:
        with zipfile.ZipFile(io.BytesIO((_folder() / f"{name}.zip").read_bytes())) as packed:
            packed.extractall(Path(aside) / "new")
        if folder.exists():
            folder.rename(Path(aside) / "old")
        (Path(aside) / "new").rename(folder)
    return folder


def _size(name: str) -> int:
    return (_folder() / f"{name}.zip").stat().st_size


def _folder() -> Path:
    return Path(str(files("waypost.parts"))) / "seed_maps"
