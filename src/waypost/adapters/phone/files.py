"""The phone's files, all in memory: paths in, bytes out. Nothing here ever touches the host's disk."""

import posixpath
import stat
import threading
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Entry", "FileError", "Files"]

SPACE = 256 * 1024 * 1024
"""Bytes that all files together may hold."""
_WRITABLE = ("/sdcard", "/data/local/tmp")
_LINKS = {
    "/storage/emulated/0": "/sdcard",
    "/storage/self/primary": "/sdcard",
    "/mnt/sdcard": "/sdcard",
    "/tmp": "/data/local/tmp",
}
_FOLDERS = (
    "/",
    "/data",
    "/data/local",
    "/data/local/tmp",
    "/dev",
    "/sdcard",
    "/sdcard/Android",
    "/sdcard/DCIM",
    "/sdcard/Download",
    "/sdcard/Pictures",
    "/storage",
    "/storage/emulated",
    "/system",
    "/system/bin",
)


class FileError(Exception):
    """A file operation failed; the message is what Android says."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a file or folder without its content."""

    name: str
    mode: int
    size: int
    changed: int
    """Seconds since the epoch."""

    @property
    def folder(self) -> bool:
        return stat.S_ISDIR(self.mode)


@dataclass(slots=True)
class _File:
    data: bytes
    mode: int
    changed: int


class Files:
    """A small file system: `/sdcard` and `/data/local/tmp` can be written, the rest only seen."""

    def __init__(self, clock: Callable[[], float], programs: tuple[str, ...] = ()) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._made = int(clock())
        self._folders = dict.fromkeys(_FOLDERS, self._made)
        self._files = {f"/system/bin/{p}": _File(b"", 0o755, self._made) for p in programs}
        self._fixed = frozenset(self._files)

    def resolve(self, path: str, folder: str = "/") -> str:
        """Return the plain absolute path that a path names.

        >>> Files(lambda: 0.0).resolve("../storage/emulated/0/a.xml", "/data")
        '/sdcard/a.xml'
        """
        full = posixpath.normpath(posixpath.join(folder, path))
        full = "/" + full.lstrip("/")
        for link, real in _LINKS.items():
            if full == link or full.startswith(link + "/"):
                return real + full[len(link) :]
        return full

    def stat(self, path: str) -> Entry | None:
        """Say what lies at a path; None where there is nothing."""
        path = self.resolve(path)
        with self._lock:
            if path in self._folders:
                return Entry(posixpath.basename(path), stat.S_IFDIR | 0o771, 4096, self._folders[path])
            found = self._files.get(path)
            if found is None:
                return None
            return Entry(posixpath.basename(path), stat.S_IFREG | found.mode, len(found.data), found.changed)

    def list(self, path: str) -> list[Entry]:
        """Name what a folder holds, sorted. Raises FileError."""
        path = self.resolve(path)
        with self._lock:
            if path not in self._folders:
                raise FileError("Not a directory" if path in self._files else "No such file or directory")
            inside = [p for p in (*self._folders, *self._files) if p != "/" and posixpath.dirname(p) == path]
            found = [self.stat(p) for p in sorted(inside)]
        return [e for e in found if e is not None]

    def read(self, path: str) -> bytes:
        """Return a file's content. Raises FileError."""
        path = self.resolve(path)
        with self._lock:
            if path in self._folders:
                raise FileError("Is a directory")
            if path not in self._files:
                raise FileError("No such file or directory")
            return self._files[path].data

    def write(self, path: str, data: bytes, *, mode: int = 0o660, changed: int | None = None) -> None:
        """Put content into a file, making it where it is not. Raises FileError."""
        path = self.resolve(path)
        with self._lock:
            if path in self._folders:
                raise FileError("Is a directory")
            self._check(path)
            if posixpath.dirname(path) not in self._folders:
                raise FileError("No such file or directory")
            before = len(self._files[path].data) if path in self._files else 0
            if sum(len(f.data) for f in self._files.values()) - before + len(data) > SPACE:
                raise FileError("No space left on device")
            at = int(self._clock()) if changed is None else changed
            self._files[path] = _File(data, mode & 0o777, at)

    def make_folder(self, path: str, *, parents: bool = False) -> None:
        """Make a folder. Raises FileError."""
        path = self.resolve(path)
        with self._lock:
            if path in self._files or (path in self._folders and not parents):
                raise FileError("File exists")
            if path in self._folders:
                return
            self._check(path)
            above = posixpath.dirname(path)
            if above not in self._folders:
                if not parents:
                    raise FileError("No such file or directory")
                self.make_folder(above, parents=True)
            self._folders[path] = int(self._clock())

    def remove(self, path: str, *, folders: bool = False) -> None:
        """Remove a file, or with `folders` a folder and all in it. Raises FileError."""
        path = self.resolve(path)
        with self._lock:
            if path in self._files:
                self._check(path)
                del self._files[path]
                return
            if path not in self._folders:
                raise FileError("No such file or directory")
            if not folders:
                raise FileError("is a directory")
            self._check(path)
            if path in _FOLDERS:
                raise FileError("Permission denied")
            under = path + "/"
            for name in [f for f in self._files if f.startswith(under)]:
                del self._files[name]
            for name in [f for f in self._folders if f == path or f.startswith(under)]:
                del self._folders[name]

    def _check(self, path: str) -> None:
        if path in self._fixed or not any(path == w or path.startswith(w + "/") for w in _WRITABLE):
            raise FileError("Read-only file system" if path.startswith("/system") else "Permission denied")
