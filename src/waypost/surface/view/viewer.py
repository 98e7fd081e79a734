"""A map's folder in, everything that the page asks of it out: one thread owns the files, whoever asks."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from waypost.errors import UsageError
from waypost.parts.face import Map, open_map
from waypost.surface.view.asking import routed, searched
from waypost.surface.view.card import card
from waypost.surface.view.changes import changes
from waypost.surface.view.correct import corrected
from waypost.surface.view.live import Live
from waypost.surface.view.overview import overview
from waypost.surface.view.pictures import SIZES, shrunk
from waypost.surface.view.start import begun

__all__ = ["Viewer"]

T = TypeVar("T")
_PICTURES = 3000
"""Pictures, small ones and large, that are kept as they were shown last."""


class Viewer:
    """Answers in JSON values. The map is read; it is opened for writing only while a correction is made."""

    def __init__(self, map: str | Path, against: str | Path | None = None) -> None:
        """`against` is the map of an earlier build, to be held against this one."""
        self._name, self._against = map, against
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="waypost-view")
        self._map: Map | None = None
        self._old: Map | None = None
        self._live: Live | None = None
        self._picture: Callable[[str, str], bytes] | None = None
        try:
            self._ask(self._open)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the files; calling it twice does no harm."""
        for known in (self._map, self._old):
            if known is not None:
                self._pool.submit(known.close).result()
        self._map = self._old = None
        self._pool.shutdown()

    def start(self) -> dict[str, Any]:
        """Return what the page shows first."""
        return self._ask(lambda: self._start(self._fresh()))

    def live(self, since: int) -> dict[str, Any]:
        return self._ask(lambda: self._following().since(since))

    def card(self, page: str) -> dict[str, Any]:
        return self._ask(lambda: card(self._fresh(), page))

    def search(self, sentence: str) -> dict[str, Any]:
        return self._ask(lambda: searched(self._fresh(), sentence))

    def route(self, to: str, start: str) -> dict[str, Any]:
        return self._ask(lambda: routed(self._fresh(), to, start))

    def changes(self) -> dict[str, Any]:
        return self._ask(lambda: changes(self._before(), self._fresh()))

    def correct(self, what: str, said: Mapping[str, Any]) -> dict[str, Any]:
        """Make a correction and read the map anew. Raises UsageError or MapError."""

        def deed() -> dict[str, Any]:
            done = corrected(self._fresh(), what, said)
            self._reopen()
            return {**done, "start": self._start(self._fresh())}

        return self._ask(deed)

    def picture(self, image_hash: str, size: str) -> bytes:
        """Return a picture of either map as WebP; empty where there is none."""
        assert self._picture is not None
        return self._picture(image_hash, size)

    # On the thread that owns the files

    def _ask(self, what: Callable[[], T]) -> T:
        return self._pool.submit(what).result()

    def _open(self) -> None:
        self._map = open_map(self._name, readonly=True)
        if self._against is not None:
            self._old = open_map(self._against, readonly=True)
        self._live = Live(self._map.folder)
        self._picture = lru_cache(_PICTURES)(lambda image, size: shrunk(self._png(image), SIZES[size]))

    def _reopen(self) -> None:
        if self._map is not None:
            self._map.close()
        self._map = open_map(self._name, readonly=True)

    def _fresh(self) -> Map:
        """Return the map as it is on disk now: another process may be exploring it."""
        if self._following().grown(self._known().graph.steps):
            self._reopen()
        return self._known()

    def _known(self) -> Map:
        assert self._map is not None
        return self._map

    def _following(self) -> Live:
        assert self._live is not None
        return self._live

    def _before(self) -> Map:
        if self._old is None:
            raise UsageError("Name the map of an earlier build: waypost view MAP --against OLD")
        return self._old

    def _png(self, image_hash: str) -> bytes:
        # On any thread: pictures are no part of the database.
        maps = [known for known in (self._map, self._old) if known is not None]
        return next((png for known in maps if (png := known.picture(image_hash))), b"")

    def _start(self, known: Map) -> dict[str, Any]:
        return begun(known, self._old, overview(known.graph))
