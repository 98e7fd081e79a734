"""One writer at a time for a folder; the lock dies with its process."""

import fcntl
import os
from pathlib import Path

from waypost.errors import MapError

__all__ = ["Lock"]


class Lock:
    """An advisory lock on `folder/lock`. The kernel lets go of it when the process ends, however it ends."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    @classmethod
    def take(cls, folder: Path) -> "Lock":
        """Take the lock at once. Raises MapError where another process, or another store, holds it."""
        path = folder / "lock"
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as e:
            owner = os.pread(handle, 32, 0).decode(errors="replace").strip()
            os.close(handle)
            who = f"process {owner}" if owner else "another process"
            raise MapError(
                f"The map in {str(folder)!r} is being written by {who}; wait until it is done, or stop it"
            ) from e
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        return cls(handle)

    def release(self) -> None:
        os.ftruncate(self._handle, 0)
        os.close(self._handle)
