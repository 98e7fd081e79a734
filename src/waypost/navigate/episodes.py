"""Episodes on file: runs of any actor in, a JSON line each out, and back; pictures beside them by content.

`{"format": 1, "device": "pocket:mail", "pictures": {"0": SHA256, "final": SHA256}, "episode": {...}}`;
pictures lie in `FILE.pictures/SHA256.png`. The form of an episode is that of `model.Episode`.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from waypost.errors import UsageError
from waypost.model import Episode, Observation
from waypost.model.codec import decode, encode

__all__ = ["Kept", "Unread", "append_episode", "read_episodes"]

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Kept:
    """An episode as it lay in a file."""

    line: int
    episode: Episode
    device: str = ""
    """Device that it was run on, as the command line writes it; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that is no episode."""

    line: int
    fault: str


def append_episode(path: Path, episode: Episode, *, device: str = "") -> None:
    """Add an episode to a file, its pictures first, so that what the line names is there."""
    pictures = {}
    for at, look in _looks(episode):
        if look.image:
            name = hashlib.sha256(look.image).hexdigest()
            _pictures(path).mkdir(parents=True, exist_ok=True)
            (_pictures(path) / f"{name}.png").write_bytes(look.image)
            pictures[at] = name
    row: dict[str, Any] = {"format": _FORMAT, "device": device, "pictures": pictures}
    row["episode"] = encode(_bare(episode))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_episodes(path: Path) -> Iterator[Kept | Unread]:
    """Read a file line by line; a broken line is told and passed over. Raises UsageError for no file."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, text in enumerate(file, 1):
                if text.strip():
                    try:
                        yield _read(path, number, text)
                    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as e:
                        yield Unread(number, f"{type(e).__name__}: {e}"[:200])
    except OSError as e:
        raise UsageError(f"Cannot read the episodes {str(path)!r}: {e.strerror}") from e


def _read(path: Path, number: int, text: str) -> Kept:
    row = json.loads(text)
    if not isinstance(row, dict) or not isinstance(row.get("episode"), dict):
        raise ValueError("no episode on this line")
    if row.get("format") != _FORMAT:
        raise ValueError(f"format {row.get('format')!r}, and this version of waypost knows {_FORMAT}")
    episode = decode(Episode, row["episode"])
    pictures = {str(k): _png(path, str(v)) for k, v in dict(row.get("pictures") or {}).items()}
    steps = tuple(
        replace(s, observation=replace(s.observation, image=pictures.get(str(n), b"")))
        for n, s in enumerate(episode.steps)
    )
    final = replace(episode.final, image=pictures.get("final", b"")) if episode.final else None
    return Kept(number, replace(episode, steps=steps, final=final), str(row.get("device") or ""))


def _png(path: Path, name: str) -> bytes:
    """Return a picture that a line names; empty where it is gone: the run is worth having without."""
    if len(name) != 64 or not name.isalnum():
        raise ValueError(f"{name[:70]!r} names no picture")
    found = _pictures(path) / f"{name}.png"
    return found.read_bytes() if found.is_file() else b""


def _pictures(path: Path) -> Path:
    return path.with_name(path.name + ".pictures")


def _looks(episode: Episode) -> Iterator[tuple[str, Observation]]:
    for n, step in enumerate(episode.steps):
        yield str(n), step.observation
    if episode.final is not None:
        yield "final", episode.final


def _bare(episode: Episode) -> Episode:
    steps = tuple(replace(s, observation=replace(s.observation, image=b"")) for s in episode.steps)
    return replace(episode, steps=steps, final=replace(episode.final, image=b"") if episode.final else None)
