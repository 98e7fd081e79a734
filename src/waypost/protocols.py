"""The seams: everything that this package asks of the outside, on one page.

An implementation need not import this file; it only has to fit. Those that ship live in `adapters`
and, where they are pure, beside their only user. Each seam has a conformance suite in
`tests/conformance/` that every implementation passes.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from waypost.model import (
    Action,
    AppGraph,
    Considered,
    Decision,
    Element,
    Goal,
    NodeId,
    Observation,
    Plan,
    Screen,
    Subtask,
    Task,
    Terms,
    Verdict,
)

__all__ = [
    "LLM",
    "Actor",
    "Comparison",
    "Device",
    "ElementFinder",
    "Embedder",
    "Fits",
    "Guide",
    "Hit",
    "ImageEmbedder",
    "Judge",
    "PartialEmbedder",
    "Planner",
    "Reading",
    "Reason",
    "ScreenMatcher",
    "SubtaskPlanner",
    "TokenEmbedder",
    "VectorIndex",
    "Vectors",
    "Verifier",
]

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
Vectors: TypeAlias = NDArray[np.float32]
"""Unit-length rows, shape (n, dimension)."""


class Device(Protocol):
    """A phone, a browser, or a recording that stands in for one."""

    @property
    def name(self) -> str:
        """The device as the command line writes it, with its profile: `pocket:mail`."""
        ...

    def observe(self, *, pixels: bool = False) -> Observation:
        """Look; with a screenshot only where `pixels` asks for one. Raises DeviceError."""
        ...

    def perform(self, action: Action) -> None:
        """Do it, and return once the device has taken it. Raises DeviceError; ValueError for Finish."""
        ...

    def restart(self, app: str = "") -> None:
        """Stop `app` and launch it afresh (the device's own default where empty); its data stay."""
        ...

    def close(self) -> None:
        """Let go of the device; calling it twice does no harm."""
        ...


class Actor(Protocol):
    """Decides one action at a time. Single-use: make a new one for each episode."""

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision: ...


class Guide(Protocol):
    """What to tell the actor before its next step, given what it sees."""

    def __call__(self, observation: Observation) -> str: ...


class Verifier(Protocol):
    """Whether a look shows the destination: True, False, or None where it cannot tell."""

    def __call__(self, observation: Observation) -> bool | None: ...


class Planner(Protocol):
    def plan(
        self,
        graph: AppGraph,
        start: NodeId,
        goal: NodeId | Goal,
        *,
        penalties: Callable[[NodeId, str], float] | None = None,
        terms: Terms | None = None,
    ) -> Plan:
        """Find a way; `penalties(source, key)` adds cost to an action that failed lately (inf: never).

        OPTIMAL is said only where `bound` proves it, UNREACHABLE only where the search was complete.
        """
        ...


Fits: TypeAlias = Callable[[str], Mapping[str, float]]
"""How well the memory of each installed app fits a clause, by app; only comparable within one clause."""


class SubtaskPlanner(Protocol):
    """Parts an instruction over the installed apps, and chooses the page of each part."""

    @property
    def id(self) -> str:
        """Who plans: `rules`, or a model's name."""
        ...

    def coarse(self, instruction: str, apps: Mapping[str, str], fits: Fits) -> tuple[Subtask, ...]:
        """Return the parts in order, each with an app of `apps` (by name, with its title) or none."""
        ...

    def fine(self, part: Subtask, pages: Sequence[Considered], sure: bool) -> tuple[int, str]:
        """Choose one of the pages that the app's memory offers, and say what to do there.

        Returns its index, -1 for none; `sure` is whether the memory takes the app to have such a page.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reason:
    """One piece of evidence for or against two looks being one page."""

    name: str
    weight: float
    """Positive joins, negative parts; as large as it counted."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two looks are one page, and why."""

    score: float
    """0 (certainly different pages) to 1 (certainly one page); 0.5 is undecided."""
    reasons: tuple[Reason, ...] = ()

    @property
    def same(self) -> bool:
        return self.score >= 0.5


class ScreenMatcher(Protocol):
    """Tells whether two looks are one page. Must be symmetric, and certain of equal screens."""

    def compare(self, a: Screen, b: Screen) -> Comparison: ...


class Judge(Protocol):
    """Scores the last look of an episode; knows nothing of the map that was used."""

    def judge(self, task: Task, final: Observation) -> Verdict: ...


class LLM(Protocol):
    """A prompt goes in, a dataclass comes out; parsing and re-asking are the implementation's work."""

    @property
    def id(self) -> str:
        """Model name, as records note it."""
        ...

    def ask(self, prompt: str, images: Sequence[bytes] = (), *, returns: type[T]) -> T:
        """Answer as a `returns`, a frozen dataclass of plain fields; `images` are PNG, JPEG or WebP.

        `str` gets the reply as it was said: for models that answer in a grammar of their own.

        Raises ReplyError where no reply fits, ModelError where there is none. May be called from several
        threads at once.
        """
        ...


class ElementFinder(Protocol):
    """Finds what is drawn on a screen without a usable tree: reads text, asks a model, detects icons."""

    @property
    def id(self) -> str:
        """What finds; its finds bear it as `class_name`. Several as one: their names, joined by `+`."""
        ...

    def find(self, picture: bytes, size: tuple[int, int]) -> tuple[Element, ...]:
        """Return what is seen in a PNG, JPEG or WebP, flat, in device pixels of a screen of `size`.

        Equal pictures give equal elements. A page that is still loading holds one of Role.PROGRESS.
        ValueError for what is no picture.
        """
        ...


class Embedder(Protocol):
    @property
    def id(self) -> str:
        """Model name and version; vectors of different ids are never compared."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit-length rows, one a text, in order; shape (0, dimension) for none."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as a model read it: as one whole, and word piece by word piece."""

    vector: Vectors
    """Shape (dimension,), unit length; what `embed` returns."""
    tokens: Vectors = field(default_factory=lambda: np.zeros((0, 1), np.float32))
    """Shape (n, m), a row a word piece, to be multiplied with other tokens; none of what it cannot read."""
    shares: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))
    """Shape (n,): what each word piece counts; they sum to one."""


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder whose texts can also be compared word by word (late interaction, as in ColBERT)."""

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Return a reading a text, in order."""
        ...


@runtime_checkable
class PartialEmbedder(Embedder, Protocol):
    """An embedder some of whose models read some texts only, so that cosines across come out too small."""

    def lifts(self, rows: Vectors, query: Vectors) -> Vectors:
        """Return, shape (n,), by what the product of each row with the query is to be multiplied."""
        ...


@dataclass(frozen=True, slots=True)
class Hit(Generic[K]):
    key: K
    score: float
    """Cosine, -1 to 1."""


class ImageEmbedder(Protocol):
    @property
    def id(self) -> str:
        """Model name and version; vectors of different ids are never compared."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed(self, images: Sequence[bytes]) -> Vectors:
        """Return unit-length rows, one a picture (PNG, JPEG, WebP), in order. ValueError for what is none."""
        ...


class VectorIndex(Protocol[K]):
    def add(self, keys: Sequence[K], vectors: Vectors) -> None:
        """Add rows; a key that is already there is replaced."""
        ...

    def search(self, vector: NDArray[Any], k: int) -> list[Hit[K]]:
        """Return the k nearest, best first, ties by insertion order."""
        ...
