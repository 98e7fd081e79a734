"""Folders of looks in, their pages out; and how matchers do on labelled ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from waypost.adapters.embedders import EdgeGridEmbedder
from waypost.adapters.looks import read_looks
from waypost.bench.failing import Failure
from waypost.bench.growth import Cost, costs
from waypost.bench.held_out import PairTable, left_out, pair_table
from waypost.bench.labelled import LabelledLook, LabelledSet
from waypost.bench.partition import (
    CauseScores,
    Mistake,
    PartitionScores,
    by_cause,
    mistakes,
    partition_scores,
)
from waypost.mapping import blank, cluster
from waypost.matchers import (
    ActivityMatcher,
    ClassTextMatcher,
    CollapsedScrollMatcher,
    IdSetMatcher,
    StateStringMatcher,
    StructureStringMatcher,
    TagNavMatcher,
    TextEmbeddingMatcher,
    WeightedSetMatcher,
    grouped,
)
from waypost.model import Screen
from waypost.parts.foreign import foreign_matcher
from waypost.parts.memory import embedder, forgetful
from waypost.parts.plugins import unknown
from waypost.protocols import Embedder, ScreenMatcher, Vectors

__all__ = ["MATCHERS", "Clustered", "Scored", "clustered", "growth", "matchers_of_others", "scored"]

OURS, PAPER, FIXED = "ours", "paper", "paper-fixed"
_SIZES = (25, 50, 100, 200, 400, 800)
_BASELINES: Mapping[str, Callable[[Embedder], ScreenMatcher]] = {
    "activity": lambda texts: ActivityMatcher(),
    "droidbot-state": lambda texts: StateStringMatcher(),
    "droidbot-structure": lambda texts: StructureStringMatcher(),
    "minimap": lambda texts: WeightedSetMatcher(),
    "auto-mobile": lambda texts: CollapsedScrollMatcher(),
    "app-automating": lambda texts: IdSetMatcher(),
    "mcp-devices": lambda texts: ClassTextMatcher(),
    "mobilegpt": TextEmbeddingMatcher,
}
MATCHERS = (OURS, PAPER, FIXED, *_BASELINES)
"""`paper` has thresholds chosen on the other apps, `paper-fixed` has ours; the rest have their authors'."""


@dataclass(frozen=True, slots=True)
class Clustered:
    app: str
    pages: dict[str, str | None]
    """The page of each look; None for what is no page of the app."""
    faults: dict[str, str]
    """Files that could not be read, and why."""


def clustered(folder: Path, app: str = "") -> Clustered:
    """Sort the looks of a folder into the pages of `app`, by default the one that most looks are of."""
    looks = read_looks(folder)
    main = app or looks.app
    screens = tuple(looks.screens.values())
    pictures = [looks.pictures.get(name) for name in looks.screens]
    sketches = _sketches(screens, [p.read_bytes if p else bytes for p in pictures])
    found = cluster(screens, main, sketches)
    pages = {
        name: None if page is None else f"p{page + 1}"
        for name, page in zip(looks.screens, found, strict=True)
    }
    return Clustered(main, pages, looks.faults)


@dataclass(frozen=True)
class Scored:
    """One set, and how each matcher did on it."""

    labelled: LabelledSet
    scores: dict[str, PartitionScores] = field(default_factory=dict)
    causes: dict[str, dict[str, CauseScores]] = field(default_factory=dict)
    mistakes: dict[str, list[Mistake]] = field(default_factory=dict)
    strays: dict[str, list[LabelledLook]] = field(default_factory=dict)
    """Looks at pages that a matcher put nowhere, and looks at none that it put on one."""
    thresholds: tuple[float, float] | None = None
    """Of pictures and layouts, as chosen on the other apps; None where there are none, and ours are taken."""

    def causes_json(self) -> dict[str, dict[str, dict[str, float]]]:
        return {m: {c: asdict(s) for c, s in rows.items()} for m, rows in self.causes.items()}

    def mistakes_json(self, kept: Path | None = None) -> dict[str, list[dict[str, Any]]]:
        """Return wrong pairs by matcher, with files of their pictures: the set's own, or those in `kept`."""
        return {
            m: [self._mistake(w, kept) for w in rows] + [self._stray(k, kept) for k in self.strays[m]]
            for m, rows in self.mistakes.items()
        }

    def failures(self, matcher: str) -> list[Failure]:
        """Return what a matcher sorted wrongly, with its looks; most pairs first."""
        wrong = [
            Failure(matcher, w.kind, w.pairs, (self.labelled.pages[w.a], self.labelled.pages[w.b]))
            for w in self.mistakes.get(matcher, ())
        ]
        return wrong + [Failure(matcher, _strayed(k), 0, (k,)) for k in self.strays.get(matcher, ())]

    def _mistake(self, wrong: Mistake, kept: Path | None) -> dict[str, Any]:
        a, b = (self.labelled.pages[n] for n in (wrong.a, wrong.b))
        return {
            "kind": wrong.kind,
            "pairs": wrong.pairs,
            "a": a.name,
            "b": b.name,
            "page_a": a.page,
            "page_b": b.page,
            "picture_a": self._file(a, kept),
            "picture_b": self._file(b, kept),
        }

    def _stray(self, look: LabelledLook, kept: Path | None) -> dict[str, Any]:
        kind = _strayed(look)
        beside = {"b": None, "page_b": None, "picture_b": None}
        named = {"a": look.name, "page_a": look.page, "picture_a": self._file(look, kept)}
        return {"kind": kind, "pairs": 0, **named, **beside}

    def _file(self, look: LabelledLook, kept: Path | None) -> str | None:
        if isinstance(look.picture, Path):
            return str(look.picture)
        written = kept / self.labelled.name / f"{look.name}.png" if kept and look.picture else None
        return str(written) if written else None


def _strayed(look: LabelledLook) -> str:
    return "put on a page" if look.page is None else "put nowhere"


def scored(
    sets: Sequence[LabelledSet],
    matchers: Sequence[str] = MATCHERS,
    *,
    seed: int = 0,
    progress: Callable[[str], None] = lambda said: None,
) -> list[Scored]:
    """Score matchers on sets. Raises UsageError for a matcher that is none."""
    theirs = matchers_of_others(matchers)
    tables: dict[str, PairTable] = {}
    if PAPER in matchers:
        for labelled in sets:
            progress(f"{labelled.name}: pairs of looks for the paper's rule")
            screens = [look.screen for look in labelled.pages]
            paper = _paper(labelled, embedder())
            tables[labelled.name] = pair_table(labelled.app, screens, labelled.truth, paper)
    chosen = left_out(tables)
    found: list[Scored] = []
    for labelled in sets:
        row = Scored(labelled, thresholds=chosen.get(labelled.name))
        for name in matchers:
            progress(f"{labelled.name}: {name}")
            row.strays[name] = []
            if name == PAPER and row.thresholds is not None:
                pages: Sequence[int | None] = tables[labelled.name].partition(row.thresholds)
            elif name == OURS:
                pages = _by_ours(row)
            elif name in theirs:
                pages = grouped(theirs[name], [look.screen for look in labelled.pages])
            else:
                pages = _sorter(name, labelled, embedder())([look.screen for look in labelled.pages])
            _add(row, name, pages, seed)
        found.append(row)
    return found


def matchers_of_others(names: Sequence[str]) -> dict[str, ScreenMatcher]:
    """Make those of the matchers that are of plug-ins. Raises UsageError for a name that is none."""
    return {name: _theirs(name) for name in names if name not in MATCHERS}


def _theirs(name: str) -> ScreenMatcher:
    """Return the matcher of a plug-in. Raises UsageError where there is none of that name."""
    found = foreign_matcher(name)
    if found is None:
        raise unknown("matcher", name, MATCHERS)
    return found


def _add(row: Scored, name: str, pages: Sequence[int | None], seed: int) -> None:
    truth = row.labelled.truth
    row.scores[name] = partition_scores(truth, pages, seed=seed)
    row.causes[name] = by_cause(truth, pages, [look.causes for look in row.labelled.pages])
    row.mistakes[name] = mistakes(truth, pages)


def _by_ours(row: Scored) -> list[int | None]:
    """Sort the looks that are scored; ours is given the others as well, as it would be on a phone."""
    labelled = row.labelled
    screens = [look.screen for look in labelled.looks]
    found = cluster(screens, labelled.app, _sketches(screens, [look.image for look in labelled.looks]))
    both = list(zip(labelled.looks, found, strict=True))
    row.strays[OURS] = [look for look, page in both if (look.page is None) != (page is None)]
    return [page for look, page in both if look.page is not None]


def _sketches(screens: Sequence[Screen], pictures: Sequence[Callable[[], bytes]]) -> list[Vectors | None]:
    """Return sketches of the pictures; none where every look has a tree: they cost more than all else."""
    if not any(map(blank, screens)):
        return []
    eye = EdgeGridEmbedder()
    return [eye.embed([image])[0] if (image := take()) else None for take in pictures]


def _sorter(
    name: str, labelled: LabelledSet, texts: Embedder
) -> Callable[[Sequence[Screen]], Sequence[int | None]]:
    """Return what sorts looks of a set by a matcher, afresh at each call."""
    if name == OURS:
        return lambda screens: cluster(screens, labelled.app)
    if name in (PAPER, FIXED):
        return lambda screens: grouped(_paper(labelled, texts), screens)
    if name not in _BASELINES:
        theirs = _theirs(name)
        return lambda screens: grouped(theirs, screens)
    return lambda screens: grouped(_BASELINES[name](texts), screens)


def _paper(labelled: LabelledSet, texts: Embedder) -> TagNavMatcher:
    looks: dict[Screen, LabelledLook] = {}
    for look in labelled.looks:
        if look.picture:
            looks.setdefault(look.screen, look)

    def picture(screen: Screen) -> bytes:
        look = looks.get(screen)
        return look.image() if look else b""

    return TagNavMatcher(texts, EdgeGridEmbedder(), picture)


def growth(
    labelled: LabelledSet, matchers: Sequence[str], clock: Callable[[], float]
) -> dict[str, list[Cost]]:
    """Return what each matcher costs as the looks of a set become more; models are loaded before."""
    forgetful().embed(["a text", "一句话"])
    screens = [look.screen for look in labelled.pages]
    sizes = [s for s in _SIZES if s < len(screens)] + [len(screens)]
    return {
        m: costs(lambda some, m=m: _sorter(m, labelled, forgetful())(some), screens, sizes, clock)  # type: ignore[misc]
        for m in matchers
        if m != PAPER  # It costs what `paper-fixed` does.
    }
