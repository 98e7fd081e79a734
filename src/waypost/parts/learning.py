"""Episodes of any actor in; a map that has learnt from them, pages and memory, out."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.errors import DeviceError, UsageError
from waypost.library.chunks import lived_chunks, merged, read_chunks, write_chunks
from waypost.mapping import side_state
from waypost.model import Episode, NodeId, Observation, PageChunk
from waypost.navigate.episodes import Kept, Unread, read_episodes
from waypost.parts.devices import parse_device
from waypost.parts.face import Map
from waypost.parts.folders import map_folder
from waypost.parts.origin import Origin, read_origin, write_origin
from waypost.parts.stores import made_store, stored

__all__ = ["Learned", "learned"]


@dataclass(frozen=True, slots=True)
class Learned:
    """What episodes have added to a map."""

    map: str
    app: str
    episodes: int
    """Episodes that were learnt from."""
    passed_over: tuple[tuple[int, str], ...]
    """Lines that were not, and why."""
    pages: int
    new_pages: int
    transitions: int
    new_transitions: int
    records: int
    chunks: int

    def as_json(self) -> dict[str, Any]:
        rows = [{"line": line, "why": why} for line, why in self.passed_over]
        names = ("map", "app", "episodes", "pages", "new_pages", "transitions", "new_transitions")
        return {n: getattr(self, n) for n in (*names, "records", "chunks")} | {"passed_over": rows}


def learned(
    episodes: Path | Sequence[Episode],
    map: str | Path,
    *,
    device: str = "",
    seen: Callable[[int], None] = lambda line: None,
) -> Learned:
    """Fold episodes into a map, which is made where there is none, and write its memory anew.

    Learnt from is whatever was seen; but an episode that did not arrive adds no way to a page that has
    one. `device` is noted for `go`, where the episodes do not say it. Raises UsageError, MapError.
    """
    kept, passed_over = _taken(episodes)
    folder = map_folder(map)
    app = _app(folder, kept)
    store = made_store(folder, app)
    with Map(folder, store) as known:
        pages, ways = len(list(known.graph.pages())), len(known.graph.transitions)
        chunks = read_chunks(folder)
        count = 0
        for row in kept:
            fault = _unfit(row.episode, known.graph.app)
            if fault:
                passed_over.append((row.line, fault))
                continue
            known.mapper.absorb(row.episode)
            known.mapper.commit()
            chunks = _with_chunks(known, chunks, row.episode)
            count += 1
            seen(row.line)
        _note(folder, device or next((r.device for r in kept if r.device), ""))
        write_chunks(folder, chunks)
        if known.graph.root is not None:
            known.name_choosers()
            records = len(known.remember().records)
        else:
            records = 0
        return Learned(
            map=str(map),
            app=known.graph.app,
            episodes=count,
            passed_over=tuple(sorted(passed_over)),
            pages=(now := len(list(known.graph.pages()))),
            new_pages=now - pages,
            transitions=len(known.graph.transitions),
            new_transitions=len(known.graph.transitions) - ways,
            records=records,
            chunks=len(chunks),
        )


def _taken(episodes: Path | Sequence[Episode]) -> tuple[list[Kept], list[tuple[int, str]]]:
    rows = (
        list(read_episodes(episodes))
        if isinstance(episodes, Path)
        else [Kept(n, e) for n, e in enumerate(episodes, 1)]
    )
    kept = [r for r in rows if isinstance(r, Kept)]
    unread = [(r.line, r.fault) for r in rows if isinstance(r, Unread)]
    if not kept:
        told = f"; line {unread[0][0]}: {unread[0][1]}" if unread else ""
        raise UsageError(f"There is no episode to learn from{told}")
    return kept, unread


def _app(folder: Path, kept: Sequence[Kept]) -> str:
    """Return the app that a new map is of: the one that most steps were made in."""
    if stored(folder):
        return ""
    seen = (s.observation.screen for r in kept for s in r.episode.steps)
    counted = Counter(s.app for s in seen if s.app and side_state(s, s.app) is None)
    if not counted:
        raise UsageError("No episode shows which app it is of")
    return min(counted, key=lambda a: (-counted[a], a))


def _unfit(episode: Episode, app: str) -> str:
    """Say why an episode is not learnt from; empty where it is."""
    if not episode.steps:
        return "it has no steps"
    shown = {s.observation.screen.app for s in episode.steps}
    if not any(a == app or a.startswith(f"{app}.") for a in shown):
        return f"it is of {', '.join(sorted(shown)) or 'no app'}, and the map of {app}"
    return ""


def _with_chunks(known: Map, chunks: Sequence[PageChunk], episode: Episode) -> tuple[PageChunk, ...]:
    def locate(look: Observation) -> NodeId | None:
        found = known.mapper.locate(look)
        return found.node if found else None

    lived = [
        chunk
        for chunk, screen in lived_chunks(episode, locate)
        if side_state(screen, known.graph.app) is None
    ]
    return merged(chunks, lived, ended=episode.stop)


def _note(folder: Path, device: str) -> None:
    """Note the device that the episodes were run on, where the map does not know one yet."""
    if device and read_origin(folder).device is None:
        try:
            write_origin(folder, Origin(parse_device(device)))
        except (UsageError, DeviceError) as e:
            raise UsageError(f"The episodes were run on {device!r}, and that is no device: {e}") from e
