"""A path in, a `Recording` out: tells the formats of `docs/devices.md` apart by what they hold."""

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from waypost.adapters.recorded.autodroid import read_autodroid
from waypost.adapters.recorded.droidbot import read_droidbot
from waypost.adapters.recorded.recording import Recording
from waypost.adapters.recorded.trailblaze import read_trailblaze
from waypost.errors import TreeError, UsageError

__all__ = ["load_recording"]


def load_recording(path: Path) -> Recording:
    """Read a recording. Raises UsageError that names the file and the fault."""
    if not path.exists():
        raise UsageError(f"There is no recording at {str(path)!r}")
    if path.is_dir():
        if (path / "waypoints").is_dir():
            return read_trailblaze(path)
        files = sorted([*path.glob("*.json.gz"), *path.glob("*.json")])
        if len(files) != 1:
            names = ", ".join(f.name for f in files) or "no .json or .json.gz"
            raise UsageError(f"{str(path)!r} holds {names}; name one file")
        path = files[0]
    data = _json(path)
    states = data.get("states") if isinstance(data, dict) else None
    if not isinstance(states, dict) or not states:
        raise UsageError(f"{str(path)!r} holds no recorded states; formats: see docs/devices.md")
    first = next(iter(states.values()))
    try:
        if isinstance(first, dict) and "views" in first:
            return read_droidbot(data, path.parent)
        if isinstance(first, dict) and "elements" in first:
            return read_autodroid(data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, TreeError) as e:
        raise UsageError(f"{str(path)!r} is not a whole recording: {type(e).__name__}: {e}") from e
    raise UsageError(f"{str(path)!r} is in no known form; formats: see docs/devices.md")


def _json(path: Path) -> Any:
    try:
        raw = path.read_bytes()
        return json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
    except (OSError, EOFError, zlib.error, ValueError) as e:
        raise UsageError(f"Cannot read {str(path)!r} as JSON: {e}") from e
