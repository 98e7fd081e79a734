"""Guidance for an agent with a loop of its own: a map and a wish in, text for its prompt out."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from waypost.errors import UsageError
from waypost.guidance import block
from waypost.mapping import Location
from waypost.model import Observation, Screen
from waypost.parts.acting import GuideMode, guide_for
from waypost.parts.face import Map, open_map

__all__ = ["Guided", "guide"]


class Guided:
    """Says the way to one page from wherever the agent is. Close it, or use it as a context manager.

    `found` is False where the map has no such page: then it says nothing, and the agent is on its own.
    """

    def __init__(self, known: Map, sentence: str, mode: GuideMode = "closed") -> None:
        self._known, self._sentence = known, sentence
        self.answer = known.find(sentence)
        record = self.answer.record
        self._guide = guide_for(known, sentence, record, mode) if record else None

    def __enter__(self) -> "Guided":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the map; calling it twice does no harm."""
        self._known.close()

    @property
    def found(self) -> bool:
        return self._guide is not None

    @property
    def block(self) -> str:
        """The destination block, for the head of a prompt: the same at every step."""
        record, graph = self.answer.record, self._known.graph
        return block(self._sentence, record, None, graph) if record else ""

    def __call__(self, screen: Observation | Screen | str | bytes | Mapping[str, Any]) -> str:
        """Say what to do next on this screen: a look of ours, or a dump of the agent's own in any dialect.

        Raises TreeError for what is in no known form.
        """
        return self._guide(_look(screen)) if self._guide is not None else ""

    def here(self, screen: Observation | Screen | str | bytes | Mapping[str, Any]) -> Location | None:
        """Recognise the page; None where it is not on the map."""
        return self._known.mapper.locate(_look(screen))


def guide(map: str | Path, sentence: str, *, mode: GuideMode = "closed") -> Guided:
    """Open a map for an agent with a loop of its own; `mode` is closed (each step), open, edit or none."""
    if not sentence.strip():
        raise UsageError("Say in a sentence where to go")
    known = open_map(map, readonly=True)
    try:
        return Guided(known, sentence, mode)
    except BaseException:
        known.close()
        raise


def _look(screen: Observation | Screen | str | bytes | Mapping[str, Any]) -> Observation:
    if isinstance(screen, Observation):
        return screen
    if isinstance(screen, Screen):
        return Observation(screen)
    from waypost.adapters.trees import parse

    return Observation(parse(screen).screen)
