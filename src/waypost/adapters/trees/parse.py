"""The one door: a dump of any dialect in, a `Parsed` out; it raises TreeError, and nothing else."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from waypost.adapters.trees.android_xml import read_android
from waypost.adapters.trees.build import Built, built
from waypost.adapters.trees.dumped import Dump, complaint, decoded, tree_text
from waypost.adapters.trees.ios_xml import read_ios
from waypost.adapters.trees.markup import Document, Tag, documents
from waypost.adapters.trees.neutral import is_neutral, read_neutral
from waypost.adapters.trees.node import Dialect, Reading
from waypost.adapters.trees.views import read_accessibility, read_views
from waypost.adapters.trees.windows import sorted_out
from waypost.errors import TreeError
from waypost.model import Bounds, Element, Screen, TreeQuality

__all__ = ["Parsed", "parse"]

_USUAL = (1080, 2400)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read of a dump."""

    screen: Screen
    """Its `quality` says whether this is the whole tree, a part of it, or none."""
    dialect: Dialect
    roots: tuple[Element, ...] = ()
    """The windows, from the bottom up."""
    keys: tuple[Element, ...] = ()
    """Windows of input methods, kept apart from the screen."""
    fault: Dump = Dump.NONE
    """Why there is no tree, where there is none; or what cut it short."""
    notes: tuple[str, ...] = ()
    """What was odd about it, for a person."""

    @property
    def partial(self) -> bool:
        return self.screen.quality is TreeQuality.PARTIAL


def parse(
    source: str | bytes | Mapping[str, Any],
    *,
    size: tuple[int, int] | None = None,
    scale: float = 1.0,
    ime: str = "",
) -> Parsed:
    """Read a dump: what a command printed, or JSON as text or object.

    `size` is the screen's in pixels, where it is known better than by the dump; `scale` the pixels a point
    of dialects that measure in points; `ime` the package of the phone's input method. Text without a tree
    is a `Parsed` of quality NONE that says why; an object of no known form raises TreeError.

    >>> found = parse('<hierarchy rotation="0"><node class="android.widget.Button" text="Go" package="a.b"'
    ...               ' bounds="[0,0][90,40]"/></hierarchy>', size=(100, 200))
    >>> found.screen.root.text, found.screen.app, found.screen.quality.value
    ('Go', 'a.b', 'full')
    """
    if isinstance(source, Mapping):
        return _finished(_object(source), size, ime)
    if not isinstance(source, (str, bytes, bytearray)):
        raise TreeError(f"A tree is text, bytes or a JSON object, not {type(source).__name__}")
    text = decoded(source) if isinstance(source, (bytes, bytearray)) else source
    if text.lstrip("\ufeff \r\n\t")[:1] == "{":
        return _finished(_object(_json(text)), size, ime)
    told = tree_text(text)
    if told.fault is not Dump.NONE:
        return _none(told.fault, size, told.said)
    found = _best(documents(told.text))
    reading = _read(found.roots, scale)
    if told.said:
        reading.notes.append(f"before the tree stood: {told.said}")
    reading.partial = reading.partial or bool(found.broken)
    reading.notes += found.broken
    fault = (complaint(told.text[-300:]) or Dump.UNREADABLE) if found.broken else Dump.NONE
    return _finished(reading, size, ime, fault)


def _json(text: str) -> Any:
    try:
        return json.loads(text.lstrip("\ufeff \r\n\t"))
    except (ValueError, RecursionError) as e:
        raise TreeError(f"The tree begins as JSON and is none: {type(e).__name__}: {str(e)[:80]}") from e


def _object(data: Any) -> Reading:
    if isinstance(data, Mapping):
        if isinstance(data.get("views"), list):
            return read_views(data)
        if any(k in data for k in ("viewHierarchy", "trailblazeNodeTree", "driverDetail", "nodeId")):
            return read_accessibility(data)
        if is_neutral(data):
            return read_neutral(data)
    raise TreeError(
        "The object is no tree: neither DroidBot's views, nor a trailblaze hierarchy, nor nested nodes"
    )


def _best(found: list[Document]) -> Document:
    """Return the last whole document; where none is whole, the one that has most."""
    whole = [d for d in found if d.roots and not d.broken]
    return whole[-1] if whole else max(found, key=lambda d: d.count, default=Document())


def _read(tags: list[Tag], scale: float) -> Reading:
    ios = any(t.name == "AppiumAUT" or t.name.startswith("XCUIElementType") for t in tags)
    return read_ios(tags, scale) if ios else read_android(tags)


def _none(fault: Dump, size: tuple[int, int] | None, said: str) -> Parsed:
    screen = Screen(size=size or _USUAL, quality=TreeQuality.NONE)
    return Parsed(screen, Dialect.UNKNOWN, fault=fault, notes=(said,) if said else ())


def _finished(reading: Reading, size: tuple[int, int] | None, ime: str, fault: Dump = Dump.NONE) -> Parsed:
    whole = size or _extent(reading)
    windows = sorted_out(reading.roots, whole, ime)
    trees = [built(root, whole) for root in windows.shown]
    keys = [*windows.keys, *(k for t in trees for k in t.keys)]
    notes = [*reading.notes, *_counted(trees, windows.bars)]
    root = _joined([t.root for t in trees], whole)
    quality = TreeQuality.PARTIAL if reading.partial else TreeQuality.FULL
    if not trees:
        quality, fault = TreeQuality.NONE, fault or Dump.EMPTY
    screen = Screen(
        root=root,
        app=windows.app if reading.app is None else reading.app,
        activity=reading.activity,
        size=whole,
        rotation=reading.rotation,
        keyboard=bool(keys),
        overlay=windows.overlay,
        quality=quality,
    )
    apart = tuple(built(k, whole).root for k in keys)
    return Parsed(screen, reading.dialect, tuple(t.root for t in trees), apart, fault, tuple(notes))


def _counted(trees: list[Built], bars: int) -> list[str]:
    deep = sum(t.hoisted for t in trees)
    notes = [f"{deep} nodes lay deeper than can be followed, and were put higher"] if deep else []
    return [*notes, f"{bars} bars of the system were left out"] if bars else notes


def _joined(roots: list[Element], size: tuple[int, int]) -> Element:
    if len(roots) == 1:
        return roots[0]
    return Element(bounds=Bounds(0, 0, *size) if roots else Bounds(0, 0, 0, 0), children=tuple(roots))


def _extent(reading: Reading) -> tuple[int, int]:
    """Return the screen's size: the dump's word, widened to its windows; else a usual one."""
    width, height = reading.size or (0, 0)
    if reading.size is None or reading.dialect in (Dialect.UIAUTOMATOR, Dialect.APPIUM):
        for box in (r.box for r in reading.roots if r.box is not None):
            if box[2] > box[0] and box[3] > box[1]:
                width, height = max(width, min(box[2], 20_000)), max(height, min(box[3], 20_000))
    return (width, height) if width > 0 and height > 0 else _USUAL
