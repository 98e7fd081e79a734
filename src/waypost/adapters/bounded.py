"""Files of strangers read within bounds: a path, packed bytes or a picture in, the same or a refusal out."""

import warnings
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from waypost.errors import UsageError

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["MOST", "PIXELS", "check_source", "gunzipped", "no_bomb", "opened_picture", "plain_xml"]

MOST = 256 * 2**20
"""Bytes of one file that is read as a whole, unpacked."""
PIXELS = 50_000_000
"""Of one screenshot; the largest screens of today show a third of it."""
_RATIO = 200
"""Times that a package may grow when it is unpacked, from `MOST` on."""


def check_source(path: Path) -> None:
    """Refuse a source whose links lead out of it, or with a file too large to read. Raises UsageError.

    Importers read files whole, by names that the source gives.
    """
    inside = path.resolve()
    for file in (path, *(path.rglob("*") if path.is_dir() else ())):
        if file != path and not file.resolve().is_relative_to(inside):
            raise UsageError(f"{str(file)!r} leads out of {str(path)!r}; leave it out, or put a copy there")
        if file.is_file() and file.stat().st_size > MOST:
            raise UsageError(
                f"{str(file)!r} is larger than {MOST // 2**20} MB: that is no recording of an app"
            )


def gunzipped(raw: bytes, most: int = MOST) -> bytes:
    """Unpack gzip. ValueError where it grows beyond `most`; zlib.error where it is none."""
    unpack = zlib.decompressobj(wbits=31)
    data = unpack.decompress(raw, most)
    if unpack.unconsumed_tail:
        raise ValueError(f"it unpacks to more than {most // 2**20} MB")
    if not unpack.eof:
        raise EOFError("it ends in the middle")
    return data


def plain_xml(text: str) -> str:
    """Return XML that declares no entities of its own. ValueError for any other."""
    head = text[:4096].upper()
    if "<!DOCTYPE" in head or "<!ENTITY" in text.upper():
        raise ValueError("it declares entities, which no dump of a screen does")
    return text


def opened_picture(path: Path) -> "Image":
    """Open a picture without reading its pixels yet. ValueError where it would be too large."""
    from PIL import Image

    with warnings.catch_warnings():
        # Its own limit warns first and refuses at twice as much; ours is one, and refuses.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            picture = Image.open(path)
        except Image.DecompressionBombError as e:
            raise ValueError(f"{path.name!r} has more pixels than any screen") from e
    if picture.width * picture.height > PIXELS:
        picture.close()
        raise ValueError(f"{path.name!r} has {picture.width} x {picture.height} pixels")
    return picture


def no_bomb(path: Path) -> None:
    """Refuse a package that unpacks to far more than it is. Raises UsageError."""
    try:
        with zipfile.ZipFile(path) as packed:
            whole = sum(entry.file_size for entry in packed.infolist())
    except (OSError, zipfile.BadZipFile, ValueError) as e:
        raise UsageError(f"{str(path)!r} is no package ({e}); give an APK file") from e
    if whole > MOST and whole > _RATIO * path.stat().st_size:
        raise UsageError(f"{str(path)!r} unpacks to {whole // 2**20} MB: that is no package of an app")
