"""Check a file of weights before it is used: path and checksum in, nothing or a ModelError out."""

import hashlib
from pathlib import Path

from waypost.errors import ModelError

__all__ = ["check"]


def check(path: Path, sha256: str, package: str) -> None:
    """Raise ModelError unless `path` holds the very bytes that this version was measured with."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as e:
        raise ModelError(f"Cannot read the weights {str(path)!r}; reinstall {package}") from e
    if found != sha256:
        raise ModelError(
            f"The weights {str(path)!r} are not the ones that were measured "
            f"(sha256 {found[:12]}..., wanted {sha256[:12]}...); reinstall {package}"
        )
