"""Screenshots in any store that fsspec knows: an address in; pictures by their hash kept there, and read."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from waypost.errors import UsageError

__all__ = ["FsspecPictures"]

R = TypeVar("R")


class FsspecPictures:
    """One object a picture under `address` (`s3://BUCKET/FOLDER`, `gs://...`, `memory://...`).

    Keys and endpoints come from where that store's own tools look for them (`AWS_ENDPOINT_URL`, profiles).
    Whatever a store raises arrives as OSError.
    """

    def __init__(self, address: str) -> None:
        """Raises UsageError for an address that is none, or whose package is not installed."""
        try:
            from fsspec.core import url_to_fs
        except ImportError as e:
            raise UsageError('Pictures in a store need fsspec: pip install "waypost[pictures]"') from e
        try:
            # Others write there as well: what was listed once is no answer later.
            fs, root = url_to_fs(address, use_listings_cache=False, skip_instance_cache=True)
        except (ImportError, ValueError) as e:
            raise UsageError(f"{address!r} is no store that can be used here: {e}") from e
        self._fs: Any = fs
        self._address, self._root = address.rstrip("/"), root.rstrip("/")

    def read(self, image_hash: str) -> bytes:
        if not image_hash:
            return b""
        try:
            return bytes(self._done(lambda: self._fs.cat_file(self._path(image_hash))))
        except FileNotFoundError:
            return b""

    def keep(self, image_hash: str, png: bytes) -> None:
        path = self._path(image_hash)
        if self._size(path) != len(png):  # Not there, or cut off where a store does not write as a whole.
            self._done(lambda: self._fs.makedirs(self._root, exist_ok=True))
            self._done(lambda: self._fs.pipe_file(path, png))

    def names(self) -> Iterator[str]:
        try:
            found = self._done(lambda: self._fs.ls(self._root, detail=False))
        except FileNotFoundError:
            return iter(())
        files = (path.rpartition("/")[2] for path in found)
        return iter(sorted(name.removesuffix(".png") for name in files if name.endswith(".png")))

    def place(self, image_hash: str) -> str:
        return f"{self._address}/{image_hash}.png"

    def _path(self, image_hash: str) -> str:
        return f"{self._root}/{image_hash}.png"

    def _size(self, path: str) -> int | None:
        try:
            size = self._done(lambda: self._fs.info(path))["size"]
        except FileNotFoundError:
            return None
        return None if size is None else int(size)

    def _done(self, work: Callable[[], R]) -> R:
        try:
            return work()
        except OSError:
            raise
        except Exception as e:  # Every store has errors of its own, known to its package alone.
            raise OSError(f"{self._address!r} does not answer: {e}") from e
