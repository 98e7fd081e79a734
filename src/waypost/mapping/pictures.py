"""Screenshots of a map by content: a hash and a PNG in, the PNG for its hash out."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

__all__ = ["FolderPictures", "Pictures"]


class Pictures(Protocol):
    """Where a map's screenshots lie. All of it raises OSError where the place does not answer."""

    def read(self, image_hash: str) -> bytes:
        """Return what is kept under a hash, which may be damaged; empty for nothing."""
        ...

    def keep(self, image_hash: str, png: bytes) -> None:
        """Keep a picture, whole or not at all; one that is there stays."""
        ...

    def names(self) -> Iterator[str]:
        """Return the hashes of what is kept, in order."""
        ...

    def place(self, image_hash: str) -> str:
        """Say where a picture lies, as a person would look for it."""
        ...


class FolderPictures:
    """A PNG a picture in a folder of this machine, which is made when the first one comes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, image_hash: str) -> bytes:
        path = self._path(image_hash)
        return path.read_bytes() if image_hash and path.is_file() else b""

    def keep(self, image_hash: str, png: bytes) -> None:
        path = self._path(image_hash)
        if path.exists():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(f".{os.getpid()}.part")
        try:
            aside.write_bytes(png)
            aside.replace(path)
        except OSError:
            aside.unlink(missing_ok=True)
            raise

    def names(self) -> Iterator[str]:
        return iter(sorted(path.stem for path in self.folder.glob("*.png")))

    def place(self, image_hash: str) -> str:
        return str(self._path(image_hash))

    def _path(self, image_hash: str) -> Path:
        return self.folder / f"{image_hash}.png"
