"""Check a file of weights before it is used: path and checksum in, its bytes or a ModelError out."""

import hashlib
from pathlib import Path

from waypost.errors import ModelError

__all__ = ["check"]


def check(path: Path, sha256: str, package: str) -> bytes:
    """Return what `path` holds; raises ModelError unless it is what this version was measured with."""
    try:
        held = path.read_bytes()
    except OSError as e:
        raise ModelError(f"Cannot read the weights {str(path)!r}; reinstall {package}") from e
    found = hashlib.sha256(held).hexdigest()
    if found != sha256:
        raise ModelError(
            f"The weights {str(path)!r} are not the ones that were measured "
            f"(sha256 {found[:12]}..., wanted {sha256[:12]}...); reinstall {package}"
        )
    return held
