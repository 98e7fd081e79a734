"""What was recorded: looks by name, and the moves between them that were really made."""

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from waypost.model import Action, AppGraph, Look, PageKind, Screen

__all__ = ["Move", "Recording", "recording_of"]


@dataclass(frozen=True, slots=True)
class Move:
    """An action that was done on a look, and the look that followed."""

    source: str
    action: Action
    """With the recorded bounds in its evidence; coordinates lie inside of them."""
    target: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Recording:
    app: str
    start: str
    """Name of the look that a restart shows."""
    screens: dict[str, Screen]
    moves: tuple[Move, ...] = ()
    pictures: dict[str, Path] = field(default_factory=dict)
    """Screenshot files, where there are some; PNG, JPEG or WebP."""
    notes: tuple[str, ...] = ()
    """What of the source could not be used, and why."""

    def leaving(self, source: str) -> list[Move]:
        """Return the moves away from a look, most often made first."""
        return sorted((m for m in self.moves if m.source == source), key=lambda m: -m.count)


def start_of(screens: dict[str, Screen], moves: tuple[Move, ...], app: str = "") -> str:
    """Pick the look that is nearest to all others (harmonic closeness), where the source names no start.

    Looks of the app itself come first; ties go to the one recorded first.
    """
    leaving: dict[str, set[str]] = defaultdict(set)
    for move in moves:
        leaving[move.source].add(move.target)
    inside = [name for name, screen in screens.items() if not app or app in screen.app] or list(screens)

    def closeness(name: str) -> float:
        seen, ring, steps, total = {name}, {name}, 0, 0.0
        while ring:
            steps += 1
            ring = {t for n in ring for t in leaving[n]} - seen
            seen |= ring
            total += len(ring) / steps
        return total

    return max(inside, key=closeness, default="")


def recording_of(graph: AppGraph) -> Recording:
    """Turn a map into a recording of itself: each page by its founding look."""

    def first(looks: tuple[Look, ...]) -> Screen:
        return looks[0].observation.screen

    screens = {str(n.id): first(n.looks) for n in graph.nodes.values() if n.looks}
    moves = tuple(
        Move(str(t.source), t.action, str(t.target), t.successes)
        for t in graph.transitions.values()
        if str(t.source) in screens and str(t.target) in screens
    )
    pages = [str(n.id) for n in graph.nodes.values() if n.kind is PageKind.PAGE and n.looks]
    start = str(graph.root) if graph.root is not None else (pages[0] if pages else "")
    return Recording(graph.app, start, screens, moves)
